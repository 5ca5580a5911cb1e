use extype::prelude::*;

extype::define_op! {
    /// The cube of every element.
    pub unary Cube = "Mine>Cube" {
        types: { T: DType::F32 }, kernel: |c| Ok([c.input(0).clone()].into()),
    }
}

fn main() {}

extype::define_op! {
    /// The cube of every element.
    pub unary Cube = "Mine>Cube" {
        types: { T: extype::types::DTypeSet::FLOAT }, kernel: extype::ir::Kernel::Map(&CUBE),
    }
}

fn main() {}

extype::define_op! {
    /// The cube of every element.
    pub unary Cube = "Mine>Cube" {
        types: { T: extype::types::DTypeSet::FLOAT }, attrs: { ..Late }, kernel: |c| Ok([c.input(0).clone()].into()),
    }

    attrs Late { size: i64 = 1 }
}

fn main() {}

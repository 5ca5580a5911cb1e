extype::define_op! {
    /// The cube of every element.
    pub unary Cube = "Mine>Cube" {
        types: { T: extype::types::DTypeSet::FLOAT }, kernel: |c| Ok([c.input(0).clone()].into()),
    }

    /// The cube of every element.
    pub unary Cube = "Mine>Cubed" {
        types: { T: extype::types::DTypeSet::FLOAT }, kernel: |c| Ok([c.input(0).clone()].into()),
    }
}

fn main() {}

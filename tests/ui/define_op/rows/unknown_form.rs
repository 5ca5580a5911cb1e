extype::define_op! {
    /// The cube of every element.
    pub unray Cube = "Mine>Cube" {
        types: { T: extype::types::DTypeSet::FLOAT }, kernel: |c| Ok([c.input(0).clone()].into()),
    }
}

fn main() {}

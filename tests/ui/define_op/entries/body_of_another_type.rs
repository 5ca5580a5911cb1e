use extype::types::DTypeSet;

extype::define_op! {
    /// The cube of every element.
    pub unary Cube = "Mine>Cube" {
        types: { T: DTypeSet::FLOAT },
        body: |x| x.shape(),
    }
}

fn main() {}

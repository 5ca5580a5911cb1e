extype::define_op! {
    /// The cube of every element.
    pub unary Cube = "Mine>Cube" {
        kernel: |c| Ok([c.input(0).clone()].into()),
    }
}

fn main() {}

extype::define_op! {
    /// Those of both.
    attrs Shared { count: i64 = 1 }

    attrs Shared { other: i64 = 1 }

    attrs Unused { size: i64 }

    /// The cube of every element.
    pub unary Cube = "Mine>Cube" {
        types: { T: extype::types::DTypeSet::FLOAT }, attrs: { ..Shared }, kernel: |c| Ok([c.input(0).clone()].into()),
    }

    attrs Late { size: i64 }
}

fn main() {}

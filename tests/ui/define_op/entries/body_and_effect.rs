use extype::prelude::*;

extype::define_op! {
    /// Twice.
    pub unary Twice = "Ui>Twice" {
        types: { T: DTypeSet::FLOAT },
        call: twice,
        effect: Writes,
        body: |x| ops::mul(x, 2.0),
    }
}

fn main() {}

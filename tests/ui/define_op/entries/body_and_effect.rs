extype::define_op! {
    /// Twice.
    pub unary Twice = "Ui>Twice" {
        types: { T: extype::types::DTypeSet::FLOAT },
        call: twice,
        effect: Writes,
        body: |x| extype::ops::mul(x, 2.0),
    }
}

fn main() {}

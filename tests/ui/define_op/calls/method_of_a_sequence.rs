extype::define_op! {
    methods of Polynomials;

    /// The values of polynomials.
    pub op Horner = "Mine>Horner" {
        inputs: { xs: [T; N], dim: {I32} as axis: Axis }, outputs: { y: T },
        types: { T: extype::types::DTypeSet::FLOAT }, attrs: { reverse: bool = false },
        call: method horner([xs]; axis),
        infer: extype::ops::rules::same_shape, kernel: |c| Ok([c.input(0).clone()].into()),
    }
}

fn main() {}

extype::define_op! {
    /// The values of polynomials.
    pub op Horner = "Mine>Horner" {
        inputs: { x: S, y: S, dim: {I32} as axis: Axis }, outputs: { y: T },
        types: { T: extype::types::DTypeSet::FLOAT }, attrs: { reverse: bool = false },
        call: horner(x, y; axis),
        infer: extype::ops::rules::same_shape, kernel: |c| Ok([c.input(0).clone()].into()),
    }
}

fn main() {}

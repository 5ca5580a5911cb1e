use extype::prelude::*;

fn one() -> Result<Tensor> {
    ops::zeros([], f32)
}

fn main() {}

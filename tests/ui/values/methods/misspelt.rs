use extype::prelude::*;

fn turned(x: &Tensor) -> Result<Tensor> {
    x.transposed([1, 0])
}

fn main() {}

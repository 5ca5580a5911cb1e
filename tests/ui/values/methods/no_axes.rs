use extype::prelude::*;

fn total(x: &Tensor) -> Result<Tensor> {
    x.sum()
}

fn main() {}

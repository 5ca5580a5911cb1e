use extype::prelude::*;

fn inverse(x: &Tensor) -> Result<Tensor> {
    x.inv()
}

fn main() {}

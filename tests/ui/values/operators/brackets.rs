use extype::prelude::*;

fn first(x: &Tensor) -> Tensor {
    x[0]
}

fn main() {}

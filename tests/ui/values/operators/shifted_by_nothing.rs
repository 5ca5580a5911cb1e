use extype::prelude::*;

fn shifted(x: &Tensor) -> Tensor {
    x << "1".parse::<i32>()
}

fn main() {}

use extype::prelude::*;

fn positive(x: &Tensor) -> bool {
    x > 0.0
}

fn main() {}

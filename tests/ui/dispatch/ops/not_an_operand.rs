use extype::prelude::*;

fn used(x: &Tensor) {
    let _ = ops::add(x, Some(1.0f32));
}

fn main() {}

use extype::prelude::*;

fn used(x: &Tensor) {
    let _ = ops::add(x, "one");
}

fn main() {}

use extype::prelude::*;

fn same(x: &Tensor, y: &Tensor) -> bool {
    *x == *y
}

fn main() {}

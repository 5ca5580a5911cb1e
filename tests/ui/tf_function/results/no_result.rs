use extype::prelude::*;

#[tf_function]
fn f(x: &Tensor) -> Tensor {
    x + 1.0
}

fn main() {}

use extype::prelude::*;

#[tf_function]
fn f(x: &Tensor) {
    let _ = x.tanh();
}

fn main() {}

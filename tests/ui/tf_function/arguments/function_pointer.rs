use extype::prelude::*;

#[tf_function]
fn f(x: &Tensor, g: fn(i64) -> i64) -> Result<Tensor> {
    let _ = g;
    x.tanh()
}

fn main() {}

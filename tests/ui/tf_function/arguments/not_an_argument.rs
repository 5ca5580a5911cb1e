use extype::prelude::*;

struct Plain;

#[tf_function]
fn f(x: &Tensor, plain: &Plain) -> Result<Tensor> {
    let _ = plain;
    x.tanh()
}

fn main() {}

use extype::prelude::*;

#[tf_function]
fn f(x: &Tensor) -> Result<&Tensor> {
    Ok(x)
}

fn main() {}

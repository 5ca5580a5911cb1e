use extype::prelude::*;

#[tf_function]
fn f(x: &Tensor, g: impl Fn(&Tensor) -> Tensor) -> Result<Tensor> {
    Ok(g(x))
}

fn main() {}

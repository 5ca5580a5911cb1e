use extype::prelude::*;

#[tf_function]
fn f(x: &mut Tensor) -> Result<Tensor> {
    x.tanh()
}

fn main() {}

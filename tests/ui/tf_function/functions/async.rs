use extype::prelude::*;

#[tf_function]
async fn f(x: &Tensor) -> Result<Tensor> {
    x.tanh()
}

fn main() {}

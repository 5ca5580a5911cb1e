use extype::prelude::*;

#[tf_function(signature(float32[?]))]
fn f(x: &Tensor) -> Result<Tensor> {
    x.tanh()
}

fn main() {}

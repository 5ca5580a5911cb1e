use extype::prelude::*;

#[tf_function(signature([f32[?, 2]]))]
fn f(x: &Tensor) -> Result<Tensor> {
    x.tanh()
}

fn main() {}

use extype::prelude::*;

#[tf_function(signature(static f32))]
fn f(x: &Tensor) -> Result<Tensor> {
    x.tanh()
}

fn main() {}

use extype::prelude::*;

#[tf_function(input_signature(f32[?]))]
fn f(x: &Tensor) -> Result<Tensor> {
    x.tanh()
}

fn main() {}

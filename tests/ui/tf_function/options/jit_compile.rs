use extype::prelude::*;

#[tf_function(jit_compile = true)]
fn f(x: &Tensor) -> Result<Tensor> {
    x.tanh()
}

fn main() {}

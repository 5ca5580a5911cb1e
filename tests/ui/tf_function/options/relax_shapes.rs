use extype::prelude::*;

#[tf_function(experimental_relax_shapes)]
fn f(x: &Tensor) -> Result<Tensor> {
    x.tanh()
}

fn main() {}

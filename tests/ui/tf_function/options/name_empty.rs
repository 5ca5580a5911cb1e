use extype::prelude::*;

#[tf_function(name = "")]
fn f(x: &Tensor) -> Result<Tensor> {
    x.tanh()
}

fn main() {}

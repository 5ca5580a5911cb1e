use extype::prelude::*;

#[tf_function]
fn f(x: &Tensor) -> Result<impl Structure> {
    x.tanh()
}

fn main() {}

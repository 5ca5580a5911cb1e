use extype::prelude::*;

#[tf_function]
const fn f(x: &Tensor) -> Result<Tensor> {
    x.tanh()
}

fn main() {}

use extype::prelude::*;

#[tf_function]
unsafe fn f(x: &Tensor) -> Result<Tensor> {
    x.tanh()
}

fn main() {}

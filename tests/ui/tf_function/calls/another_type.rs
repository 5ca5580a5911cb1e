use extype::prelude::*;

#[tf_function]
fn f(x: &Tensor) -> Result<Tensor> {
    x.tanh()
}

fn used() -> Result<Tensor> {
    f(&1.0)
}

fn main() {}

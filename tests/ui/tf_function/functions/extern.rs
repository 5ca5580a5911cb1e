use extype::prelude::*;

#[tf_function]
extern "C" fn f(x: &Tensor) -> Result<Tensor> {
    x.tanh()
}

fn main() {}

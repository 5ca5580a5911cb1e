use extype::prelude::*;

#[tf_function]
fn f(x: &dyn TensorLike) -> Result<Tensor> {
    x.to_tensor()
}

fn main() {}

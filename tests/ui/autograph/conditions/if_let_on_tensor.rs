use extype::prelude::*;

#[tf_function]
pub fn if_let_on_tensor(x: &Tensor) -> Result<Tensor> {
    if let 0 = x { Ok(x + 1) } else { Ok(x * 2) }
}

fn main() {}

use extype::prelude::*;

#[tf_function]
pub fn tensor_as_bool_variable(x: &Tensor) -> Result<Tensor> {
    let large: bool = x > 3;
    Ok(if large { x * 2 } else { x + 1 })
}

fn main() {}

use extype::prelude::*;

#[tf_function]
pub fn return_in_operand(x: &Tensor) -> Result<Tensor> {
    let y = x * if x > 0 { return Ok(x * 2) } else { x - 1 };
    Ok(y)
}

fn main() {}

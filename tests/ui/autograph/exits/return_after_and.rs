use extype::prelude::*;

#[tf_function]
pub fn return_after_and(x: &Tensor) -> Result<Tensor> {
    let y = x > 0 && return Ok(x * 2);
    y.cast(i64)
}

fn main() {}

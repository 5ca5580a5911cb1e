use extype::prelude::*;

#[tf_function]
pub fn of_two_types(x: &Tensor) -> Result<Tensor> {
    let y = if x > 0 { x * 2 } else { 3.0 };
    Ok(y)
}

fn main() {}

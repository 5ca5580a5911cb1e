use extype::prelude::*;

#[tf_function]
pub fn assigned_parameter(x: &Tensor) -> Result<Tensor> {
    while x > 1 {
        x = x / 2;
    }
    Ok(x.clone())
}

fn main() {}

use extype::prelude::*;

#[tf_function]
pub fn return_without_ok(x: &Tensor) -> Result<Tensor> {
    if x > 0 {
        return x * 2;
    }
    Ok(x - 1)
}

fn main() {}

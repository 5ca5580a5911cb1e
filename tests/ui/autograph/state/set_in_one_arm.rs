use extype::prelude::*;

#[tf_function]
pub fn set_in_one_arm(x: &Tensor) -> Result<Tensor> {
    let y;
    if x > 0 {
        y = x * 2;
    }
    Ok(y)
}

fn main() {}

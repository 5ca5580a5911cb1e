use extype::prelude::*;

#[tf_function]
pub fn without_else(x: &Tensor) -> Result<Tensor> {
    let y = if x > 0 {
        x * 2
    };
    Ok(y)
}

fn main() {}

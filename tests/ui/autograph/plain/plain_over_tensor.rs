use extype::prelude::*;

#[tf_function]
pub fn plain_over_tensor(x: &Tensor) -> Result<Tensor> {
    #[plain]
    if x > 0 {
        return Ok(x * 2);
    }
    Ok(x + 1)
}

fn main() {}

use extype::prelude::*;

#[tf_function]
pub fn return_in_plain(x: &Tensor, n: i64) -> Result<Tensor> {
    if x > 0 {
        #[plain]
        if n > 3 {
            return Ok(x * 2);
        }
    }
    Ok(x + 1)
}

fn main() {}

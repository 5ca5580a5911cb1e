use extype::prelude::*;

#[tf_function]
pub fn number_assigned_a_tensor(x: &Tensor) -> Result<Tensor> {
    let mut best = 0i64;
    if x > 3 {
        best = x * 2;
    }
    Ok(x + best)
}

fn main() {}

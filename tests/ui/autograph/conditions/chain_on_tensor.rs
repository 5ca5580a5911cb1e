use extype::prelude::*;

#[tf_function]
pub fn chain_on_tensor(x: &Tensor, best: Option<i64>) -> Result<Tensor> {
    if let Some(b) = best && x > b { Ok(x * 2) } else { Ok(x * 3) }
}

fn main() {}

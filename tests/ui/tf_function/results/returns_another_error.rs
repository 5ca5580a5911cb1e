use anyhow::Result;
use extype::{Tensor, tf_function};

#[tf_function]
fn doubled(x: &Tensor, times: i64) -> Result<Tensor> {
    Ok(x * times)
}

fn main() {}

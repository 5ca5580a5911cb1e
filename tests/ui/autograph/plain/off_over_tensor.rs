use extype::prelude::*;

#[tf_function(autograph = false)]
pub fn off_over_tensor(x: &Tensor) -> Result<Tensor> {
    if x > 0 { Ok(x * 2) } else { Ok(x + 1) }
}

fn main() {}

use extype::prelude::*;

#[tf_function]
pub fn moved_before(x: Tensor) -> Result<Tensor> {
    let y = x;
    let z = if y > 0 { x + 1 } else { y };
    Ok(z)
}

fn main() {}

use extype::prelude::*;

#[tf_function]
pub fn stepped_range(n: &Tensor) -> Result<Tensor> {
    let mut y = scalar(0i64);
    for i in (0..n).step_by(2) {
        y = y + i;
    }
    Ok(y)
}

fn main() {}

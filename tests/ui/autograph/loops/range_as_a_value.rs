use extype::prelude::*;

#[tf_function]
pub fn range_as_a_value(n: &Tensor) -> Result<Tensor> {
    let range = 0..n;
    let mut y = scalar(0i64);
    for i in range {
        y = y + i;
    }
    Ok(y)
}

fn main() {}

use extype::prelude::*;

#[tf_function]
pub fn mapped_range(n: &Tensor) -> Result<Tensor> {
    let mut y = scalar(0i64);
    for i in (0..n).map(|i| i * 2) {
        y = y + i;
    }
    Ok(y)
}

fn main() {}

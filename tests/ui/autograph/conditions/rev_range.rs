use extype::prelude::*;

#[tf_function]
pub fn rev_range(n: &Tensor) -> Result<Tensor> {
    let mut x = scalar(0i64);
    for i in (0..n).rev() {
        x = x * 10 + i;
    }
    Ok(x)
}

fn main() {}

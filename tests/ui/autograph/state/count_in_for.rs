use extype::prelude::*;

#[tf_function]
pub fn count_in_for(n: &Tensor) -> Result<Tensor> {
    let mut y = scalar(0i64);
    let mut count = 0;
    for i in 0..n {
        count += 1;
        y = y + i * count;
    }
    Ok(y)
}

fn main() {}

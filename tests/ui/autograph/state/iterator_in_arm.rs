use extype::prelude::*;

#[tf_function]
pub fn iterator_in_arm(x: &Tensor, names: Vec<i64>) -> Result<Tensor> {
    let mut left = names.iter().filter(|n| **n > 0);
    let mut y = x.clone();
    if x > 0 {
        y = y + left.next().copied().unwrap_or(0);
    }
    Ok(y + left.count() as i64)
}

fn main() {}

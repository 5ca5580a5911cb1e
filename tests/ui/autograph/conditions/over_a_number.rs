use extype::prelude::*;

#[tf_function]
pub fn over_a_number(x: &Tensor, n: i64) -> Result<Tensor> {
    let mut y = x.clone();
    for k in n {
        y += k;
    }
    Ok(y)
}

fn main() {}

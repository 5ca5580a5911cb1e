use extype::prelude::*;

#[tf_function]
pub fn tensor_as_usize(n: &Tensor, xs: &[Tensor]) -> Result<Tensor> {
    let mut y = scalar(0.0);
    for i in 0..n {
        y = y + &xs[i];
    }
    Ok(y)
}

fn main() {}

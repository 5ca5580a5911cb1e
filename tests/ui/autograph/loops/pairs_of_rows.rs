use extype::prelude::*;

#[tf_function]
pub fn pairs_of_rows(x: &Tensor, z: &Tensor) -> Result<Tensor> {
    let mut y = scalar(0.0);
    for (a, b) in x.zip(z) {
        y = y + a * b;
    }
    Ok(y)
}

fn main() {}

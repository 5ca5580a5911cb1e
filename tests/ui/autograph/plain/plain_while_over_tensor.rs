use extype::prelude::*;

#[tf_function]
pub fn plain_while_over_tensor(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    #[plain]
    while y > 0 {
        y = y - 1;
    }
    Ok(y)
}

fn main() {}

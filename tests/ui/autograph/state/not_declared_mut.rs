use extype::prelude::*;

#[tf_function]
pub fn not_declared_mut(x: &Tensor) -> Result<Tensor> {
    let y = x.clone();
    if x > 0 {
        y = x * 2;
    }
    Ok(y)
}

fn main() {}

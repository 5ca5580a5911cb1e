use extype::prelude::*;

#[tf_function]
pub fn shared_reference(n: &Tensor) -> Result<Tensor> {
    let mut y = n.clone();
    let r = &y;
    while y < 100 {
        y = r * 2;
    }
    Ok(y)
}

fn main() {}

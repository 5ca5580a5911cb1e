use extype::prelude::*;

#[tf_function]
pub fn bool_flag_from_tensor(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    let mut done = false;
    while !done {
        y = y * 2;
        done = y > 100;
    }
    Ok(y)
}

fn main() {}

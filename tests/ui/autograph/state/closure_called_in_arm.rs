use extype::prelude::*;

#[tf_function]
pub fn sets(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    let mut set = || y = scalar(5i64);
    if x > 0 {
        set();
    }
    Ok(y)
}

fn main() {}

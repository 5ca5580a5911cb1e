use extype::prelude::*;

struct Plain;

#[tf_function]
fn f(x: &Tensor) -> Result<Plain> {
    let _ = x;
    Ok(Plain)
}

fn main() {}

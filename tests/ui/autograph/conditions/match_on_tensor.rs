use extype::prelude::*;

#[tf_function]
pub fn match_on_tensor(x: &Tensor) -> Result<Tensor> {
    match x {
        0 => Ok(scalar(10i64)),
        1 => Ok(scalar(20i64)),
        _ => Ok(x * 2),
    }
}

fn main() {}

use extype::prelude::*;

#[tf_function]
pub fn match_range_on_tensor(x: &Tensor) -> Result<Tensor> {
    let y = x * 2;
    match y {
        0..=9 => Ok(x + 1),
        _ => Ok(x + 2),
    }
}

fn main() {}

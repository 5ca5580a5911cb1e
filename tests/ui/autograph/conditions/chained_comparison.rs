use extype::prelude::*;

#[tf_function]
pub fn chained_comparison(x: &Tensor) -> Result<Tensor> {
    if 0 < x < 10 { Ok(x + 1) } else { Ok(x * 2) }
}

fn main() {}

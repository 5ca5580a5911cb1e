use extype::prelude::*;

#[tf_function(autograph = no)]
pub fn autograph_no(x: &Tensor) -> Result<Tensor> {
    Ok(x * 2)
}

fn main() {}

use extype::prelude::*;

fn scaled(x: &Tensor, twice: bool) -> Result<Tensor> {
    if twice { Ok(x * 2) } else { Ok(x.clone()) }
}

#[tf_function]
pub fn tensor_as_bool_argument(x: &Tensor) -> Result<Tensor> {
    scaled(x, x > 3)
}

fn main() {}

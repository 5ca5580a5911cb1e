use extype::prelude::*;

#[tf_function]
pub fn option_as_condition(x: &Tensor, limit: Option<i64>) -> Result<Tensor> {
    if limit { Ok(x * 2) } else { Ok(x * 3) }
}

fn main() {}

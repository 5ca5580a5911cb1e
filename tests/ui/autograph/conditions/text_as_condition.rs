use extype::prelude::*;

#[tf_function]
pub fn text_as_condition(x: &Tensor, name: String) -> Result<Tensor> {
    if name { Ok(x * 2) } else { Ok(x * 3) }
}

fn main() {}

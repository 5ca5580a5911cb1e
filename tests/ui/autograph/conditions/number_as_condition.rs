use extype::prelude::*;

fn three() -> i64 {
    3
}

#[tf_function]
pub fn number_as_condition(x: &Tensor) -> Result<Tensor> {
    if three() { Ok(x * 2) } else { Ok(x * 3) }
}

fn main() {}

use extype::prelude::*;

#[tf_function]
pub fn result_as_condition(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    while y.reduce_any(.., false) {
        y = y * 2;
    }
    Ok(y)
}

fn main() {}

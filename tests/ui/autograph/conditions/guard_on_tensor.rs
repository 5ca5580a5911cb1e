use extype::prelude::*;

#[tf_function]
pub fn guard_on_tensor(x: &Tensor, best: Option<i64>) -> Result<Tensor> {
    match best {
        Some(b) if x > b => Ok(x * 2),
        _ => Ok(x * 3),
    }
}

fn main() {}

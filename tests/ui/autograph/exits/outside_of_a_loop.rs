use extype::prelude::*;

#[tf_function]
pub fn outside_of_a_loop(x: &Tensor) -> Result<Tensor> {
    if x > 0 {
        continue;
    }
    Ok(x.clone())
}

fn main() {}

use extype::prelude::*;

#[tf_function]
pub fn set_in_a_loop_of_tensors(n: &Tensor) -> Result<Tensor> {
    let mut seen = std::collections::HashSet::new();
    let mut y = n.clone();
    while y > 1 {
        seen.insert(seen.len());
        y = y / 2;
    }
    Ok(y + seen.len() as i64)
}

fn main() {}

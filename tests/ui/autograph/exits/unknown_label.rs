use extype::prelude::*;

#[tf_function]
pub fn unknown_label(n: &Tensor) -> Result<Tensor> {
    let mut y = n.clone();
    while y < 100 {
        if y == 64 {
            break 'outer;
        }
        y = y * 2;
    }
    Ok(y)
}

fn main() {}

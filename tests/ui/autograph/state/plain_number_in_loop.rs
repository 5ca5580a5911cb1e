use extype::prelude::*;

#[tf_function]
pub fn plain_number_in_loop(n: &Tensor) -> Result<Tensor> {
    let mut x = n.clone();
    let mut count = 0i64;
    while x > 1 {
        x = x / 2;
        count += 1;
    }
    Ok(x + count)
}

fn main() {}

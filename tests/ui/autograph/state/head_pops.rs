use extype::prelude::*;

#[tf_function]
pub fn pops(x: &Tensor) -> Result<Tensor> {
    let mut stack = vec![x.clone(), x + 1];
    let mut sum = scalar(0i64);
    while let Some(t) = stack.pop() {
        if t > 3 {
            break;
        }
        sum += t;
    }
    Ok(sum + stack.len() as i64)
}

fn main() {}

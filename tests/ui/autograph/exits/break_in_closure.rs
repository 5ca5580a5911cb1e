use extype::prelude::*;

#[tf_function]
pub fn in_a_closure(x: &Tensor, n: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    for i in 0..n {
        let bounded = |y: &Tensor| {
            if y > 10 {
                break;
            }
            y + &i
        };
        y = bounded(&y);
    }
    Ok(y)
}

fn main() {}

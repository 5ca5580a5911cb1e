use extype::prelude::*;

#[tf_function]
pub fn goes_on(x: &Tensor) -> Result<Tensor> {
    let list = [x.clone(), x + 1];
    let mut items = list.iter();
    let mut sum = scalar(0i64);
    for t in items.by_ref() {
        if t > 3 {
            break;
        }
        sum += t;
    }
    for t in items {
        sum -= t;
    }
    // What is only gone over is as it was.
    let mut cells = vec![x.clone()];
    for t in &mut cells {
        if &*t > 3 {
            break;
        }
        *t += 1;
    }
    Ok(sum + &cells[0])
}

fn main() {}

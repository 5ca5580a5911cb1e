use extype::prelude::*;

#[tf_function]
fn skipping(x: &Tensor) -> Result<Tensor> {
    macro_rules! skip {
        () => {
            continue
        };
    }
    let mut s = x.clone();
    for k in 0..3 {
        if x > k {
            skip!();
        }
        s += k;
    }
    Ok(s)
}

fn main() {}

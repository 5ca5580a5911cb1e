use extype::prelude::*;

#[tf_function]
pub fn plain_with_words(x: &Tensor, n: i64) -> Result<Tensor> {
    let mut y = x.clone();
    #[plain(always)]
    if n > 0 {
        y = y * 2;
    }
    if x > 0 {
        y = -y;
    }
    Ok(y)
}

fn main() {}

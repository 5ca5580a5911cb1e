use extype::prelude::*;

#[tf_function]
pub fn labelled_block(x: &Tensor) -> Result<Tensor> {
    let y = 'found: {
        if x > 0 {
            break 'found x * 2;
        }
        x - 1
    };
    Ok(y)
}

fn main() {}

use extype::prelude::*;

#[tf_function]
fn clamped(x: &Tensor, most: &Tensor) -> Result<Tensor> {
    let mut x = x.clone();
    for _ in 0..3 {
        let place = &mut x;
        if *place > *most {
            *place -= 3;
            continue;
        }
        *place += 2;
    }
    Ok(x)
}

fn main() {}

use extype::prelude::*;

fn sum(x: &Tensor) -> Result<Tensor> {
    let y = (x + 1.0)?;
    Ok(y)
}

fn main() {}

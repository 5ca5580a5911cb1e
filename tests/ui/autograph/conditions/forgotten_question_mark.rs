use extype::prelude::*;

#[tf_function]
fn positive(x: &Tensor) -> Result<Tensor> {
    if x.sum(..) > 0.0 { Ok(x.clone()) } else { Ok(-x) }
}

fn main() {}

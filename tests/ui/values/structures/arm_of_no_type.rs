use extype::prelude::*;

fn used(p: &Tensor, x: &Tensor) -> Result<Tensor> {
    cond(p, || Ok(x.clone()), || Err(Error::invalid("too small")))
}

fn main() {}

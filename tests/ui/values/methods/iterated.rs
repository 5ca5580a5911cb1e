use extype::prelude::*;

fn first(x: &Tensor) -> Result<Tensor> {
    let rows = x.iter();
    rows
}

fn main() {}

use extype::prelude::*;

#[derive(Module)]
struct Model {
    w: Variable,
    part: fn(&Tensor) -> Result<Tensor>,
}

fn main() {}

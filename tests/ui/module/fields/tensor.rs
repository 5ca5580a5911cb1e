use extype::prelude::*;

#[derive(Module)]
struct Model {
    w: Variable,
    part: Tensor,
}

fn main() {}

use extype::prelude::*;

#[derive(Module)]
struct Model {
    w: Variable,
    part: Function<Tensor, Tensor>,
}

fn main() {}

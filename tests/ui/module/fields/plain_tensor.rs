use extype::prelude::*;

#[derive(Module)]
struct Model {
    #[plain]
    w: Tensor,
}

fn main() {}

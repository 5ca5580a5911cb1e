use extype::prelude::*;

#[derive(Module)]
#[module(name = "model")]
struct Model {
    w: Variable,
}

fn main() {}

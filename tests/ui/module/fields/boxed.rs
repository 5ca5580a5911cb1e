use extype::prelude::*;

#[derive(Module)]
struct Model {
    w: Variable,
    part: Option<Box<Model>>,
}

fn main() {}

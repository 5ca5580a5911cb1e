use extype::prelude::*;

#[derive(Module, Clone)]
struct Model {
    w: Variable,
    units: usize,
}

fn main() {}

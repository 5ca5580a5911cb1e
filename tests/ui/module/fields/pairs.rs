use extype::prelude::*;

#[derive(Module)]
struct Model {
    w: Vec<(Variable, Variable)>,
}

fn main() {}

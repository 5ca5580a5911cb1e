use extype::prelude::*;

#[derive(Module)]
struct Model {
    w: Variable,
    part: std::collections::HashMap<String, Variable>,
}

fn main() {}

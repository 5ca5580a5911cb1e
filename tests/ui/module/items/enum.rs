use extype::prelude::*;

#[derive(Module)]
enum Model {
    Linear(Variable),
}

fn main() {}

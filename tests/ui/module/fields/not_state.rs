use extype::prelude::*;

struct Config;

#[derive(Module)]
struct Model {
    w: Variable,
    config: Config,
}

fn main() {}

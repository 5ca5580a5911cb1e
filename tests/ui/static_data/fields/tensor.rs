use extype::prelude::*;

#[derive(StaticData)]
struct Config {
    values: Vec<Tensor>,
}

fn main() {}

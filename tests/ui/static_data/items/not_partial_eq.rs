use extype::prelude::*;

#[derive(StaticData, Clone)]
enum Mode {
    Train,
}

fn main() {}

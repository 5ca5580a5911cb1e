use extype::prelude::*;

#[derive(StaticData, Debug, PartialEq)]
enum Mode {
    Train,
}

fn main() {}

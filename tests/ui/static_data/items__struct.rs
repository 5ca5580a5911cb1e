use extype::prelude::*;

#[derive(StaticData, Clone, PartialEq)]
struct Mode {
    rate: u8,
}

fn main() {}

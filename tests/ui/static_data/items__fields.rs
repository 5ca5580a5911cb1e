use extype::prelude::*;

#[derive(StaticData, Clone, PartialEq)]
enum Mode {
    Train,
    Rate(u8),
}

fn main() {}

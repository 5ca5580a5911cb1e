use extype::prelude::*;

#[derive(StaticData, Clone, PartialEq)]
#[static_data(rename = "x")]
enum Mode {
    Train,
}

fn main() {}

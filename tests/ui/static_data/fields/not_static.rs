use extype::prelude::*;

#[derive(StaticData, Clone, PartialEq)]
struct Config {
    size: i64,
    plain: Plain,
}

#[derive(Clone, PartialEq)]
struct Plain;

fn main() {}

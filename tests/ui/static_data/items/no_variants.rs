use extype::prelude::*;

#[derive(StaticData, Clone, PartialEq)]
enum Never {}

fn main() {}

use extype::prelude::*;

#[derive(StaticData, Clone, PartialEq)]
struct Name<'a> {
    name: &'a str,
}

fn main() {}

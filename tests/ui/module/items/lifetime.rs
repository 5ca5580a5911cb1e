use extype::prelude::*;

#[derive(Module)]
struct Model<'a> {
    name: &'a str,
}

fn main() {}

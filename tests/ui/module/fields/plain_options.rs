use extype::prelude::*;

#[derive(Module)]
struct Model {
    #[plain(key)]
    units: i64,
}

fn main() {}

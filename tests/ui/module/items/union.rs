use extype::prelude::*;

#[derive(Module)]
union Model {
    units: u64,
}

fn main() {}

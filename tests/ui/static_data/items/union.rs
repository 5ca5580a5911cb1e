use extype::prelude::*;

#[derive(StaticData)]
union Bits {
    a: u32,
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType)]
union Either {
    a: u32,
    b: u64,
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType)]
struct Masked {
    values: Tensor,
    other: *const u8,
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType)]
struct Masked {
    values: [Tensor],
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
#[static_data]
struct Masked {
    values: Tensor,
}

fn main() {}

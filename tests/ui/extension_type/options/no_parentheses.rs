use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
#[extension_type]
struct Masked {
    values: Tensor,
}

fn main() {}

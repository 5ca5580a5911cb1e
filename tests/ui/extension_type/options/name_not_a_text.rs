use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = 3)]
struct Masked {
    values: Tensor,
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(default)]
struct Masked {
    values: Tensor,
}

fn main() {}

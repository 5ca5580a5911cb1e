use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "Masked")]
struct Masked {
    values: Tensor,
}

fn main() {}

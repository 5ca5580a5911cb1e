use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = )]
struct Masked {
    values: Tensor,
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(validate)]
struct Masked {
    values: Tensor,
}

fn main() {}

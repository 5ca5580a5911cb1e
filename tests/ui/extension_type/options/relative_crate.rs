use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(crate = super::extype)]
struct Masked {
    values: Tensor,
}

fn main() {}

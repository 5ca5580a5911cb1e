use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "my.Masked", name = "my.Other")]
struct Masked {
    values: Tensor,
}

fn main() {}

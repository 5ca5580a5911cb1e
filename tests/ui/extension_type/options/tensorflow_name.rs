use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(__name__ = "my.Masked")]
struct Masked {
    values: Tensor,
}

fn main() {}

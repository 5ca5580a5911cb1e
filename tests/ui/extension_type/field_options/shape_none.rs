use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    #[extension_type(shape = [None, 3])]
    other: Tensor,
}

fn main() {}

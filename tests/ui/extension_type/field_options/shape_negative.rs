use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    #[extension_type(shape = [-1, 3])]
    values: Tensor,
}

fn main() {}

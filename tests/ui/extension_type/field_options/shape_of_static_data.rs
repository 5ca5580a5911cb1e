use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    #[extension_type(shape = [2])]
    other: Shape,
}

fn main() {}

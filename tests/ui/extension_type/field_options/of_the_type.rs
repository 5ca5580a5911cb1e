use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    #[extension_type(name = "a.B")]
    other: Tensor,
}

fn main() {}

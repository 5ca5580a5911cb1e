use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    #[extension_type(dtype(f32))]
    other: Tensor,
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    #[static_data]
    other: Variable,
}

fn main() {}

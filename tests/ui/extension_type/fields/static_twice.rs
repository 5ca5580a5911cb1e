use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    #[static_data]
    #[static_data]
    other: i64,
}

fn main() {}

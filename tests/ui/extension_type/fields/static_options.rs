use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    #[static_data(name = "x")]
    other: i64,
}

fn main() {}

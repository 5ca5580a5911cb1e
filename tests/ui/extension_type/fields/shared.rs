use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    other: std::sync::Arc<Tensor>,
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    other: std::collections::HashSet<String>,
}

fn main() {}

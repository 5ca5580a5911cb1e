use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    other: std::collections::BTreeMap<Tensor, i64>,
}

fn main() {}

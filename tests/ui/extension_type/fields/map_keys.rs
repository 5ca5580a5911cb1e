use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    other: std::collections::BTreeMap<i64, Tensor>,
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Tags {
    values: Tensor,
    by_name: std::collections::BTreeMap<String, i64>,
}

fn change(tags: &Tags) {
    tags.by_name["a"] = 2;
}

fn main() {}

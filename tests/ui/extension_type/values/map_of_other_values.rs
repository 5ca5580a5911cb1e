use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Tags {
    values: Tensor,
    by_name: std::collections::BTreeMap<String, i64>,
}

fn make() -> Result<Tags> {
    Tags::new(1.0f32, std::collections::BTreeMap::from([("a".to_string(), "b")]))
}

fn main() {}

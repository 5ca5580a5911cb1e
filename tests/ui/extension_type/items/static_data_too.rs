use extype::prelude::*;

#[derive(ExtensionType, StaticData, Clone, Debug, PartialEq)]
struct Window {
    size: i64,
}

fn main() {}

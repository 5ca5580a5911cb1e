use extype::prelude::*;
use std::collections::HashMap;

#[derive(ExtensionType, Clone, Debug)]
struct Table {
    columns: HashMap<i32, Tensor>,
}

fn main() {}

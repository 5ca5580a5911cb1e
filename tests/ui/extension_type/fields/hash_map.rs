use extype::prelude::*;
use std::collections::HashMap;

#[derive(ExtensionType, Clone, Debug)]
struct Graph {
    nodes: HashMap<String, Tensor>,
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Table {
    cells: Tensor,
    weights: Vec<f32>,
}

fn main() {}

use extype::prelude::*;

#[derive(Clone, Debug)]
struct Plain;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    other: Vec<Plain>,
}

fn main() {}

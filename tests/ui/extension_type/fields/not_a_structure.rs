use extype::prelude::*;

#[derive(Clone, Debug)]
struct Plain;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    plain: Plain,
}

fn main() {}

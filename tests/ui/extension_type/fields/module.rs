use extype::prelude::*;

#[derive(Module, Clone, Debug)]
struct Model {
    w: Variable,
}

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    model: Model,
}

fn main() {}

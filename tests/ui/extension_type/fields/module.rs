use extype::prelude::*;

#[derive(Module, Clone, Debug)]
#[module(shared_clone)]
struct Model {
    w: Variable,
}

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    model: Model,
}

fn main() {}

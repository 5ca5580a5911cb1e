use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    type_spec: Tensor,
}

fn main() {}

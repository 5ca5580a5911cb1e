use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Lazy {
    values: Tensor,
    map: fn(&Tensor) -> Tensor,
}

fn main() {}

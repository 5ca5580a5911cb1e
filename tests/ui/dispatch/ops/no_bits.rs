use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

fn used(x: &Masked) {
    let _ = x ^ x;
}

fn main() {}

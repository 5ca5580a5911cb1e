use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

fn used(x: &Masked) {
    let _ = 2.0 * x;
}

fn main() {}

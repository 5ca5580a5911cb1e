use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

fn used(t: &Tensor, x: &Masked) {
    let _ = t + x;
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

fn used(x: &Masked) {
    let _ = ops::concat(&[x, x], 0);
}

fn main() {}

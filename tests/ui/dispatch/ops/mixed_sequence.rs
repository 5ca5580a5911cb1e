use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

fn used(t: &Tensor, x: &Masked) {
    let _ = ops::concat((t, x), 0);
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

fn used(x: &Masked) {
    let _ = ops::select(true, x, x);
}

fn main() {}

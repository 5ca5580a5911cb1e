use extype::prelude::*;

#[derive(ExtensionType)]
struct Masked {
    values: Tensor,
    other: Box<dyn Fn(i64) -> i64>,
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType)]
struct Masked {
    values: Tensor,
    other: std::sync::atomic::AtomicUsize,
}

fn main() {}

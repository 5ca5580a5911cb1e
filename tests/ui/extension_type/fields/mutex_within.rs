use extype::prelude::*;

#[derive(ExtensionType)]
struct Masked {
    values: Tensor,
    other: Vec<std::sync::Mutex<Tensor>>,
}

fn main() {}

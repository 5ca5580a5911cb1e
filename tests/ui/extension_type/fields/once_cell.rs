use extype::prelude::*;

#[derive(ExtensionType)]
struct Masked {
    values: Tensor,
    other: Option<std::cell::OnceCell<Tensor>>,
}

fn main() {}

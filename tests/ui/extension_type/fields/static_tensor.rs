use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    #[static_data]
    values: Vec<Tensor>,
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
enum Encoding {
    #[static_data]
    Dense(Tensor),
    Empty,
}

fn main() {}

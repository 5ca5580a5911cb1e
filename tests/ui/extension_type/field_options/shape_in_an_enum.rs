use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
enum Encoding {
    Dense(#[extension_type(shape = [2])] Tensor),
    Empty,
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(validate)]
enum Encoding {
    Dense(Tensor),
}

fn main() {}

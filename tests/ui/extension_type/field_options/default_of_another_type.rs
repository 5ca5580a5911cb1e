use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    #[extension_type(default = "x")]
    other: i64,
}

fn main() {}

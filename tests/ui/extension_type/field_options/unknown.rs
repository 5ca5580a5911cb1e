use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    #[extension_type(defautl = 3)]
    other: i64,
}

fn main() {}

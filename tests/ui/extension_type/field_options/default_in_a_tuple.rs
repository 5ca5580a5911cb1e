use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked(Tensor, #[extension_type(default)] i64);

fn main() {}

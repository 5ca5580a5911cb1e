use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    path: std::path::PathBuf,
}

fn main() {}

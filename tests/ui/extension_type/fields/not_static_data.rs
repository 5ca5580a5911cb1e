use extype::prelude::*;

#[derive(Clone, Debug, PartialEq)]
struct Plain;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    #[static_data]
    plain: Plain,
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct View<'a> {
    values: &'a Tensor,
}

fn main() {}

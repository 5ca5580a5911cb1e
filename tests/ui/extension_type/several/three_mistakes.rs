use extype::prelude::*;
use std::collections::HashSet;

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(nmae = "my.Masked")]
struct Masked {
    nodes: HashSet<Tensor>,
    type_spec: Tensor,
}

fn main() {}

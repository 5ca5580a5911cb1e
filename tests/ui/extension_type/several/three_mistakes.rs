use extype::prelude::*;
use std::collections::HashMap;

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(nmae = "my.Masked")]
struct Masked {
    nodes: HashMap<String, Tensor>,
    type_spec: Tensor,
}

fn main() {}

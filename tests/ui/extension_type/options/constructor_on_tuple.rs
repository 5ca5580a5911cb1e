use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(constructor = make)]
struct Masked(Tensor);

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(spec = MaskedSpec)]
struct Masked {
    values: Tensor,
}

#[derive(Clone, Debug)]
struct MaskedSpec {
    values: TensorSpec,
}

fn main() {}

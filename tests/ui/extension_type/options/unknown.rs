use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(nmae = "my.Masked")]
struct Masked {
    values: Tensor,
}

fn used(m: &Masked) -> MaskedSpec {
    m.type_spec()
}

fn main() {}

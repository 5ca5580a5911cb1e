use extype::Tensor;

#[derive(extype::ExtensionType)]
#[extension_type(structure = none)]
struct Rows {
    values: Tensor,
}

fn main() {}

use extype::Tensor;

#[derive(extype::ExtensionType)]
#[extension_type(stackable)]
struct Rows {
    values: Tensor,
    splits: Tensor,
}

fn main() {}

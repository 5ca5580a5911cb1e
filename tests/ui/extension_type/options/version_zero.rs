use extype::Tensor;

#[derive(extype::ExtensionType)]
#[extension_type(name = "ui.Rows", version = 0)]
struct Rows {
    values: Tensor,
}

fn main() {}

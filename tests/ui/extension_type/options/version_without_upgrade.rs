use extype::Tensor;

#[derive(extype::ExtensionType)]
#[extension_type(name = "ui.Rows", version = 2)]
struct Rows {
    values: Tensor,
}

fn main() {}

use extype::Tensor;

#[derive(extype::ExtensionType)]
#[extension_type(name = "ui.Rows", version = 2, upgrade(1 = none, 2 = none))]
struct Rows {
    values: Tensor,
}

fn main() {}

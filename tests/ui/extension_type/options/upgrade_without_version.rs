use extype::Tensor;

#[derive(extype::ExtensionType)]
#[extension_type(name = "ui.Rows", upgrade(1 = none))]
struct Rows {
    values: Tensor,
}

fn main() {}

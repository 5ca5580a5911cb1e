use extype::{Result, Tensor};

#[derive(extype::ExtensionType)]
struct First {
    values: Tensor,
}

#[derive(extype::ExtensionType)]
#[extension_type(name = "ui.Rows", version = 2, upgrade(1 = of_first))]
struct Rows {
    values: Tensor,
}

fn of_first(old: First) -> Result<First> {
    Ok(old)
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Named {
    a: i64,
    #[extension_type(default = "x")]
    b: String,
    c: Tensor,
}

fn make() -> Result<Named> {
    Named::new(1, "y", [2.0f32])
}

fn main() {}

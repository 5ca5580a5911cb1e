use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Default for Masked {
    fn default() -> Self {
        Self { values: scalar(0.0f32) }
    }
}

fn main() {}

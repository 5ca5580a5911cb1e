use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    axis: i64,
    #[static_data]
    scale: f64,
    window: (i64, String),
}

fn change(masked: &Masked) {
    masked.axis = 1;
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    axis: i64,
    #[static_data]
    scale: f64,
    window: (i64, String),
}

fn make(mut masked: Masked) -> Masked {
    masked.extra = 1;
    masked
}

fn main() {}

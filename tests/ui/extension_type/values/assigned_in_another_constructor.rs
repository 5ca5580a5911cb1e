use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    axis: i64,
    #[static_data]
    scale: f64,
    window: (i64, String),
}

fn make(masked: Masked) -> Result<Masked> {
    masked.axis = 1;
    Ok(masked)
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    axis: i64,
    #[static_data]
    scale: f64,
    window: (i64, String),
}

fn make(window: (i64, String)) -> Result<Masked> {
    Masked::new(Plain, 3, 2.0, window)
}

struct Plain;

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
    axis: i64,
    #[static_data]
    scale: f64,
    window: (i64, String),
}

fn make() -> Result<Masked> {
    Masked::new(1.0f32, 3, 2.0, (1,))
}

fn main() {}

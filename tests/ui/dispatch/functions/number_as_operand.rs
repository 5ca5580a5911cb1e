use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Degrees {
    values: Tensor,
}

#[dispatch]
impl Degrees {
    #[overrides(greater)]
    fn greater(x: &Self, y: f64) -> Result<Tensor> {
        ops::greater(&x.values, y)
    }
}

fn main() {}

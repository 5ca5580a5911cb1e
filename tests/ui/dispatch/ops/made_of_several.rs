use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(tensordot)]
    fn variance(x: &Self) -> Result<Self> {
        Ok(x.clone())
    }
}

fn main() {}

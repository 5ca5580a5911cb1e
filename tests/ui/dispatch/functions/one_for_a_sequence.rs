use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(concat)]
    fn concat(x: &Self, _axis: Axis) -> Result<Self> {
        Ok(x.clone())
    }
}

fn main() {}

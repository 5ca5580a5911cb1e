use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(cumsum)]
    fn cumsum(x: &Self, _axes: Axis, _exclusive: bool, _reverse: bool) -> Result<Self> {
        Ok(x.clone())
    }
}

fn main() {}

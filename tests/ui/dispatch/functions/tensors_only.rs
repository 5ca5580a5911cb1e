use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(NoOp)]
    fn nothing(x: &Self) -> Result<Self> {
        Ok(x.clone())
    }
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

impl Masked {
    #[overrides(tanh)]
    fn tanh(x: &Self) -> Result<Self> {
        Ok(x.clone())
    }
}

fn main() {}

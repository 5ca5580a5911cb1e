use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(tanh)]
    fn tanh(x: &Self) -> Result<Self> {
        Ok(x.clone())
    }

    #[overrides(Tanh)]
    fn other(x: &Self) -> Result<Self> {
        Ok(x.clone())
    }
}

fn main() {}

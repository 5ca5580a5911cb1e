use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(Tanh)]
    fn tanh(self) -> Result<Self> {
        Ok(self)
    }
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(ops::Tanh, in unary_elementwise)]
    fn tanh(x: &Self) -> Result<Self> {
        Ok(x.clone())
    }
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(tanh)]
    fn tanh(_: &[&Self]) -> Result<Self> {
        Self::new([1.0])
    }
}

fn main() {}

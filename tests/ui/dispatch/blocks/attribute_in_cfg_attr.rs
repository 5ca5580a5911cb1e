use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[cfg_attr(all(), overrides(neg))]
    fn neg(x: &Self) -> Result<Self> {
        Ok(x.clone())
    }
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(neg)]
    fn neg(x: &Self) -> Result<impl Structure> {
        Ok(x.clone())
    }
}

fn main() {}

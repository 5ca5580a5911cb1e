use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(neg)]
    fn neg<'a>(x: &'a Self) -> Result<&'a Self> {
        Ok(x)
    }
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

impl Validate for Masked {
    fn validate(&self) -> Result<()> {
        Ok(())
    }
}

fn main() {}

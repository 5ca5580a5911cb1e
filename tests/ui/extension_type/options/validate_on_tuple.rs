use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(validate)]
struct Masked(Tensor);

impl Validate for Masked {
    fn validate(&self) -> Result<()> {
        Ok(())
    }
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(validate)]
enum Encoding {
    Dense(Tensor),
}

impl Validate for Encoding {
    fn validate(&self) -> Result<()> {
        Ok(())
    }
}

fn main() {}

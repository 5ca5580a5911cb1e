use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(neg)]
    fn neg(&mut self) -> Result<Self> {
        Ok(self.clone())
    }
}

fn main() {}

use extype::prelude::*;

#[dispatch]
impl Tensor {
    #[overrides(neg)]
    fn neg(x: &Self) -> Result<Self> {
        Ok(x.clone())
    }
}

fn main() {}

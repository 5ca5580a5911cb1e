use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(MatMul)]
    fn matmul(a: &Self, _: &Self, _: &Self, _: &Self) -> Result<Self> {
        Ok(a.clone())
    }
}

fn main() {}

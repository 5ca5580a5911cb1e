use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(ops::MatMul)]
    fn matmul(x: &Self, y: &Self, transpose: bool) -> Result<Self> {
        let _ = (transpose, y);
        Ok(x.clone())
    }
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(MatMul)]
    fn matmul(operands: Pair<'_, Tensor, Self>) -> Result<Self> {
        unimplemented!("{:?}", operands)
    }
}

fn main() {}

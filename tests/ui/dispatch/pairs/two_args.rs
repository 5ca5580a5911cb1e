use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(MatMul, with = Tensor)]
    fn matmul(x: ops::Arg<'_, Self, Tensor>, y: ops::Arg<'_, Self, Tensor>) -> Result<Self> {
        unimplemented!("{:?}", (x, y))
    }
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(reduction)]
    fn reduce(op: impl UnaryOp, x: &Self) -> Result<Self> {
        Ok(Self { values: op.call(&x.values)? })
    }
}

fn main() {}

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
        Ok(Masked { values: op.call(&x.values)? })
    }

    #[overrides(tanh)]
    fn tanh(x: &Self) -> Result<Self> {
        Ok(x.clone())
    }
}

fn main() {}

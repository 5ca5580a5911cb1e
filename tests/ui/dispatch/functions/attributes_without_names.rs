#![allow(unused_variables)]

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(matmul)]
    fn matmul(x: &Self, y: &Self, _: bool, _: bool) -> Result<Self> {
        Ok(x.clone())
    }
}

fn main() {}

#![allow(unused_variables)]

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(AddAssign)]
    fn added(x: &Self, y: &Self) -> Result<Self> {
        Ok(x.clone())
    }
}

fn main() {}

#![allow(unused_variables)]

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(add, with = Tensr)]
    fn add(operands: Pair<'_, Self, Tensor>) -> Result<Self> {
        Ok(Masked { values: scalar(0.0f32) })
    }
}

fn main() {}

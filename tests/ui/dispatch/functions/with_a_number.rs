#![allow(unused_variables)]

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(add, with = f32)]
    fn add(operands: Pair<'_, Self, f32>) -> Result<Self> {
        Ok(Masked { values: scalar(0.0f32) })
    }
}

fn main() {}

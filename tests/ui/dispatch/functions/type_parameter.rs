#![allow(unused_variables)]

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(add)]
    fn add<T: Structure>(x: &Self, y: &T) -> Result<Self> {
        Ok(x.clone())
    }
}

fn main() {}

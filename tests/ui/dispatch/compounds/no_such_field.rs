//! A field that stands in and does not exist.

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Measure {
    values: Tensor,
}

#[dispatch(stand_in = value)]
impl Measure {}

fn main() {}

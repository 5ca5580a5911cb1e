//! `in body` of a type whose instances are not known.

use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Named<V> {
    values: V,
}

#[dispatch]
impl<V: Structure + Clone> Named<V> {
    #[overrides(ptp, in body)]
    fn ptp(x: &Self, _options: &ops::options::Over) -> Result<Self> {
        Ok(x.clone())
    }
}

fn main() {}

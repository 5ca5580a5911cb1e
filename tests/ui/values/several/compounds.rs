//! A function made of several ops, of types that lack one.

use extype::prelude::*;

/// Numbers in a unit.
#[derive(ExtensionType, Clone, Debug)]
struct Measure {
    values: Tensor,
}

#[dispatch(stand_in = values)]
impl Measure {
    #[overrides(reduction)]
    fn reduce(op: impl ReductionOp, x: &Self) -> Result<Self> {
        Ok(Self { values: op.call(&x.values)? })
    }

    #[overrides(sub)]
    fn sub(x: &Self, y: &Self) -> Result<Self> {
        Ok(Self { values: ops::sub(&x.values, &y.values)? })
    }
}

/// Without a stand-in.
#[derive(ExtensionType, Clone, Debug)]
struct Bare {
    values: Tensor,
}

fn function(x: &Measure) -> Result<Measure> {
    ops::var(x, ..)
}

fn method(x: &Measure) -> Result<Measure> {
    x.var(..)
}

fn two(x: &Measure) -> Result<Measure> {
    ops::isclose(x, 1.0, ..)
}

fn bare(x: &Bare) -> Result<Bare> {
    x.ptp(..)
}

fn by_name_only(x: &Measure) -> Result<Measure> {
    ops::median(x, ..)
}

fn main() {}

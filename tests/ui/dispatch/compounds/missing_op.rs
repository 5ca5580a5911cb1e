//! A function made of several ops, of a type that lacks one.

use extype::prelude::*;

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

fn spread(x: &Measure) -> Result<Measure> {
    x.var(..)
}

fn main() {}

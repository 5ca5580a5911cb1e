//! Stacks of stacks of matrices.

use crate::ops::rules::batch::{Batch, Batched, leading};
use crate::ops::rules::folded::first_of_each;
use crate::types::Result;

/// Values, with vectors or with the placeholder for them, which is the same in all calls.
pub(in crate::ops) fn values(b: &Batch<'_>, vectors: bool) -> Result<Batched> {
    let found = leading(b)?;
    Ok(if vectors { found } else { first_of_each(found) })
}

//! Batches of numbers and levels whose ranges, or whose scales and zero points, are the same in all calls.

use crate::ir::AttrKey;
use crate::ops::rules::batch::{Batch, Batched, broadcasting, moved};
use crate::ops::rules::folded::{first_of_each, stacks};
use crate::types::Result;

/// The rule of ops on these operands, whose ranges may have axes. The results behind the first tell a range.
pub(super) fn ranged(b: &Batch<'_>, operands: &[usize], axes: &[AttrKey<i64>]) -> Result<Batched> {
    let mut attrs = b.attrs.clone();
    for key in axes {
        // -1 is no axis: there is one range.
        attrs = attrs.with(*key, &moved(b.get(*key)?));
    }
    stacks(&Batch { attrs: &attrs, ..*b }, operands).map(first_of_each)
}

/// The rule of ops that find the range in the numbers, unless it is given.
pub(super) fn given(b: &Batch<'_>, is_given: bool, axis: AttrKey<i64>) -> Result<Batched> {
    if is_given { ranged(b, &[0], &[axis]) } else { Ok(None) }
}

/// The rule of ops on two operands that broadcast.
pub(super) fn of_two(b: &Batch<'_>) -> Result<Batched> {
    broadcasting(b, 2).map(first_of_each)
}

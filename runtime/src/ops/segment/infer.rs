//! Types of results: rows that share an id become one row.

use crate::ir::{InferContext, Types};
use crate::ops::indexing::infer::{behind, vector};
use crate::ops::rules::infer::one;
use crate::types::{Dim, Result, Shape, TensorType, bail, err};

/// A number that an input gives, which is not negative.
pub(in crate::ops) fn number(c: &InferContext<'_>, i: usize) -> Result<Dim> {
    c.shape(i).with_rank(0)?;
    let Some(n) = c.integers(i).and_then(|v| v.first().copied()) else { return Ok(Dim::UNKNOWN) };
    usize::try_from(n).map(Dim::from).map_err(|_| err!("the number of rows, {n}, is negative"))
}

/// Checks that these inputs are vectors of one length.
fn as_long(c: &InferContext<'_>, inputs: [usize; 2]) -> Result<()> {
    let [a, b] = inputs.map(|i| c.shape(i).with_rank(1));
    let (a, b) = (a?, b?);
    if !a.is_compatible_with(&b) {
        bail!("as many indices as segment ids are wanted, not shapes {a} and {b}");
    }
    Ok(())
}

/// `n` rows like those of the first input.
fn rows(c: &InferContext<'_>, n: Dim) -> Result<Shape> {
    let x = c.shape(0).with_rank_at_least(1)?;
    Ok(match x.rank() {
        Some(_) => vector(n).concatenate(&x.slice(Some(1), None)),
        None => x,
    })
}

/// Segments of rows whose ids ascend.
pub(in crate::ops) fn sorted(c: &InferContext<'_>) -> Result<Types> {
    c.shape(1).with_rank(1)?;
    behind(&c.shape(0).with_rank_at_least(1)?, c.shape(1))?;
    one(c.input(0).dtype, rows(c, Dim::UNKNOWN)?)
}

/// Segments of rows that indices pick.
pub(in crate::ops) fn picked(c: &InferContext<'_>) -> Result<Types> {
    as_long(c, [1, 2])?;
    let n = if c.inputs.len() > 3 { number(c, 3)? } else { Dim::UNKNOWN };
    one(c.input(0).dtype, rows(c, n)?)
}

/// The gradients of all rows, or of those that occur, with their numbers.
pub(in crate::ops) fn picked_unique(c: &InferContext<'_>) -> Result<Types> {
    as_long(c, [1, 2])?;
    number(c, 3)?;
    let numbers = TensorType::new(c.input(1).dtype, vector(Dim::UNKNOWN));
    let gradients = TensorType::new(c.input(0).dtype, rows(c, Dim::UNKNOWN)?);
    Ok([gradients, numbers].into_iter().collect())
}

pub(in crate::ops) fn unsorted(c: &InferContext<'_>) -> Result<Types> {
    let n = number(c, 2)?;
    let tail = behind(c.shape(0), c.shape(1))?;
    one(c.input(0).dtype, vector(n).concatenate(&tail))
}

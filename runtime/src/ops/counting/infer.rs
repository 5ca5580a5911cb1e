//! Output types of counts: bins, histograms, evenly spaced numbers.

use crate::ir::{InferContext, Types};
use crate::ops::rules::infer::one;
use crate::ops::{HistogramFixedWidth, RaggedRange};
use crate::types::{Dim, Result, Shape, TensorType, bail};

/// The size that input `i` holds, if it is known; an error below `least`.
fn size(c: &InferContext<'_>, i: usize, least: i64, what: &str) -> Result<Dim> {
    c.shape(i).with_rank(0)?;
    match c.integers(i).as_deref() {
        Some([n]) if *n < least => bail!("{what}: {n}; {least} at least is wanted"),
        Some([n]) => Ok(Dim::from(usize::try_from(*n).ok())),
        _ => Ok(Dim::UNKNOWN),
    }
}

fn vector(n: Dim) -> Shape {
    [n].into_iter().collect()
}

pub(in crate::ops) fn bincount(c: &InferContext<'_>) -> Result<Types> {
    one(c.input(2).dtype, vector(size(c, 1, 0, "number of bins")?))
}

pub(in crate::ops) fn dense_bincount(c: &InferContext<'_>) -> Result<Types> {
    let bins = vector(size(c, 1, 0, "number of bins")?);
    let shape = c.shape(0).with_rank_at_least(1)?.with_rank_at_most(2)?;
    let rows = shape.rank().map(|_| shape.slice(None, Some(-1)));
    one(c.input(2).dtype, rows.map_or(Shape::unknown(), |rows| rows.concatenate(&bins)))
}

pub(in crate::ops) fn histogram(c: &InferContext<'_>) -> Result<Types> {
    let range = c.shape(1).with_rank(1)?;
    if !range.dim(0)?.is_compatible_with(Dim::from(2)) {
        bail!("the range is two numbers, not of shape {range}");
    }
    one(c.get(HistogramFixedWidth::DTYPE)?, vector(size(c, 2, 1, "number of bins")?))
}

pub(in crate::ops) fn lin_space(c: &InferContext<'_>) -> Result<Types> {
    c.shape(0).with_rank(0)?;
    c.shape(1).with_rank(0)?;
    one(c.input(0).dtype, vector(size(c, 2, 1, "number of elements")?))
}

pub(in crate::ops) fn ragged_range(c: &InferContext<'_>) -> Result<Types> {
    let (mut rows, mut scalars) = (Shape::unknown(), 0);
    for (i, name) in ["starts", "limits", "deltas"].into_iter().enumerate() {
        let shape = c.shape(i).with_rank_at_most(1).map_err(|e| e.prefixed(name))?;
        match shape.rank() {
            Some(0) => scalars += 1,
            Some(_) => rows = rows.merge(&shape).map_err(|e| e.prefixed(name))?,
            None => {}
        }
    }
    let rows = match rows.dims() {
        Some(dims) => dims[0].size(),
        None if scalars == 3 => Some(1),
        None => None,
    };
    let splits =
        TensorType::new(c.get(RaggedRange::SPLITS_DTYPE)?, vector(Dim::from(rows.map(|n| n + 1))));
    Ok([splits, TensorType::new(c.input(0).dtype, Shape::of_rank(1))].into_iter().collect())
}

//! Output types of counts: bins, histograms, evenly spaced numbers.

use crate::ir::{InferContext, Types};
use crate::ops::indexing::infer::vector;
use crate::ops::rules::infer::one;
use crate::ops::{DenseCountSparseOutput, HistogramFixedWidth, RaggedRange};
use crate::types::{DType, Dim, Result, Shape, TensorType, bail};

/// The size that input `i` holds, if it is known; an error below `least`.
fn size(c: &InferContext<'_>, i: usize, least: i64, what: &str) -> Result<Dim> {
    c.shape(i).with_rank(0)?;
    match c.integers(i).as_deref() {
        Some([n]) if *n < least => bail!("{what}: {n}; {least} at least is wanted"),
        Some([n]) => Ok(Dim::from(usize::try_from(*n).ok())),
        _ => Ok(Dim::UNKNOWN),
    }
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

/// The rank and the number of rows of a sparse tensor whose sizes are an input, and checks of its indices and values.
fn sparse_rows(c: &InferContext<'_>) -> Result<(Option<usize>, Dim)> {
    let (indices, sizes) = (c.shape(0).with_rank(2)?, c.shape(2).with_rank(1)?);
    let values = c.shape(1).with_rank(1)?;
    let (n, rank) = (indices.dim(0)?, indices.dim(1)?);
    if !n.is_compatible_with(values.dim(0)?) || !rank.is_compatible_with(sizes.dim(0)?) {
        bail!(
            "indices {indices}, values {values} and sizes {sizes} do not belong to one sparse tensor"
        );
    }
    let rows = c.integers(2).and_then(|sizes| usize::try_from(*sizes.first()?).ok());
    Ok((rank.size().or(sizes.dim(0)?.size()), Dim::from(rows)))
}

pub(in crate::ops) fn sparse_bincount(c: &InferContext<'_>) -> Result<Types> {
    let bins = size(c, 3, 0, "number of bins")?;
    let (rank, rows) = sparse_rows(c)?;
    one(
        c.input(4).dtype,
        match rank {
            Some(1) => vector(bins),
            Some(_) => [rows, bins].into_iter().collect(),
            None => Shape::unknown(),
        },
    )
}

pub(in crate::ops) fn ragged_bincount(c: &InferContext<'_>) -> Result<Types> {
    let bins = size(c, 2, 0, "number of bins")?;
    let splits = c.shape(0).with_rank(1)?.dim(0)?.size();
    c.shape(1).with_rank(1)?;
    let rows = Dim::from(splits.and_then(|n| n.checked_sub(1)));
    one(c.input(3).dtype, [rows, bins].into_iter().collect())
}

/// A sparse tensor of counts, of this rank.
fn sparse_counts(c: &InferContext<'_>, rank: Option<usize>) -> Result<Types> {
    for key in [DenseCountSparseOutput::MINLENGTH, DenseCountSparseOutput::MAXLENGTH] {
        let n = c.get(key)?;
        if n < -1 {
            bail!("`{}` = {n}; -1 for no limit, or a number that is not negative", key.name());
        }
    }
    let (any, rank) = (Dim::UNKNOWN, Dim::from(rank));
    let counts = c.inputs[c.inputs.len() - 1].dtype;
    Ok([
        TensorType::new(DType::I64, [any, rank].into_iter().collect::<Shape>()),
        TensorType::new(counts, vector(any)),
        TensorType::new(DType::I64, vector(rank)),
    ]
    .into_iter()
    .collect())
}

pub(in crate::ops) fn count_dense(c: &InferContext<'_>) -> Result<Types> {
    let shape = c.shape(0).with_rank_at_least(1)?.with_rank_at_most(2)?;
    sparse_counts(c, shape.rank())
}

pub(in crate::ops) fn count_sparse(c: &InferContext<'_>) -> Result<Types> {
    let (rank, _) = sparse_rows(c)?;
    sparse_counts(c, rank.map(|rank| rank.min(2)))
}

pub(in crate::ops) fn count_ragged(c: &InferContext<'_>) -> Result<Types> {
    c.shape(0).with_rank(1)?;
    c.shape(1).with_rank(1)?;
    sparse_counts(c, Some(2))
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

pub(in crate::ops) fn repeated_places(c: &InferContext<'_>) -> Result<Types> {
    c.shape(0).with_rank(1)?;
    one(DType::I64, Shape::of_rank(1))
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

//! Output types of ordering ops: largest, smallest and distinct elements, indices into sorted rows.

use crate::ir::{InferContext, Types};
use crate::ops::rules::infer::one;
use crate::ops::scan::infer::axis;
use crate::ops::{ArgMax, LowerBound, TopK, Unique};
use crate::types::{DType, DTypeSet, Dim, Result, Shape, TensorType, bail, normalize_axis};

/// Checks `k`, the number of elements requested, against the number there are.
pub(in crate::ops) fn wanted(k: i64, of: Option<usize>) -> Result<usize> {
    match (usize::try_from(k), of) {
        (Err(_), _) => bail!("`k` = {k} is negative"),
        (Ok(k), Some(n)) if k > n => bail!("`k` is {k}, but the last axis has {n} elements"),
        (Ok(k), _) => Ok(k),
    }
}

pub(in crate::ops) fn top_k(c: &InferContext<'_>) -> Result<Types> {
    let shape = c.shape(0).with_rank_at_least(1)?;
    c.shape(1).with_rank(0)?;
    let count = match c.integers(1).as_deref() {
        Some([k]) => {
            let n = if shape.rank().is_some() { shape.dim(-1)?.size() } else { None };
            Dim::from(wanted(*k, n)?)
        }
        _ => Dim::UNKNOWN,
    };
    let shape = match shape.rank() {
        None => Shape::unknown(),
        Some(_) => shape.slice(None, Some(-1)).concatenate(&[count].into_iter().collect()),
    };
    let index = TensorType::new(c.get(TopK::INDEX_TYPE)?, shape.clone());
    Ok([TensorType::new(c.input(0).dtype, shape), index].into_iter().collect())
}

pub(in crate::ops) fn sort_rows(c: &InferContext<'_>) -> Result<Types> {
    one(c.input(0).dtype, c.shape(0).with_rank_at_least(1)?)
}

/// Checks `n`, an index into a row, against the length of the row.
pub(in crate::ops) fn place(n: i64, of: Option<usize>) -> Result<usize> {
    match (usize::try_from(n), of) {
        (Err(_), _) => bail!("`n` = {n} is negative"),
        (Ok(n), Some(len)) if n >= len => bail!("`n` = {n}, but the last axis has {len} elements"),
        (Ok(n), _) => Ok(n),
    }
}

pub(in crate::ops) fn nth_element(c: &InferContext<'_>) -> Result<Types> {
    let shape = c.shape(0).with_rank_at_least(1)?;
    c.shape(1).with_rank(0)?;
    let known = shape.rank().is_some();
    if let Some([n]) = c.integers(1).as_deref() {
        place(*n, if known { shape.dim(-1)?.size() } else { None })?;
    }
    let rows = if known { shape.slice(None, Some(-1)) } else { Shape::unknown() };
    one(c.input(0).dtype, rows)
}

pub(in crate::ops) fn arg_reduce(c: &InferContext<'_>) -> Result<Types> {
    /// The dtypes that indices can have, as in TensorFlow.
    const INDICES: DTypeSet = DTypeSet::of(&[DType::I16, DType::U16, DType::I32, DType::I64]);
    let dtype: DType = c.get(ArgMax::OUTPUT_TYPE)?;
    if !INDICES.contains(dtype) {
        bail!("`output_type` can't be {dtype}, only {INDICES}");
    }
    c.shape(1).with_rank(0).map_err(|e| e.prefixed("`dimension`"))?;
    let axis = axis(c)?;
    let Some(dims) = c.shape(0).dims() else { return one(dtype, Shape::unknown()) };
    match axis {
        Some(axis) => {
            let others = dims.iter().enumerate().filter(|(i, _)| *i != axis);
            one(dtype, others.map(|(_, d)| *d).collect())
        }
        None => one(dtype, Shape::of_rank(dims.len().saturating_sub(1))),
    }
}

/// The axis of `UniqueV2`, which may be left out for a vector.
pub(in crate::ops) fn unique_axis(axis: &[i64], rank: usize) -> Result<usize> {
    match *axis {
        [] if rank == 1 => Ok(0),
        [] => bail!("without an axis a vector is wanted, not rank {rank}"),
        [axis] => normalize_axis(axis, rank),
        _ => bail!("one axis or none, not {axis:?}"),
    }
}

fn distinct(c: &InferContext<'_>, values: Shape, ids: Shape, counts: bool) -> Result<Types> {
    let dtype = c.get(Unique::OUT_IDX)?;
    let mut types: Types = [TensorType::new(c.input(0).dtype, values), TensorType::new(dtype, ids)]
        .into_iter()
        .collect();
    if counts {
        types.push(TensorType::new(dtype, Shape::of_rank(1)));
    }
    Ok(types)
}

pub(in crate::ops) fn unique(c: &InferContext<'_>) -> Result<Types> {
    distinct(c, Shape::of_rank(1), c.shape(0).with_rank(1)?, false)
}

pub(in crate::ops) fn unique_with_counts(c: &InferContext<'_>) -> Result<Types> {
    distinct(c, Shape::of_rank(1), c.shape(0).with_rank(1)?, true)
}

fn along_axis(c: &InferContext<'_>, counts: bool) -> Result<Types> {
    c.shape(1).with_rank(1)?;
    let (Some(dims), Some(axis)) = (c.shape(0).dims(), c.integers(1)) else {
        let values = c.shape(0).rank().map_or(Shape::unknown(), Shape::of_rank);
        return distinct(c, values, Shape::of_rank(1), counts);
    };
    let axis = unique_axis(&axis, dims.len())?;
    let values = dims.iter().enumerate().map(|(i, d)| if i == axis { Dim::UNKNOWN } else { *d });
    distinct(c, values.collect(), [dims[axis]].into_iter().collect(), counts)
}

pub(in crate::ops) fn unique_v2(c: &InferContext<'_>) -> Result<Types> {
    along_axis(c, false)
}

pub(in crate::ops) fn unique_with_counts_v2(c: &InferContext<'_>) -> Result<Types> {
    along_axis(c, true)
}

pub(in crate::ops) fn list_diff(c: &InferContext<'_>) -> Result<Types> {
    c.shape(0).with_rank(1)?;
    c.shape(1).with_rank(1)?;
    distinct(c, Shape::of_rank(1), Shape::of_rank(1), false)
}

pub(in crate::ops) fn is_in(c: &InferContext<'_>) -> Result<Types> {
    one(DType::Bool, c.shape(0).clone())
}

pub(in crate::ops) fn bound(c: &InferContext<'_>) -> Result<Types> {
    let (sorted, values) = (c.shape(0).with_rank(2)?, c.shape(1).with_rank(2)?);
    if !sorted.dim(0)?.is_compatible_with(values.dim(0)?) {
        bail!("as many rows of values as sorted rows: {sorted} and {values}");
    }
    one(c.get(LowerBound::OUT_TYPE)?, c.shape(1).clone())
}

pub(in crate::ops) fn bucketize(c: &InferContext<'_>) -> Result<Types> {
    one(DType::I32, c.shape(0).clone())
}

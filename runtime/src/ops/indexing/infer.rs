//! Types of results: elements and slices picked and put by coordinates; indices, partitions.

use crate::ir::{InferContext, Types};
use crate::ops::rules::infer::{asked_shape, count, one};
use crate::ops::{DynamicPartition, Gather, OneHot, ShapeN};
use crate::types::{DType, Dim, Result, Shape, TensorType, bail, err, normalize_axis};

pub(in crate::ops) fn one_hot(c: &InferContext<'_>) -> Result<Types> {
    for i in 1..4 {
        c.shape(i).with_rank(0)?;
    }
    let dtype = c.input(2).dtype;
    let depth = match c.integers(1).as_deref() {
        Some([n]) => Dim::from(usize::try_from(*n).map_err(|_| err!("the depth {n} is negative"))?),
        _ => Dim::UNKNOWN,
    };
    let axis: i64 = c.get(OneHot::AXIS)?;
    if axis < -1 {
        bail!("axis {axis} is out of range: -1 or more is wanted");
    }
    match c.shape(0).rank() {
        Some(rank) => one(dtype, c.shape(0).insert(normalize_axis(axis, rank + 1)?, depth)),
        None => one(dtype, Shape::unknown()),
    }
}

pub(in crate::ops) fn invert_permutation(c: &InferContext<'_>) -> Result<Types> {
    one(c.input(0).dtype, c.shape(0).with_rank(1)?)
}

/// The axes of `shape` behind those of `first`, with which it must begin.
pub(in crate::ops) fn behind(shape: &Shape, first: &Shape) -> Result<Shape> {
    let (Some(rank), Some(own)) = (first.rank(), shape.rank()) else { return Ok(Shape::unknown()) };
    if own < rank {
        bail!("the first axes of {shape} must be those of {first}");
    }
    shape.slice(None, Some(rank as i64)).merge(first).map_err(|e| {
        e.prefixed(format_args!("the first axes of {shape} must be those of {first}"))
    })?;
    Ok(shape.slice(Some(rank as i64), None))
}

pub(in crate::ops) fn vector(n: Dim) -> Shape {
    [n].into_iter().collect()
}

pub(in crate::ops) fn dynamic_partition(c: &InferContext<'_>) -> Result<Types> {
    let n = count(c.attrs, DynamicPartition::NUM_PARTITIONS)?;
    if n == 0 {
        bail!("the number of partitions is 1 or more, not 0");
    }
    let shape = vector(Dim::UNKNOWN).concatenate(&behind(c.shape(0), c.shape(1))?);
    Ok((0..n).map(|_| TensorType::new(c.input(0).dtype, shape.clone())).collect())
}

/// The length of each of two equal lists that are given as one list of `count` tensors.
pub(in crate::ops) fn half(count: usize) -> Result<usize> {
    match (count, count % 2) {
        (0, _) => bail!("no tensors are given; one of indices and one of data at least"),
        (_, 0) => Ok(count / 2),
        _ => bail!("{count} tensors; as many of indices as of data are wanted"),
    }
}

pub(in crate::ops) fn dynamic_stitch(c: &InferContext<'_>) -> Result<Types> {
    let n = half(c.inputs.len())?;
    let (mut tail, mut last) = (Shape::unknown(), Some(-1i64));
    for i in 0..n {
        let behind =
            behind(c.shape(n + i), c.shape(i)).map_err(|e| e.prefixed(format_args!("data {i}")))?;
        tail = tail.merge(&behind).map_err(|e| e.prefixed(format_args!("data {i}")))?;
        let ids = c.integers(i);
        last = last.zip(ids).map(|(last, ids)| ids.iter().fold(last, |a, b| a.max(*b)));
    }
    let rows = last.and_then(|last| usize::try_from(last + 1).ok());
    one(c.input(n).dtype, vector(Dim::from(rows)).concatenate(&tail))
}

pub(in crate::ops) fn unravel_index(c: &InferContext<'_>) -> Result<Types> {
    let (x, dims) = (c.shape(0).with_rank_at_most(1)?, c.shape(1).with_rank(1)?);
    one(c.input(0).dtype, dims.concatenate(&x))
}

pub(in crate::ops) fn shape_n(c: &InferContext<'_>) -> Result<Types> {
    let dtype: crate::types::DType = c.get(ShapeN::OUT_TYPE)?;
    Ok(c.inputs.iter().map(|t| TensorType::new(dtype, vector(Dim::from(t.shape.rank())))).collect())
}

pub(in crate::ops) fn gather(c: &InferContext<'_>) -> Result<Types> {
    let dtype = c.input(0).dtype;
    let batch: i64 = c.get(Gather::BATCH_DIMS)?;
    let (params, indices) = (c.shape(0), c.shape(1));
    let (Some(p), Some(i), Some(axis)) = (params.dims(), indices.dims(), c.integers(2)) else {
        return one(dtype, Shape::unknown());
    };
    let [axis] = axis[..] else { bail!("the axis is one integer, not {axis:?}") };
    let (axis, batch) = gather_axes(axis, batch, p.len(), i.len())?;
    let front =
        params.slice(None, Some(batch as i64)).merge(&indices.slice(None, Some(batch as i64)))?;
    let parts = [
        front,
        params.slice(Some(batch as i64), Some(axis as i64)),
        indices.slice(Some(batch as i64), None),
        params.slice(Some(axis as i64 + 1), None),
    ];
    one(dtype, parts.iter().fold(Shape::scalar(), |a, b| a.concatenate(b)))
}

/// The non-negative axis and number of batch dimensions of a gather.
pub(in crate::ops) fn gather_axes(
    axis: i64,
    batch: i64,
    params: usize,
    indices: usize,
) -> Result<(usize, usize)> {
    let axis = normalize_axis(axis, params)?;
    let batch = if batch < 0 { batch + indices as i64 } else { batch };
    if batch < 0 || batch as usize > indices || batch as usize > axis {
        bail!("{batch} batch dimensions do not fit indices of rank {indices} and axis {axis}");
    }
    Ok((axis, batch as usize))
}

/// The shape of indices without the coordinates, and their number if it is known.
fn coordinates(indices: &Shape) -> Result<(Shape, Option<usize>)> {
    indices.with_rank_at_least(1).map_err(|e| e.prefixed("`indices`"))?;
    Ok((indices.slice(None, Some(-1)), indices.dims().and_then(|d| d.last()?.size())))
}

/// The axes of a shape behind those that the coordinates index.
fn beyond(shape: &Shape, depth: usize, what: &str) -> Result<Shape> {
    match shape.rank() {
        Some(rank) if depth > rank => {
            bail!("indices of {depth} coordinates for `{what}` of shape {shape}")
        }
        Some(_) => Ok(shape.slice(Some(depth as i64), None)),
        None => Ok(Shape::unknown()),
    }
}

pub(in crate::ops) fn gather_nd(c: &InferContext<'_>) -> Result<Types> {
    let (params, indices) = (c.shape(0), c.shape(1));
    let (outer, depth) = coordinates(indices)?;
    let inner = match depth {
        Some(depth) => beyond(params, depth, "params")?,
        None => Shape::unknown(),
    };
    let shape = if indices.rank().is_some() { outer.concatenate(&inner) } else { Shape::unknown() };
    one(c.input(0).dtype, shape)
}

/// Checks that updates have a slice of `shape` for each row of the indices.
pub(in crate::ops) fn check_updates(shape: &Shape, indices: &Shape, updates: &Shape) -> Result<()> {
    let (outer, depth) = coordinates(indices)?;
    updates.with_rank_at_least(1).map_err(|e| e.prefixed("`updates`"))?;
    if indices.rank().is_none() {
        return Ok(());
    }
    let inner = match depth {
        Some(depth) => beyond(shape, depth, "shape")?,
        None => Shape::unknown(),
    };
    let want = outer.concatenate(&inner);
    if !want.is_compatible_with(updates) {
        bail!(
            "updates of shape {updates} for indices of shape {indices} into shape {shape}: they \
             must have shape {want}"
        );
    }
    let none = |s: &Shape| s.num_elements() == Some(0);
    let some = |s: &Shape| s.num_elements().is_some_and(|n| n > 0);
    if none(shape) && (some(indices) || some(updates)) {
        bail!("indices of shape {indices} into shape {shape}, which has no elements");
    }
    Ok(())
}

pub(in crate::ops) fn scatter_nd(c: &InferContext<'_>) -> Result<Types> {
    let shape = asked_shape(c, 2)?;
    check_updates(&shape, c.shape(0), c.shape(1))?;
    one(c.input(1).dtype, shape)
}

pub(in crate::ops) fn tensor_scatter(c: &InferContext<'_>) -> Result<Types> {
    c.shape(0).with_rank_at_least(1).map_err(|e| e.prefixed("`tensor`"))?;
    check_updates(c.shape(0), c.shape(1), c.shape(2))?;
    one(c.input(0).dtype, c.shape(0).clone())
}

pub(in crate::ops) fn where_(c: &InferContext<'_>) -> Result<Types> {
    one(DType::I64, [Dim::UNKNOWN, Dim::from(c.shape(0).rank())].into_iter().collect())
}

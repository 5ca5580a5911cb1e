//! Types of results: slices, reversed, rolled, repeated, mirrored and split tensors, and sums of many.

use smallvec::SmallVec;

use crate::ir::{AttrKey, InferContext, Types, reduced_axes};
use crate::ops::movement::infer::{check_paddings, pad, padded};
use crate::ops::rules::infer::{count, one};
use crate::ops::{Bitcast, EnsureShape, MirrorPad, ReverseSequence, Split, Unstack};
use crate::types::{DType, Dim, Result, Shape, TensorType, bail, err, normalize_axis};

/// The only integer of an input, if its value is known.
fn integer(c: &InferContext<'_>, i: usize, name: &str) -> Result<Option<i64>> {
    match c.integers(i).as_deref() {
        None => Ok(None),
        Some([n]) => Ok(Some(*n)),
        Some(list) => bail!("`{name}` is one integer, not {list:?}"),
    }
}

/// `n` results of one type.
fn several(n: usize, dtype: DType, shape: &Shape) -> Types {
    std::iter::repeat_n(TensorType { dtype, shape: shape.clone() }, n).collect()
}

/// This shape with another size of one axis.
fn with_dim(shape: &Shape, axis: usize, dim: Dim) -> Shape {
    let dims = shape.dims().unwrap_or_default().iter().enumerate();
    dims.map(|(i, d)| if i == axis { dim } else { *d }).collect()
}

pub(in crate::ops) fn slice(c: &InferContext<'_>) -> Result<Types> {
    let dtype = c.input(0).dtype;
    for i in [1, 2] {
        c.shape(i).with_rank(1)?;
    }
    let length = |i: usize| c.shape(i).dims().and_then(|d| d.first()?.size());
    let Some(rank) = c.shape(0).rank().or(length(1)).or(length(2)) else {
        return one(dtype, Shape::unknown());
    };
    let input = c.shape(0).with_rank(rank)?;
    let (begin, size) = (c.integers(1), c.integers(2));
    if let Some(list) = [&begin, &size].into_iter().flatten().find(|l| l.len() != rank) {
        bail!("{} begins or sizes given for rank {rank}", list.len());
    }
    let dims = input.dims().unwrap_or_default().iter().enumerate();
    let dims = dims.map(|(i, d)| {
        let (b, s) = (begin.as_ref().map(|v| v[i]), size.as_ref().map(|v| v[i]));
        let Some(s) = s else { return Ok(Dim::UNKNOWN) };
        match (b, d.size()) {
            (Some(b), Some(n)) => slice_extent(i, n, b, s).map(Dim::from),
            (Some(b), _) if b < 0 => bail!("begin {b} of axis {i} is negative"),
            _ if s < -1 => bail!("size {s} of axis {i} is negative"),
            _ => Ok(usize::try_from(s).ok().into()),
        }
    });
    one(dtype, dims.collect::<Result<SmallVec<[Dim; 4]>>>()?.into_iter().collect())
}

/// The extent of a slice of one axis; size -1 means to the end.
pub(in crate::ops) fn slice_extent(axis: usize, n: usize, begin: i64, size: i64) -> Result<usize> {
    let n = n as i64;
    let extent = if size == -1 { n.saturating_sub(begin) } else { size };
    if begin < 0 || extent < 0 || begin.checked_add(extent).is_none_or(|end| end > n) {
        bail!("slice of axis {axis}: {extent} from {begin} does not fit its size {n}");
    }
    Ok(extent as usize)
}

pub(in crate::ops) fn reverse(c: &InferContext<'_>) -> Result<Types> {
    c.shape(1).with_rank(1)?;
    if let (Some(rank), Some(axes)) = (c.shape(0).rank(), c.integers(1)) {
        reduced_axes(&axes, rank)?;
    }
    one(c.input(0).dtype, c.shape(0).clone())
}

pub(in crate::ops) fn reverse_sequence(c: &InferContext<'_>) -> Result<Types> {
    let (x, lengths) = (c.shape(0), c.shape(1).with_rank(1)?);
    let Some(rank) = x.rank() else { return one(c.input(0).dtype, x.clone()) };
    let (seq, batch) =
        sequence_axes(c.get(ReverseSequence::SEQ_DIM)?, c.get(ReverseSequence::BATCH_DIM)?, rank)?;
    let dims = x.dims().unwrap_or_default();
    let Some(merged) = dims[batch].merge(lengths.dim(0)?) else {
        bail!("{} lengths given for axis {batch} of shape {x}", lengths.dim(0)?);
    };
    if let (Some(n), Some(lengths)) = (dims[seq].size(), c.integers(1)) {
        check_lengths(&lengths, seq, n)?;
    }
    one(c.input(0).dtype, with_dim(x, batch, merged))
}

/// The axis along sequences and the axis that counts them.
pub(in crate::ops) fn sequence_axes(seq: i64, batch: i64, rank: usize) -> Result<(usize, usize)> {
    let axis = |name: &str, axis: i64| match usize::try_from(axis) {
        Ok(a) if a < rank => Ok(a),
        _ => Err(err!(
            "`{name}` {axis} is not an axis of rank {rank}; write 0 to {}",
            rank as i64 - 1
        )),
    };
    let (seq, batch) = (axis("seq_dim", seq)?, axis("batch_dim", batch)?);
    if seq == batch {
        bail!("`seq_dim` and `batch_dim` are both {seq}; they are two axes");
    }
    Ok((seq, batch))
}

/// Checks the lengths of sequences along an axis of this size.
pub(in crate::ops) fn check_lengths(lengths: &[i64], axis: usize, n: usize) -> Result<()> {
    match lengths.iter().enumerate().find(|(_, l)| **l < 0 || **l > n as i64) {
        Some((i, l)) => {
            bail!("length {l} at position {i} does not fit the size {n} of axis {axis}")
        }
        None => Ok(()),
    }
}

pub(in crate::ops) fn roll(c: &InferContext<'_>) -> Result<Types> {
    let x = c.shape(0).with_rank_at_least(1)?;
    let (shift, axis) = (c.shape(1).with_rank_at_most(1)?, c.shape(2).with_rank_at_most(1)?);
    if !shift.is_compatible_with(&axis) {
        bail!("shifts of shape {shift} for axes of shape {axis}: one for each axis");
    }
    if let (Some(rank), Some(axes)) = (x.rank(), c.integers(2)) {
        for axis in axes {
            normalize_axis(axis, rank)?;
        }
    }
    one(c.input(0).dtype, c.shape(0).clone())
}

pub(in crate::ops) fn tile(c: &InferContext<'_>) -> Result<Types> {
    let dtype = c.input(0).dtype;
    let length = c.shape(1).with_rank(1)?.dim(0)?.size();
    let Some(rank) = c.shape(0).rank().or(length) else { return one(dtype, Shape::unknown()) };
    let x = c.shape(0).with_rank(rank)?;
    if let Some(n) = length.filter(|n| *n != rank) {
        bail!("{n} multiples for rank {rank}: one for each axis");
    }
    let Some(multiples) = c.integers(1) else { return one(dtype, Shape::of_rank(rank)) };
    let dims = x.dims().unwrap_or_default().iter().zip(&multiples).enumerate();
    let dims = dims.map(|(i, (d, m))| match d.size() {
        Some(n) => tiled(i, n, *m).map(Dim::from),
        None if *m < 0 => bail!("multiple {m} of axis {i} is negative"),
        None => Ok(if *m == 0 { Dim::from(0) } else { Dim::UNKNOWN }),
    });
    one(dtype, dims.collect::<Result<SmallVec<[Dim; 4]>>>()?.into_iter().collect())
}

/// The size of an axis that is repeated.
pub(in crate::ops) fn tiled(axis: usize, n: usize, multiple: i64) -> Result<usize> {
    let m = usize::try_from(multiple)
        .map_err(|_| err!("multiple {multiple} of axis {axis} is negative"))?;
    n.checked_mul(m)
        .ok_or_else(|| err!(ResourceExhausted, "size {n} of axis {axis} times {m} overflows"))
}

pub(in crate::ops) fn broadcast_args(c: &InferContext<'_>) -> Result<Types> {
    let length = |i: usize| Ok(c.shape(i).with_rank(1)?.dim(0)?.size());
    let rank = length(0)?.zip(length(1)?).map(|(a, b)| a.max(b));
    if let (Some(a), Some(b)) = (c.integers(0), c.integers(1)) {
        broadcast_sizes(&a, &b)?;
    }
    one(c.input(0).dtype, [Dim::from(rank)].into_iter().collect())
}

/// The sizes that two shapes broadcast to.
pub(in crate::ops) fn broadcast_sizes(a: &[i64], b: &[i64]) -> Result<SmallVec<[i64; 4]>> {
    if let Some(n) = a.iter().chain(b).find(|n| **n < 0) {
        bail!("size {n} is negative");
    }
    let rank = a.len().max(b.len());
    let at = |v: &[i64], i: usize| (i + v.len()).checked_sub(rank).map_or(1, |i| v[i]);
    (0..rank)
        .map(|i| match (at(a, i), at(b, i)) {
            (x, y) if x == y || y == 1 => Ok(x),
            (1, y) => Ok(y),
            (x, y) => {
                Err(err!("shapes {a:?} and {b:?} do not broadcast: axis {i} differs ({x} ≠ {y})"))
            }
        })
        .collect()
}

pub(in crate::ops) fn split(c: &InferContext<'_>) -> Result<Types> {
    c.shape(0).with_rank(0).map_err(|e| e.prefixed("`split_dim`"))?;
    let (dtype, x) = (c.input(1).dtype, c.shape(1));
    let n = part_count(c, Split::NUM_SPLIT)?;
    let (axis, Some(rank)) = (integer(c, 0, "split_dim")?, x.rank()) else {
        return Ok(several(n, dtype, &Shape::unknown()));
    };
    let Some(axis) = axis else { return Ok(several(n, dtype, &Shape::of_rank(rank))) };
    let axis = normalize_axis(axis, rank)?;
    let size = match x.dim(axis as i64)?.size() {
        Some(size) => Dim::from(part_size(axis, size, n)?),
        None => Dim::UNKNOWN,
    };
    Ok(several(n, dtype, &with_dim(x, axis, size)))
}

/// The number of parts, one at least: a split into no parts could not be checked when it runs.
fn part_count(c: &InferContext<'_>, key: AttrKey<i64>) -> Result<usize> {
    match count(c.attrs, key)? {
        0 => bail!("a split makes one part at least; `{}` is 0", key.name()),
        n => Ok(n),
    }
}

/// The size of one of `n` equal parts of an axis.
pub(in crate::ops) fn part_size(axis: usize, size: usize, n: usize) -> Result<usize> {
    if n == 0 {
        bail!("a split makes one part at least; `num_split` is 0");
    }
    if !size.is_multiple_of(n) {
        bail!("axis {axis} of size {size} can't be split into {n} equal parts");
    }
    Ok(size / n)
}

pub(in crate::ops) fn split_v(c: &InferContext<'_>) -> Result<Types> {
    let (dtype, x) = (c.input(0).dtype, c.shape(0));
    let n = part_count(c, Split::NUM_SPLIT)?;
    c.shape(1).with_rank(1)?;
    let (axis, Some(rank)) = (integer(c, 2, "split_dim")?, x.rank()) else {
        return Ok(several(n, dtype, &Shape::unknown()));
    };
    let Some(axis) = axis else { return Ok(several(n, dtype, &Shape::of_rank(rank))) };
    let axis = normalize_axis(axis, rank)?;
    let size = x.dim(axis as i64)?.size();
    let Some(asked) = c.integers(1) else {
        return Ok(several(n, dtype, &with_dim(x, axis, Dim::UNKNOWN)));
    };
    let parts: Vec<Dim> = match size {
        Some(size) => part_sizes(axis, size, &asked, n)?.into_iter().map(Dim::from).collect(),
        None => {
            check_part_count(&asked, n)?;
            asked.iter().map(|n| Dim::from(usize::try_from(*n).ok())).collect()
        }
    };
    let part = |d: &Dim| TensorType { dtype, shape: with_dim(x, axis, *d) };
    Ok(parts.iter().map(part).collect())
}

fn check_part_count(asked: &[i64], n: usize) -> Result<()> {
    if asked.len() != n || n == 0 {
        bail!("{} sizes given for {n} parts", asked.len());
    }
    if let Some(negative) = asked.iter().find(|n| **n < -1) {
        bail!("size {negative} of a part is negative; write -1 for what is left");
    }
    Ok(())
}

/// The sizes of the parts of an axis; one -1 stands for the rest.
pub(in crate::ops) fn part_sizes(
    axis: usize,
    size: usize,
    asked: &[i64],
    n: usize,
) -> Result<Vec<usize>> {
    check_part_count(asked, n)?;
    if asked.iter().filter(|n| **n == -1).count() > 1 {
        bail!("only one size may be -1 in {asked:?}");
    }
    let mut given = asked.iter().filter_map(|n| usize::try_from(*n).ok());
    let sum = given.try_fold(0usize, usize::checked_add);
    let left = sum.and_then(|sum| size.checked_sub(sum));
    match left {
        Some(left) if left == 0 || asked.contains(&-1) => {
            Ok(asked.iter().map(|n| usize::try_from(*n).unwrap_or(left)).collect())
        }
        _ => bail!("sizes {asked:?} of parts do not add up to the size {size} of axis {axis}"),
    }
}

pub(in crate::ops) fn unpack(c: &InferContext<'_>) -> Result<Types> {
    let (dtype, x) = (c.input(0).dtype, c.shape(0));
    let n = count(c.attrs, Unstack::NUM)?;
    let Some(dims) = x.dims() else { return Ok(several(n, dtype, &Shape::unknown())) };
    let axis = unpacked_axis(c.get(Unstack::AXIS)?, x)?;
    if dims[axis].size().is_some_and(|size| size != n) {
        bail!("axis {axis} of shape {x} has size {}; `num` says {n}", dims[axis]);
    }
    let rest = dims.iter().enumerate().filter(|(i, _)| *i != axis).map(|(_, d)| *d);
    Ok(several(n, dtype, &rest.collect()))
}

/// The axis that is taken apart.
pub(in crate::ops) fn unpacked_axis(axis: i64, shape: &Shape) -> Result<usize> {
    match shape.rank() {
        Some(0) => bail!("a scalar has no axis to take apart"),
        rank => normalize_axis(axis, rank.unwrap_or_default()),
    }
}

/// How many elements at the edge are not mirrored.
fn mirror_edge(c: &InferContext<'_>) -> Result<usize> {
    Ok(c.get(MirrorPad::MODE)?.skipped())
}

pub(in crate::ops) fn mirror_pad(c: &InferContext<'_>) -> Result<Types> {
    let skipped = mirror_edge(c)?;
    if let (Some(dims), Some(p)) = (c.shape(0).dims(), c.integers(1)) {
        for (i, (d, p)) in dims.iter().zip(p.as_chunks::<2>().0).enumerate() {
            d.size().map_or(Ok(()), |n| check_mirror(i, n, *p, skipped))?;
        }
    }
    pad(c)
}

/// Checks that an axis is long enough to be mirrored that far.
pub(in crate::ops) fn check_mirror(
    axis: usize,
    n: usize,
    paddings: [i64; 2],
    skipped: usize,
) -> Result<()> {
    match paddings.iter().find(|p| **p > 0 && **p > n as i64 - skipped as i64) {
        Some(p) => {
            let most = n.saturating_sub(skipped);
            bail!("padding {p} of axis {axis} mirrors more than its size {n} has; {most} at most")
        }
        None => Ok(()),
    }
}

pub(in crate::ops) fn mirror_pad_grad(c: &InferContext<'_>) -> Result<Types> {
    let dtype = c.input(0).dtype;
    check_paddings(c)?;
    let Some(dims) = c.shape(0).dims() else { return one(dtype, Shape::unknown()) };
    let Some(p) = c.integers(1) else { return one(dtype, Shape::of_rank(dims.len())) };
    let p = p.as_chunks::<2>().0;
    let skipped = mirror_edge(c)?;
    let inner = dims.iter().zip(p).enumerate().map(|(i, (d, p))| match d.size() {
        Some(n) => unpadded(i, n, *p, skipped).map(Dim::from),
        None => Ok(Dim::UNKNOWN),
    });
    one(dtype, inner.collect::<Result<SmallVec<[Dim; 4]>>>()?.into_iter().collect())
}

/// The size that an axis had before it was padded with mirrored edges.
pub(in crate::ops) fn unpadded(
    axis: usize,
    n: usize,
    paddings: [i64; 2],
    skipped: usize,
) -> Result<usize> {
    let all = padded(0, paddings[0], paddings[1])?;
    let Some(inner) = n.checked_sub(all) else {
        bail!("axis {axis} of size {n} is shorter than its paddings {paddings:?}");
    };
    check_mirror(axis, inner, paddings, skipped)?;
    Ok(inner)
}

pub(in crate::ops) fn ensure_shape(c: &InferContext<'_>) -> Result<Types> {
    let asked: Shape = c.get(EnsureShape::SHAPE)?;
    let merged = c.shape(0).merge(&asked);
    one(c.input(0).dtype, merged.map_err(|e| e.prefixed("the shape is not as asked"))?)
}

pub(in crate::ops) fn bitcast(c: &InferContext<'_>) -> Result<Types> {
    let (from, to): (DType, DType) = (c.input(0).dtype, c.get(Bitcast::DTYPE)?);
    let (Some(a), Some(b)) = (from.size(), to.size()) else {
        bail!("{from} can't be read as {to}: only types of a fixed size can");
    };
    if to == DType::Bool {
        bail!("bytes can't be read as bool; cast or compare instead");
    }
    let x = c.shape(0);
    if a >= b {
        let inner: Shape = if a == b { Shape::scalar() } else { Shape::from([a / b]) };
        return one(to, x.concatenate(&inner));
    }
    let Some(dims) = x.dims() else { return one(to, Shape::unknown()) };
    match dims.split_last() {
        Some((last, rest)) if last.size().is_none_or(|n| n == b / a) => {
            one(to, rest.iter().copied().collect())
        }
        _ => bail!("{from} of shape {x} can't be read as {to}: the last size must be {}", b / a),
    }
}

pub(in crate::ops) fn add_n(c: &InferContext<'_>) -> Result<Types> {
    let mut shape = Shape::unknown();
    for (i, t) in c.inputs.iter().enumerate() {
        shape = shape.merge(&t.shape).map_err(|e| e.prefixed(format_args!("input {i}")))?;
    }
    one(c.input(0).dtype, shape)
}

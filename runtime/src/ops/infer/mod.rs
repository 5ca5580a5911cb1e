//! Shape and dtype inference of the op table, on partly known shapes.

pub(super) mod blocks;
pub(super) mod counting;
pub(super) mod diagonal;
pub(super) mod einsum;
pub(super) mod indices;
pub(super) mod ordering;
pub(super) mod random;
pub(super) mod scan;
pub(super) mod scatter;
pub(super) mod slicing;
pub(super) mod strided;

use smallvec::SmallVec;

use crate::array::Dims;
use crate::op::{InferContext, Types};
use crate::types::{DType, Dim, Result, Shape, TensorType, bail, err};

fn one(dtype: DType, shape: Shape) -> Result<Types> {
    Ok([TensorType { dtype, shape }].into())
}

/// The result has the type of the first input.
///
/// # Errors
/// None of its own.
pub fn same_shape(c: &InferContext<'_>) -> Result<Types> {
    Ok([c.input(0).clone()].into())
}

/// A bool of the shape of the first input.
pub(super) fn same_shape_bool(c: &InferContext<'_>) -> Result<Types> {
    one(DType::Bool, c.shape(0).clone())
}

pub(super) fn same_shape_u8(c: &InferContext<'_>) -> Result<Types> {
    one(DType::U8, c.shape(0).clone())
}

/// Two inputs of one dtype broadcast.
///
/// # Errors
/// `InvalidArgument` showing both shapes if they don't broadcast.
pub fn broadcast(c: &InferContext<'_>) -> Result<Types> {
    one(c.input(0).dtype, c.shape(0).broadcast(c.shape(1))?)
}

/// Two inputs broadcast to a bool.
///
/// # Errors
/// As [`broadcast`].
pub fn broadcast_bool(c: &InferContext<'_>) -> Result<Types> {
    one(DType::Bool, c.shape(0).broadcast(c.shape(1))?)
}

/// Two inputs of one shape make a bool of it.
pub(super) fn same_shapes_bool(c: &InferContext<'_>) -> Result<Types> {
    one(DType::Bool, c.shape(0).merge(c.shape(1))?)
}

/// Inputs of one dtype and one shape, where scalars stand for any.
pub(super) fn same_shapes_or_scalars(c: &InferContext<'_>) -> Result<Types> {
    let mut whole = Shape::scalar();
    let mut unknown = false;
    for input in c.inputs {
        match input.shape.rank() {
            None => unknown = true,
            Some(0) => {}
            Some(_) if whole.rank() == Some(0) => whole = input.shape.clone(),
            Some(_) => whole = whole.merge(&input.shape)?,
        }
    }
    let scalars = whole.rank() == Some(0);
    one(c.input(0).dtype, if unknown && scalars { Shape::unknown() } else { whole })
}

/// Equality: shapes that don't broadcast are refused, or compare as one false.
pub(super) fn equality(c: &InferContext<'_>) -> Result<Types> {
    if c.attrs.get::<bool>("incompatible_shape_error").unwrap_or(true) {
        return broadcast_bool(c);
    }
    let known = c.shape(0).is_fully_defined() && c.shape(1).is_fully_defined();
    match c.shape(0).broadcast(c.shape(1)) {
        Ok(shape) if known => one(DType::Bool, shape),
        Err(_) if known => one(DType::Bool, Shape::scalar()),
        _ => one(DType::Bool, Shape::unknown()),
    }
}

/// The result of a reduction whose second input are the axes.
///
/// # Errors
/// `InvalidArgument` for an axis out of range or given twice.
pub fn reduction(c: &InferContext<'_>) -> Result<Types> {
    let keep = c.attrs.get::<bool>("keep_dims")?;
    c.shape(1).with_rank_at_most(1)?;
    let dtype = c.input(0).dtype;
    let (Some(dims), axes) = (c.shape(0).dims(), c.integers(1)) else {
        return one(dtype, Shape::unknown());
    };
    let Some(axes) = axes else {
        return one(dtype, if keep { Shape::of_rank(dims.len()) } else { Shape::unknown() });
    };
    let reduced = reduced_axes(&axes, dims.len())?;
    let dim = |(d, r): (&Dim, &bool)| match (r, keep) {
        (false, _) => Some(*d),
        (true, true) => Some(Dim::from(1)),
        (true, false) => None,
    };
    one(dtype, dims.iter().zip(&reduced).filter_map(dim).collect())
}

/// Which axes of a tensor of this rank are in the list.
pub(super) fn reduced_axes(axes: &[i64], rank: usize) -> Result<SmallVec<[bool; 4]>> {
    let mut reduced = SmallVec::from_elem(false, rank);
    for axis in axes {
        let i = crate::types::normalize_axis(*axis, rank)?;
        if std::mem::replace(&mut reduced[i], true) {
            bail!("axis {axis} is given twice");
        }
    }
    Ok(reduced)
}

pub(super) fn cast(c: &InferContext<'_>) -> Result<Types> {
    one(c.attrs.get("DstT")?, c.shape(0).clone())
}

pub(super) fn select(c: &InferContext<'_>) -> Result<Types> {
    one(c.input(1).dtype, c.shape(0).broadcast(&c.shape(1).broadcast(c.shape(2))?)?)
}

pub(super) fn concat(c: &InferContext<'_>) -> Result<Types> {
    let n = c.inputs.len() - 1;
    let dtype = c.input(0).dtype;
    let Some(rank) = c.inputs[..n].iter().find_map(|t| t.shape.rank()) else {
        return one(dtype, Shape::unknown());
    };
    let Some(axis) = c.integers(n) else { return one(dtype, Shape::of_rank(rank)) };
    let [axis] = axis[..] else { bail!("the axis is one integer, not {axis:?}") };
    if rank == 0 {
        bail!("scalars can't be concatenated; use `stack`");
    }
    let axis = crate::types::normalize_axis(axis, rank)?;
    let mut total = Some(0usize);
    let mut rest = Shape::of_rank(rank);
    for (i, t) in c.inputs[..n].iter().enumerate() {
        let shape = t.shape.with_rank(rank).map_err(|e| e.prefixed(format_args!("value {i}")))?;
        let dims = shape.dims().unwrap_or_default();
        total = total.zip(dims[axis].size()).map(|(a, b)| a + b);
        let other = dims.iter().enumerate().map(|(j, d)| if j == axis { Dim::UNKNOWN } else { *d });
        rest = rest.merge(&other.collect()).map_err(|e| e.prefixed(format_args!("value {i}")))?;
    }
    let dims = rest.dims().unwrap_or_default().iter().enumerate();
    one(dtype, dims.map(|(j, d)| if j == axis { Dim::from(total) } else { *d }).collect())
}

pub(super) fn pack(c: &InferContext<'_>) -> Result<Types> {
    let mut shape = Shape::unknown();
    for (i, t) in c.inputs.iter().enumerate() {
        shape = shape.merge(&t.shape).map_err(|e| e.prefixed(format_args!("value {i}")))?;
    }
    let Some(rank) = shape.rank() else { return one(c.input(0).dtype, shape) };
    let axis = crate::types::normalize_axis(c.attrs.get("axis")?, rank + 1)?;
    one(c.input(0).dtype, shape.insert(axis, Dim::from(c.inputs.len())))
}

/// The shape that an input of integers asks for: each -1 unknown, the rank from its length.
fn asked_shape(c: &InferContext<'_>, i: usize) -> Result<Shape> {
    c.shape(i).with_rank(1)?;
    match c.integers(i) {
        Some(v) => v
            .iter()
            .map(|n| match usize::try_from(*n) {
                Ok(n) => Ok(Dim::from(n)),
                Err(_) if *n == -1 => Ok(Dim::UNKNOWN),
                Err(_) => Err(err!("size {n} is negative")),
            })
            .collect::<Result<SmallVec<[Dim; 4]>>>()
            .map(|d| d.into_iter().collect()),
        None => {
            let rank = c.shape(i).dims().and_then(|d| d[0].size());
            Ok(rank.map_or(Shape::unknown(), Shape::of_rank))
        }
    }
}

pub(super) fn reshape(c: &InferContext<'_>) -> Result<Types> {
    let asked = asked_shape(c, 1)?;
    let dtype = c.input(0).dtype;
    let known = c.integers(1).is_some();
    let Some(dims) = asked.dims().filter(|_| known) else { return one(dtype, asked) };
    let unknown = dims.iter().filter(|d| !d.is_known()).count();
    if unknown > 1 {
        bail!("only one size may be -1 in {asked}");
    }
    let sizes = dims.iter().filter_map(|d| d.size());
    let fixed = sizes.clone().try_fold(1usize, usize::checked_mul);
    let fixed = fixed.or(sizes.clone().any(|n| n == 0).then_some(0));
    let fixed = fixed.ok_or_else(|| err!("the shape {asked} has too many elements"))?;
    let Some(n) = c.shape(0).num_elements() else { return one(dtype, asked) };
    let wrong = || err!("cannot reshape {} ({n} elements) to {asked}", c.shape(0));
    if unknown == 0 {
        return if fixed == n { one(dtype, asked) } else { Err(wrong()) };
    }
    if fixed == 0 && n > 0 || fixed > 0 && n % fixed != 0 {
        return Err(wrong());
    }
    let missing = n.checked_div(fixed).unwrap_or(0);
    one(dtype, dims.iter().map(|d| if d.is_known() { *d } else { Dim::from(missing) }).collect())
}

pub(super) fn transpose(c: &InferContext<'_>) -> Result<Types> {
    let dtype = c.input(0).dtype;
    let perm_rank = c.shape(1).with_rank(1)?.dims().and_then(|d| d[0].size());
    let rank = match (c.shape(0).rank(), perm_rank) {
        (Some(a), Some(b)) if a != b => bail!("a permutation of {b} axes for rank {a}"),
        (a, b) => a.or(b),
    };
    let Some(rank) = rank else { return one(dtype, Shape::unknown()) };
    let Some(perm) = c.integers(1) else { return one(dtype, Shape::of_rank(rank)) };
    let perm = permutation(&perm, rank)?;
    let dims = c.shape(0).with_rank(rank)?;
    let dims = dims.dims().unwrap_or_default();
    one(dtype, perm.iter().map(|i| dims[*i]).collect())
}

/// Checks a permutation of `rank` axes; negative axes count from the end.
pub(super) fn permutation(perm: &[i64], rank: usize) -> Result<Dims> {
    if perm.len() != rank {
        bail!("a permutation of {} axes for rank {rank}", perm.len());
    }
    let mut seen: SmallVec<[bool; 8]> = SmallVec::from_elem(false, rank);
    perm.iter()
        .map(|p| {
            let p = crate::types::normalize_axis(*p, rank)?;
            if std::mem::replace(&mut seen[p], true) {
                bail!("{perm:?} is not a permutation: axis {p} stands twice");
            }
            Ok(p)
        })
        .collect()
}

pub(super) fn expand_dims(c: &InferContext<'_>) -> Result<Types> {
    let (dtype, shape) = (c.input(0).dtype, c.shape(0));
    let Some(rank) = shape.rank() else { return one(dtype, Shape::unknown()) };
    let Some(axis) = c.integers(1) else { return one(dtype, Shape::of_rank(rank + 1)) };
    let [axis] = axis[..] else { bail!("the axis is one integer, not {axis:?}") };
    one(dtype, shape.insert(crate::types::normalize_axis(axis, rank + 1)?, Dim::from(1)))
}

pub(super) fn squeeze(c: &InferContext<'_>) -> Result<Types> {
    let (dtype, shape) = (c.input(0).dtype, c.shape(0));
    let axes = c.attrs.get::<Vec<i64>>("squeeze_dims")?;
    let Some(dims) = shape.dims() else { return one(dtype, Shape::unknown()) };
    if axes.is_empty() {
        // Which axes go depends on sizes that may come to be 1.
        return one(
            dtype,
            match shape.sizes() {
                Some(sizes) => sizes.into_iter().filter(|n| *n != 1).map(Dim::from).collect(),
                None => Shape::unknown(),
            },
        );
    }
    let mut gone: SmallVec<[bool; 4]> = SmallVec::from_elem(false, dims.len());
    for axis in axes {
        let i = crate::types::normalize_axis(axis, dims.len())?;
        if dims[i].size().is_some_and(|n| n != 1) {
            bail!("axis {axis} of shape {shape} has size {}, not 1", dims[i]);
        }
        gone[i] = true;
    }
    one(dtype, dims.iter().zip(gone).filter(|(_, gone)| !gone).map(|(d, _)| *d).collect())
}

pub(super) fn gather(c: &InferContext<'_>) -> Result<Types> {
    let dtype = c.input(0).dtype;
    let batch: i64 = c.attrs.get("batch_dims")?;
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
pub(super) fn gather_axes(
    axis: i64,
    batch: i64,
    params: usize,
    indices: usize,
) -> Result<(usize, usize)> {
    let axis = crate::types::normalize_axis(axis, params)?;
    let batch = if batch < 0 { batch + indices as i64 } else { batch };
    if batch < 0 || batch as usize > indices || batch as usize > axis {
        bail!("{batch} batch dimensions do not fit indices of rank {indices} and axis {axis}");
    }
    Ok((axis, batch as usize))
}

pub(super) fn slice(c: &InferContext<'_>) -> Result<Types> {
    let dtype = c.input(0).dtype;
    let length = |i: usize| c.shape(i).dims().and_then(|d| d[0].size());
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
pub(super) fn slice_extent(axis: usize, n: usize, begin: i64, size: i64) -> Result<usize> {
    let n = n as i64;
    let extent = if size == -1 { n.saturating_sub(begin) } else { size };
    if begin < 0 || extent < 0 || begin.checked_add(extent).is_none_or(|end| end > n) {
        bail!("slice of axis {axis}: {extent} from {begin} does not fit its size {n}");
    }
    Ok(extent as usize)
}

pub(super) fn matmul(c: &InferContext<'_>) -> Result<Types> {
    let (ta, tb) = (c.attrs.get::<bool>("transpose_a")?, c.attrs.get::<bool>("transpose_b")?);
    let (a, b) = (c.shape(0).with_rank(2)?, c.shape(1).with_rank(2)?);
    let (m, k) = (a.dim(i64::from(ta))?, a.dim(i64::from(!ta))?);
    let (k2, n) = (b.dim(i64::from(tb))?, b.dim(i64::from(!tb))?);
    if !k.is_compatible_with(k2) {
        bail!("inner dimensions differ: {} × {} ({k} ≠ {k2})", c.shape(0), c.shape(1));
    }
    one(c.input(0).dtype, [m, n].into_iter().collect())
}

pub(super) fn batch_matmul(c: &InferContext<'_>) -> Result<Types> {
    let (ta, tb) = (c.attrs.get::<bool>("adj_x")?, c.attrs.get::<bool>("adj_y")?);
    let (a, b) = (c.shape(0).with_rank_at_least(2)?, c.shape(1).with_rank_at_least(2)?);
    if a.rank().is_none() || b.rank().is_none() {
        return one(c.input(0).dtype, Shape::unknown());
    }
    let (at, bt) = (|t: bool| -1 - i64::from(t), |t: bool| -1 - i64::from(t));
    let (m, k) = (a.dim(at(!ta))?, a.dim(at(ta))?);
    let (k2, n) = (b.dim(bt(!tb))?, b.dim(bt(tb))?);
    if !k.is_compatible_with(k2) {
        bail!("inner dimensions differ: {a} × {b} ({k} ≠ {k2})");
    }
    let batch = a.slice(None, Some(-2)).broadcast(&b.slice(None, Some(-2)))?;
    one(c.input(0).dtype, batch.concatenate(&[m, n].into_iter().collect()))
}

pub(super) fn shape_of(c: &InferContext<'_>) -> Result<Types> {
    one(c.attrs.get("out_type")?, [Dim::from(c.shape(0).rank())].into_iter().collect())
}

pub(super) fn size_of(c: &InferContext<'_>) -> Result<Types> {
    one(c.attrs.get("out_type")?, Shape::scalar())
}

pub(super) fn rank_of(_: &InferContext<'_>) -> Result<Types> {
    one(DType::I32, Shape::scalar())
}

pub(super) fn fill(c: &InferContext<'_>) -> Result<Types> {
    c.shape(1).with_rank(0)?;
    one(c.input(1).dtype, asked_shape(c, 0)?)
}

pub(super) fn broadcast_to(c: &InferContext<'_>) -> Result<Types> {
    let asked = asked_shape(c, 1)?;
    if asked.is_fully_defined() && c.shape(0).broadcast(&asked)?.is_subtype_of(&asked) {
        return one(c.input(0).dtype, asked);
    }
    if asked.is_fully_defined() && c.shape(0).is_fully_defined() {
        bail!("shape {} does not broadcast to {asked}", c.shape(0));
    }
    one(c.input(0).dtype, asked)
}

pub(super) fn range(c: &InferContext<'_>) -> Result<Types> {
    for i in 0..3 {
        c.shape(i).with_rank(0)?;
    }
    let values: Option<Dims> = (0..3).map(|i| (c.constant)(i).map(|_| 0)).collect();
    let n = match values {
        Some(_) => {
            let arrays: SmallVec<[_; 3]> = (0..3).filter_map(|i| (c.constant)(i)).collect();
            Some(super::kernel::range_len(&arrays[0], &arrays[1], &arrays[2])?)
        }
        None => None,
    };
    one(c.input(0).dtype, [Dim::from(n)].into_iter().collect())
}

pub(super) fn pad(c: &InferContext<'_>) -> Result<Types> {
    let dtype = c.input(0).dtype;
    let Some(dims) = c.shape(0).dims() else { return one(dtype, Shape::unknown()) };
    let Some(p) = c.integers(1) else { return one(dtype, Shape::of_rank(dims.len())) };
    if p.len() != 2 * dims.len() {
        bail!("paddings of shape {} for rank {}", c.shape(1), dims.len());
    }
    if let Some(negative) = p.iter().find(|p| **p < 0) {
        bail!("padding {negative} is negative");
    }
    let grown = |(i, d): (usize, &Dim)| match d.size() {
        Some(n) => padded(n, p[2 * i], p[2 * i + 1]).map(Dim::from),
        None => Ok(Dim::UNKNOWN),
    };
    let dims = dims.iter().enumerate().map(grown).collect::<Result<SmallVec<[Dim; 4]>>>()?;
    one(dtype, dims.into_iter().collect())
}

/// The size of an axis after padding.
pub(super) fn padded(n: usize, before: i64, after: i64) -> Result<usize> {
    let sum = |n: usize, p: i64| n.checked_add(usize::try_from(p).ok()?);
    sum(n, before)
        .and_then(|n| sum(n, after))
        .ok_or_else(|| err!(ResourceExhausted, "padding {n} by {before} and {after} overflows"))
}

pub(super) fn segment_sum(c: &InferContext<'_>) -> Result<Types> {
    let n = c.integers(2).and_then(|v| usize::try_from(*v.first()?).ok());
    let tail = match (c.shape(0).rank(), c.shape(1).rank()) {
        (Some(_), Some(ids)) => c.shape(0).slice(Some(ids as i64), None),
        _ => Shape::unknown(),
    };
    one(c.input(0).dtype, [Dim::from(n)].into_iter().collect::<Shape>().concatenate(&tail))
}

pub(super) fn broadcast_gradient_args(c: &InferContext<'_>) -> Result<Types> {
    let t = TensorType::new(c.input(0).dtype, Shape::of_rank(1));
    Ok([t.clone(), t].into_iter().collect())
}

pub(super) fn no_outputs(_: &InferContext<'_>) -> Result<Types> {
    Ok(Types::new())
}

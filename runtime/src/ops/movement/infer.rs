//! Types of results: ops that move elements and change shapes.

use smallvec::SmallVec;

use crate::array::Dims;
use crate::ir::{InferContext, Types};
use crate::ops::rules::infer::{asked_shape, one};
use crate::ops::{ONE_ELEMENT, Squeeze, Stack, not_one_element};
use crate::types::{Dim, Result, Shape, bail, err};

pub(in crate::ops) fn concat(c: &InferContext<'_>) -> Result<Types> {
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

pub(in crate::ops) fn pack(c: &InferContext<'_>) -> Result<Types> {
    let mut shape = Shape::unknown();
    for (i, t) in c.inputs.iter().enumerate() {
        shape = shape.merge(&t.shape).map_err(|e| e.prefixed(format_args!("value {i}")))?;
    }
    let Some(rank) = shape.rank() else { return one(c.input(0).dtype, shape) };
    let axis = crate::types::normalize_axis(c.get(Stack::AXIS)?, rank + 1)?;
    one(c.input(0).dtype, shape.insert(axis, Dim::from(c.inputs.len())))
}

pub(in crate::ops) fn reshape(c: &InferContext<'_>) -> Result<Types> {
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
    let wrong = || match c.get(ONE_ELEMENT) {
        Ok(what) => not_one_element(&what, c.input(0)).with_op(""),
        Err(_) => err!("cannot reshape {} ({n} elements) to {asked}", c.shape(0)),
    };
    if unknown == 0 {
        return if fixed == n { one(dtype, asked) } else { Err(wrong()) };
    }
    if fixed == 0 && n > 0 || fixed > 0 && n % fixed != 0 {
        return Err(wrong());
    }
    let missing = n.checked_div(fixed).unwrap_or(0);
    one(dtype, dims.iter().map(|d| if d.is_known() { *d } else { Dim::from(missing) }).collect())
}

pub(in crate::ops) fn transpose(c: &InferContext<'_>) -> Result<Types> {
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
pub(in crate::ops) fn permutation(perm: &[i64], rank: usize) -> Result<Dims> {
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

pub(in crate::ops) fn expand_dims(c: &InferContext<'_>) -> Result<Types> {
    let (dtype, shape) = (c.input(0).dtype, c.shape(0));
    let Some(rank) = shape.rank() else { return one(dtype, Shape::unknown()) };
    let Some(axis) = c.integers(1) else { return one(dtype, Shape::of_rank(rank + 1)) };
    let [axis] = axis[..] else { bail!("the axis is one integer, not {axis:?}") };
    one(dtype, shape.insert(crate::types::normalize_axis(axis, rank + 1)?, Dim::from(1)))
}

pub(in crate::ops) fn squeeze(c: &InferContext<'_>) -> Result<Types> {
    let (dtype, shape) = (c.input(0).dtype, c.shape(0));
    let axes = c.get(Squeeze::SQUEEZE_DIMS)?;
    let Some(dims) = shape.dims() else { return one(dtype, Shape::unknown()) };
    if axes.is_empty() {
        // Which axes are dropped depends on unknown sizes, which may be 1.
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

pub(in crate::ops) fn broadcast_to(c: &InferContext<'_>) -> Result<Types> {
    let asked = asked_shape(c, 1)?;
    if asked.is_fully_defined() && c.shape(0).broadcast(&asked)?.is_subtype_of(&asked) {
        return one(c.input(0).dtype, asked);
    }
    if asked.is_fully_defined() && c.shape(0).is_fully_defined() {
        bail!("shape {} does not broadcast to {asked}", c.shape(0));
    }
    one(c.input(0).dtype, asked)
}

pub(in crate::ops) fn pad(c: &InferContext<'_>) -> Result<Types> {
    let dtype = c.input(0).dtype;
    check_paddings(c)?;
    let Some(dims) = c.shape(0).dims() else { return one(dtype, Shape::unknown()) };
    let Some(p) = c.integers(1) else { return one(dtype, Shape::of_rank(dims.len())) };
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

/// Checks that paddings are one pair for each axis.
pub(in crate::ops) fn check_paddings(c: &InferContext<'_>) -> Result<()> {
    let pairs = Shape::from_iter([Dim::from(c.shape(0).rank()), Dim::from(2)]);
    if !c.shape(1).is_compatible_with(&pairs) {
        let rank = c.shape(0).rank().map_or("any rank".into(), |rank| format!("rank {rank}"));
        bail!("paddings of shape {} for {rank}, not {pairs}", c.shape(1));
    }
    Ok(())
}

/// The size of an axis after padding.
pub(in crate::ops) fn padded(n: usize, before: i64, after: i64) -> Result<usize> {
    let sum = |n: usize, p: i64| n.checked_add(usize::try_from(p).ok()?);
    sum(n, before)
        .and_then(|n| sum(n, after))
        .filter(|n| i64::try_from(*n).is_ok())
        .ok_or_else(|| err!(ResourceExhausted, "padding {n} by {before} and {after} overflows"))
}

//! Kernels: ops that move elements and change shapes.

use std::mem::MaybeUninit;

use extype_kernels as k;
use smallvec::SmallVec;

use crate::array::{Array, Dims, collected, extent, num_elements};
use crate::ir::{KernelContext, Outputs, no_kernel, only};
use crate::ops::movement::infer::{gather_axes, padded, permutation, slice_extent};
use crate::ops::rules::moves::{Move, Moved, Strided, moved, row_major};
use crate::ops::{Gather, Squeeze, Stack};
use crate::types::{Result, bail, err, normalize_axis};

/// The sizes that an integer input gives.
pub(in crate::ops) fn asked_dims(c: &KernelContext<'_>, i: usize) -> Result<Dims> {
    let sizes = c.input(i).to_i64s()?;
    sizes.iter().map(|n| usize::try_from(*n).map_err(|_| err!("size {n} is negative"))).collect()
}

pub(in crate::ops) fn reshape(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, asked) = (c.input(0), c.input(1).to_i64s()?);
    let known: SmallVec<[i64; 4]> = asked.iter().copied().filter(|n| *n != -1).collect();
    let sizes: Option<Dims> = known.iter().map(|n| usize::try_from(*n).ok()).collect();
    let fixed = sizes.and_then(|sizes| num_elements(&sizes, 1).ok());
    let fixed = fixed.ok_or_else(|| err!("cannot reshape {} to {asked:?}", x.shape()))?;
    let missing = x.len().checked_div(fixed).unwrap_or(0);
    let dims: Dims = asked.iter().map(|n| usize::try_from(*n).unwrap_or(missing)).collect();
    if asked.len() > known.len() + 1 {
        bail!("only one size may be -1 in {asked:?}");
    }
    Ok([x.reshape(dims)?].into())
}

pub(in crate::ops) fn transpose(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    Ok([transposed(c, x, &permutation(&c.input(1).to_i64s()?, x.rank())?)?].into())
}

/// The axes of an array in the order of a permutation.
pub(in crate::ops) fn transposed(
    c: &KernelContext<'_>,
    x: &Array,
    perm: &[usize],
) -> Result<Array> {
    let strides = row_major(x.dims());
    let dims: Dims = perm.iter().map(|p| x.dims()[*p]).collect();
    let strides = perm.iter().map(|p| strides[*p]).collect();
    only(moved(c, &[x], dims.clone(), &Strided { offset: 0, dims, strides })?)
}

pub(in crate::ops) fn broadcast_to(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, dims) = (c.input(0), asked_dims(c, 1)?);
    let lead = dims.len().checked_sub(x.rank());
    let lead = lead.ok_or_else(|| err!("shape {} does not broadcast to {dims:?}", x.shape()))?;
    let own = row_major(x.dims());
    let strides = (0..dims.len()).map(|i| match i.checked_sub(lead) {
        Some(j) if x.dims()[j] == dims[i] => Ok(own[j]),
        Some(j) if x.dims()[j] != 1 => {
            Err(err!("shape {} does not broadcast to {dims:?}", x.shape()))
        }
        _ => Ok(0),
    });
    let strides = strides.collect::<Result<_>>()?;
    moved(c, &[x], dims.clone(), &Strided { offset: 0, dims, strides })
}

pub(in crate::ops) fn slice(c: &KernelContext<'_>) -> Result<Outputs> {
    let (begin, size) = (c.input(1).to_i64s()?, c.input(2).to_i64s()?);
    Ok([sliced(c, c.input(0), &begin, &size)?].into())
}

/// The block of sizes `size` that begins at `begin`.
pub(in crate::ops) fn sliced(
    c: &KernelContext<'_>,
    x: &Array,
    begin: &[i64],
    size: &[i64],
) -> Result<Array> {
    if begin.len() != x.rank() || size.len() != x.rank() {
        bail!("{} begins and {} sizes given for rank {}", begin.len(), size.len(), x.rank());
    }
    let extent = |(i, n): (usize, &usize)| slice_extent(i, *n, begin[i], size[i]);
    let dims: Dims = x.dims().iter().enumerate().map(extent).collect::<Result<_>>()?;
    let strides = row_major(x.dims());
    let offset: i64 = begin.iter().zip(&strides).map(|(b, s)| b * *s as i64).sum();
    // Whole rows are a view.
    if dims.get(1..) == x.dims().get(1..) && !dims.contains(&0) {
        return x.view(offset as usize, dims);
    }
    only(moved(c, &[x], dims.clone(), &Strided { offset: offset as usize, dims, strides })?)
}

struct Concat<'a> {
    outer: usize,
    /// Elements per outer row of each source.
    runs: &'a [usize],
}

impl Move for Concat<'_> {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        let parts: Vec<(&[T], usize)> =
            collected(sources.iter().zip(self.runs).map(|(s, run)| (*s, *run)))?;
        k::movement::concat(&parts, self.outer, out);
        Ok(())
    }
}

fn concatenated(
    c: &KernelContext<'_>,
    arrays: &[&Array],
    axis: usize,
    dims: Dims,
) -> Result<Outputs> {
    let outer = extent(&dims[..axis]);
    let runs = collected(arrays.iter().map(|a| extent(&a.dims()[axis.min(a.rank())..])))?;
    moved(c, arrays, dims, &Concat { outer, runs: &runs })
}

pub(in crate::ops) fn concat(c: &KernelContext<'_>) -> Result<Outputs> {
    let (axis, values) = c.inputs.split_last().ok_or_else(|| err!("nothing to concatenate"))?;
    let [axis] = axis.to_i64s()?[..] else { bail!("the axis is one integer") };
    let first = values.first().ok_or_else(|| err!("nothing to concatenate"))?;
    if first.rank() == 0 {
        bail!("scalars can't be concatenated; use `stack`");
    }
    let axis = normalize_axis(axis, first.rank())?;
    let mut dims: Dims = first.dims().into();
    dims[axis] = 0;
    for (i, v) in values.iter().enumerate() {
        let fits =
            v.rank() == dims.len() && (0..dims.len()).all(|j| j == axis || v.dims()[j] == dims[j]);
        if !fits {
            bail!("value {i} has shape {}, value 0 has {}", v.shape(), first.shape());
        }
        dims[axis] += v.dims()[axis];
    }
    concatenated(c, values, axis, dims)
}

pub(in crate::ops) fn pack(c: &KernelContext<'_>) -> Result<Outputs> {
    let first = c.inputs.first().ok_or_else(|| err!("nothing to stack"))?;
    if let Some((i, v)) = c.inputs.iter().enumerate().find(|(_, v)| v.dims() != first.dims()) {
        bail!("value {i} has shape {}, value 0 has {}", v.shape(), first.shape());
    }
    let axis = normalize_axis(c.get(Stack::AXIS)?, first.rank() + 1)?;
    let mut dims: Dims = first.dims().into();
    dims.insert(axis, c.inputs.len());
    let outer = extent(&first.dims()[..axis]);
    let run = extent(&first.dims()[axis..]);
    moved(c, c.inputs, dims, &Concat { outer, runs: &collected(c.inputs.iter().map(|_| run))? })
}

pub(in crate::ops) fn expand_dims(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let [axis] = c.input(1).to_i64s()?[..] else { bail!("the axis is one integer") };
    let mut dims: Dims = x.dims().into();
    dims.insert(normalize_axis(axis, x.rank() + 1)?, 1);
    Ok([x.reshape(dims)?].into())
}

pub(in crate::ops) fn squeeze(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let axes: Vec<i64> = c.get(Squeeze::SQUEEZE_DIMS)?;
    let axes = axes.iter().map(|a| normalize_axis(*a, x.rank())).collect::<Result<Vec<_>>>()?;
    if let Some(axis) = axes.iter().find(|a| x.dims()[**a] != 1) {
        bail!("axis {axis} of shape {} is not of size 1", x.shape());
    }
    let gone = |i: usize| if axes.is_empty() { x.dims()[i] == 1 } else { axes.contains(&i) };
    let dims: Dims = (0..x.rank()).filter(|i| !gone(*i)).map(|i| x.dims()[i]).collect();
    Ok([x.reshape(dims)?].into())
}

pub(in crate::ops) struct Gathered<'a> {
    pub(in crate::ops) batch: usize,
    /// For one batch: the outer rows, the size of the axis, the elements behind it.
    pub(in crate::ops) extents: [usize; 3],
    pub(in crate::ops) indices: &'a [i64],
}

impl Move for Gathered<'_> {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        let [outer, axis, inner] = self.extents;
        let per_batch = self.indices.len() / self.batch.max(1);
        let (from, to) = (outer * axis * inner, outer * per_batch * inner);
        for b in 0..self.batch {
            let indices = &self.indices[b * per_batch..(b + 1) * per_batch];
            let params = &sources[0][b * from..(b + 1) * from];
            k::movement::gather(params, self.extents, indices, &mut out[b * to..(b + 1) * to])
                .map_err(|e| {
                    err!(
                        OutOfRange,
                        "index {} at position {} is not in [0, {})",
                        e.index,
                        e.position,
                        e.limit
                    )
                })?;
        }
        Ok(())
    }
}

pub(in crate::ops) fn gather(c: &KernelContext<'_>) -> Result<Outputs> {
    let (params, indices) = (c.input(0), c.input(1));
    let [axis] = c.input(2).to_i64s()?[..] else { bail!("the axis is one integer") };
    let (axis, batch) =
        gather_axes(axis, c.get(Gather::BATCH_DIMS)?, params.rank(), indices.rank())?;
    let (p, i) = (params.dims(), indices.dims());
    if p[..batch] != i[..batch] {
        bail!("batch dimensions differ: {} and {}", params.shape(), indices.shape());
    }
    let dims: Dims = [&p[..axis], &i[batch..], &p[axis + 1..]].concat().into();
    let indices = indices.to_i64s()?;
    let extents = [extent(&p[batch..axis]), p[axis], extent(&p[axis + 1..])];
    if num_elements(&dims, 1)? == 0 {
        // No element is moved, but an index out of range is still an error.
        if let Some(bad) = indices.iter().find(|i| **i < 0 || **i >= p[axis] as i64) {
            bail!(OutOfRange, "index {bad} is not in [0, {})", p[axis]);
        }
        return moved(c, &[params], dims, &Nothing);
    }
    moved(c, &[params], dims, &Gathered { batch: extent(&p[..batch]), extents, indices: &indices })
}

/// The movement into a result without elements.
struct Nothing;

impl Move for Nothing {
    fn run<T: Moved>(&self, _: &[&[T]], _: &mut [MaybeUninit<T>]) -> Result<()> {
        Ok(())
    }
}

pub(in crate::ops) fn fill(c: &KernelContext<'_>) -> Result<Outputs> {
    let (dims, value) = (asked_dims(c, 0)?, c.input(1));
    if value.rank() != 0 {
        bail!("the value is a scalar, not of shape {}", value.shape());
    }
    if c.input(0).rank() != 1 {
        return Err(no_kernel(c));
    }
    let strides = SmallVec::from_elem(0, dims.len());
    moved(c, &[value], dims.clone(), &Strided { offset: 0, dims, strides })
}

pub(in crate::ops) fn pad(c: &KernelContext<'_>) -> Result<Outputs> {
    Ok([zero_padded(c, c.input(0), &c.input(1).to_i64s()?)?].into())
}

/// Pads an array with zeros; `p` has a pair of paddings for each axis.
pub(in crate::ops) fn zero_padded(c: &KernelContext<'_>, x: &Array, p: &[i64]) -> Result<Array> {
    if p.len() != 2 * x.rank() || p.iter().any(|n| *n < 0) {
        bail!("paddings {p:?} for shape {}", x.shape());
    }
    let pairs: Vec<(usize, usize)> = p.chunks(2).map(|p| (p[0] as usize, p[1] as usize)).collect();
    let grown = |(n, p): (&usize, &[i64])| padded(*n, p[0], p[1]);
    let dims: Dims = x.dims().iter().zip(p.chunks(2)).map(grown).collect::<Result<_>>()?;
    only(moved(c, &[x], dims, &Padding { dims: x.dims(), pairs: &pairs })?)
}

struct Padding<'a> {
    dims: &'a [usize],
    pairs: &'a [(usize, usize)],
}

impl Move for Padding<'_> {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        // Zero is all bits zero for every number and false for bools.
        k::movement::pad(sources[0], self.dims, self.pairs, &T::default(), out);
        Ok(())
    }
}

//! Kernels: ops that move elements and change shapes.

use std::mem::MaybeUninit;

use extype_kernels as k;
use smallvec::SmallVec;

use crate::array::{Array, Dims, collected, extent, num_elements};
use crate::ir::{KernelContext, Outputs, only};
use crate::ops::movement::infer::{padded, permutation};
use crate::ops::rules::moves::{Move, Moved, Strided, moved, row_major};
use crate::ops::{Squeeze, Stack};
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
    only(moved(c, &[x], dims.clone(), &Strided { offset: 0, dims, strides, par: c.par })?)
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
    moved(c, &[x], dims.clone(), &Strided { offset: 0, dims, strides, par: c.par })
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

pub(in crate::ops) fn concatenated(
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

//! Kernels: elements and slices picked and put by coordinates; indices, partitions.

use std::mem::MaybeUninit;

use super::infer::{gather_axes, half};
use crate::array::{Array, Dims, ask_for, extent, num_elements, vec_for};
use crate::ir::{KernelContext, Outputs, only};
use crate::ops::ordering::kernel::{cast, indices};
use crate::ops::rules::infer::count;
use crate::ops::rules::moves::{Gathered, Move, Moved, moved};
use crate::ops::{DynamicPartition, Gather, OneHot, ShapeN};
use crate::types::{DType, Result, bail, err, normalize_axis};

/// One value at the places that `indices` give, another elsewhere. Each index has `depth` places; a
/// row has `inner` indices.
struct Placed<'a> {
    indices: &'a [i64],
    depth: usize,
    inner: usize,
}

impl Move for Placed<'_> {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        let (on, off) = (&sources[0][0], &sources[1][0]);
        for out in out.iter_mut() {
            out.write(*off);
        }
        for (i, index) in self.indices.iter().enumerate() {
            // An index that is out of range has no place.
            if let Some(index) = usize::try_from(*index).ok().filter(|i| *i < self.depth) {
                let (row, column) = (i / self.inner, i % self.inner);
                out[(row * self.depth + index) * self.inner + column].write(*on);
            }
        }
        Ok(())
    }
}

pub(in crate::ops) fn one_hot(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, on, off) = (c.input(0), c.input(2), c.input(3));
    let [depth] = c.input(1).to_i64s()?[..] else {
        bail!("the depth is a scalar, not of shape {}", c.input(1).shape())
    };
    let depth = usize::try_from(depth).map_err(|_| err!("the depth {depth} is negative"))?;
    if on.rank() != 0 || off.rank() != 0 {
        bail!("the values are scalars, not of shape {} and {}", on.shape(), off.shape());
    }
    let axis: i64 = c.get(OneHot::AXIS)?;
    let axis = normalize_axis(axis, x.rank() + 1)?;
    let inner = extent(&x.dims()[axis..]);
    let mut dims: Dims = x.dims().into();
    dims.insert(axis, depth);
    let indices = cast(x, DType::I64)?;
    moved(c, &[on, off], dims, &Placed { indices: indices.as_slice()?, depth, inner })
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

pub(in crate::ops) fn invert_permutation(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    if x.rank() != 1 {
        bail!("a permutation is a vector, not of shape {}", x.shape());
    }
    let places = x.to_i64s()?;
    let mut inverse: Vec<i64> = vec_for(places.len())?;
    inverse.resize(places.len(), -1);
    for (i, place) in places.iter().enumerate() {
        let slot = usize::try_from(*place).ok().and_then(|p| inverse.get_mut(p));
        match slot {
            None => bail!("{place} at position {i} is not in [0, {})", places.len()),
            Some(slot) if *slot >= 0 => bail!("{place} stands at positions {slot} and {i}"),
            Some(slot) => *slot = i as i64,
        }
    }
    Ok([indices(x.dims(), &inverse, x.dtype())?].into())
}

pub(in crate::ops) fn dynamic_partition(c: &KernelContext<'_>) -> Result<Outputs> {
    let (data, partitions) = (c.input(0), c.input(1));
    let n = count(c.attrs, DynamicPartition::NUM_PARTITIONS)?;
    if data.dims().get(..partitions.rank()) != Some(partitions.dims()) {
        bail!(
            "partitions of shape {} for data of shape {}: the first axes must agree",
            partitions.shape(),
            data.shape()
        );
    }
    let mut rows: Vec<Vec<i64>> = vec_for(n)?;
    ask_for::<[i64; 2]>(partitions.len())?;
    rows.resize_with(n, Vec::new);
    for (i, p) in partitions.to_i64s()?.iter().enumerate() {
        let part = usize::try_from(*p).ok().and_then(|p| rows.get_mut(p));
        part.ok_or_else(|| err!("partition {p} at position {i} is not in [0, {n})"))?
            .push(i as i64);
    }
    let tail = &data.dims()[partitions.rank()..];
    let extents = [1, partitions.len(), extent(tail)];
    let part = |rows: &Vec<i64>| {
        let dims: Dims = std::iter::once(rows.len()).chain(tail.iter().copied()).collect();
        only(moved(c, &[data], dims, &Gathered { batch: 1, extents, indices: rows })?)
    };
    rows.iter().map(part).collect()
}

/// Rows from several sources; rows without a source are zeros.
struct Rows<'a> {
    /// For each row of the result, its source and its row number there.
    from: &'a [Option<(usize, usize)>],
    inner: usize,
}

impl Move for Rows<'_> {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        if self.inner == 0 {
            return Ok(());
        }
        for (from, out) in self.from.iter().zip(out.chunks_exact_mut(self.inner)) {
            let row = from.map(|(source, row)| &sources[source][row * self.inner..]);
            for (i, out) in out.iter_mut().enumerate() {
                out.write(row.map_or_else(T::default, |row| row[i]));
            }
        }
        Ok(())
    }
}

pub(in crate::ops) fn dynamic_stitch(c: &KernelContext<'_>) -> Result<Outputs> {
    let (ids, data) = c.inputs.split_at(half(c.inputs.len())?);
    let data_shape = data[0].shape();
    let tail = data[0].dims().get(ids[0].rank()..).unwrap_or_default();
    let mut last = None;
    let mut all = Vec::with_capacity(ids.len());
    for ids in ids {
        let ids = ids.to_i64s()?;
        last = ids.iter().copied().max().max(last);
        all.push(ids);
    }
    let count = last.map_or(0, |last| usize::try_from(last).map_or(0, |last| last + 1));
    let dims: Dims = std::iter::once(count).chain(tail.iter().copied()).collect();
    num_elements(&dims, data[0].dtype().size().unwrap_or(1))?;
    let mut from: Vec<Option<(usize, usize)>> = vec_for(count)?;
    from.resize(count, None);
    for (source, (ids, data)) in ids.iter().zip(data).enumerate() {
        if data.dims().get(..ids.rank()) != Some(ids.dims()) || &data.dims()[ids.rank()..] != tail {
            bail!(
                "indices {source} have shape {}, their data {}; data 0 has {}",
                ids.shape(),
                data.shape(),
                data_shape
            );
        }
        for (row, id) in all[source].iter().enumerate() {
            let id = usize::try_from(*id)
                .map_err(|_| err!("index {id} of indices {source} is negative"))?;
            // Of several rows for one index the last wins.
            from[id] = Some((source, row));
        }
    }
    // Wraps only where a size of zero leaves nothing to move.
    let inner = extent(tail);
    moved(c, data, dims, &Rows { from: &from, inner })
}

pub(in crate::ops) fn unravel_index(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, dims) = (c.input(0), c.input(1));
    if x.rank() > 1 || dims.rank() != 1 {
        bail!(
            "a scalar or vector of indices and a vector of sizes, not {} and {}",
            x.shape(),
            dims.shape()
        );
    }
    let sizes = dims.to_i64s()?;
    let count = sizes.iter().try_fold(1i64, |n, d| n.checked_mul(*d).filter(|_| *d > 0));
    let count = count.ok_or_else(|| err!("sizes {sizes:?} make no array: each is positive"))?;
    let flat = x.to_i64s()?;
    if let Some(bad) = flat.iter().find(|i| !(0..count).contains(*i)) {
        bail!("index {bad} is not in an array of sizes {sizes:?}: [0, {count})");
    }
    let n = flat.len();
    let many = sizes.len().saturating_mul(n);
    let mut places: Vec<i64> = vec_for(many)?;
    places.resize(many, 0);
    for (i, index) in flat.iter().enumerate() {
        let mut rest = *index;
        for (axis, size) in sizes.iter().enumerate().rev() {
            places[axis * n + i] = rest % size;
            rest /= size;
        }
    }
    let dims: Dims = std::iter::once(sizes.len()).chain(x.dims().iter().copied()).collect();
    Ok([indices(dims, &places, x.dtype())?].into())
}

/// Sizes of several tensors.
pub(in crate::ops) fn shape_n(c: &KernelContext<'_>) -> Result<Outputs> {
    let dtype = c.get(ShapeN::OUT_TYPE)?;
    let sizes = |a: &&Array| {
        let sizes: Vec<i64> = a.dims().iter().map(|n| *n as i64).collect();
        indices([sizes.len()], &sizes, dtype)
    };
    c.inputs.iter().map(sizes).collect()
}

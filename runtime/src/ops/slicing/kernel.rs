//! Kernels: slices, reversed, rolled, repeated, mirrored and split tensors, and sums of many.

use std::mem::MaybeUninit;

use extype_kernels as k;
use extype_kernels::movement as loops;
use smallvec::SmallVec;

use super::infer;
use crate::array::{Array, Dims, collected, extent, num_elements, vec_for};
use crate::ir::{KernelContext, Outputs, no_kernel, only, reduced_axes, typed, worked};
use crate::ops::movement::infer::padded;
use crate::ops::movement::kernel::asked_dims;
use crate::ops::ordering::kernel::cast;
use crate::ops::rules::infer::count;
use crate::ops::rules::moves::{Move, Moved, Strided, moved, row_major};
use crate::ops::slicing::strided::{Bounds, Masks, view};
use crate::ops::{Add, Bitcast, EnsureShape, MirrorPad, Op, ReverseSequence, Split, Unstack};
use crate::types::{DType, Result, Shape, bail, normalize_axis};

pub(super) type View = (usize, Dims, SmallVec<[isize; 4]>);

/// The elements of a view of an array: shared if they are contiguous, otherwise copied.
fn viewed(c: &KernelContext<'_>, x: &Array, (offset, dims, strides): View) -> Result<Outputs> {
    let mut step = 1isize;
    let whole = dims.iter().zip(&strides).rev().all(|(n, s)| {
        let fits = *n == 1 || *s == step;
        step = step.wrapping_mul(*n as isize);
        fits
    });
    if whole && !dims.contains(&0) {
        return Ok([x.view(offset, dims)?].into());
    }
    moved(c, &[x], dims.clone(), &Strided { offset, dims, strides, par: c.par })
}

pub(super) fn slice_view(c: &KernelContext<'_>, dims: &[usize], first: usize) -> Result<View> {
    let list = |i: usize| {
        if c.input(first + i).rank() != 1 {
            bail!("begins, ends and strides are vectors");
        }
        c.input(first + i).to_i64s()
    };
    let (begin, end, strides) = (list(0)?, list(1)?, list(2)?);
    let bounds = Bounds { begin: Some(&begin), end: Some(&end), strides: &strides };
    view(dims, &bounds, Masks::of(c.attrs)?)
}

pub(in crate::ops) fn strided_slice(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    viewed(c, x, slice_view(c, x.dims(), 1)?)
}

/// Writes the operand's elements into a view, and the default everywhere else.
pub(super) struct Spread(pub View);

impl Move for Spread {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        let (offset, dims, strides) = &self.0;
        fill(out, &T::default());
        loops::strided_assign(sources[0], *offset, dims, strides, out);
        Ok(())
    }
}

/// Writes one value everywhere.
pub(in crate::ops) fn fill<T: Clone>(out: &mut [MaybeUninit<T>], value: &T) {
    for o in out {
        o.write(value.clone());
    }
}

pub(in crate::ops) fn strided_slice_grad(c: &KernelContext<'_>) -> Result<Outputs> {
    let (dims, dy) = (asked_dims(c, 0)?, c.input(4));
    num_elements(&dims, 1)?;
    let view = slice_view(c, &dims, 1)?;
    if view.1[..] != *dy.dims() {
        bail!(
            "a slice of shape {} has no gradient of shape {}",
            Shape::from(&view.1[..]),
            dy.shape()
        );
    }
    moved(c, &[dy], dims, &Spread(view))
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
    let extent = |(i, n): (usize, &usize)| infer::slice_extent(i, *n, begin[i], size[i]);
    let dims: Dims = x.dims().iter().enumerate().map(extent).collect::<Result<_>>()?;
    let strides = row_major(x.dims());
    let offset: i64 = begin.iter().zip(&strides).map(|(b, s)| b * *s as i64).sum();
    // Whole rows are a view.
    if dims.get(1..) == x.dims().get(1..) && !dims.contains(&0) {
        return x.view(offset as usize, dims);
    }
    only(moved(
        c,
        &[x],
        dims.clone(),
        &Strided { offset: offset as usize, dims, strides, par: c.par },
    )?)
}

pub(in crate::ops) fn reverse(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, axes) = (c.input(0), c.input(1).to_i64s()?);
    let reversed = reduced_axes(&axes, x.rank())?;
    let mut strides = row_major(x.dims());
    let mut offset = 0;
    for (i, n) in x.dims().iter().enumerate().filter(|(i, _)| reversed[*i]) {
        offset = n.saturating_sub(1).wrapping_mul(strides[i] as usize).wrapping_add(offset);
        strides[i] = -strides[i];
    }
    moved(c, &[x], x.dims(), &Strided { offset, dims: x.dims().into(), strides, par: c.par })
}

struct Reversed<'a>(loops::Sequences, &'a [usize]);

impl Move for Reversed<'_> {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        loops::reverse_sequences(sources[0], self.0, self.1, out);
        Ok(())
    }
}

pub(in crate::ops) fn reverse_sequence(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, lengths) = (c.input(0), c.input(1));
    let (seq, batch) = infer::sequence_axes(
        c.get(ReverseSequence::SEQ_DIM)?,
        c.get(ReverseSequence::BATCH_DIM)?,
        x.rank(),
    )?;
    let dims = x.dims();
    if lengths.dims() != &dims[batch..=batch] {
        bail!("lengths of shape {} for axis {batch} of shape {}", lengths.shape(), x.shape());
    }
    let lengths = lengths.to_i64s()?;
    infer::check_lengths(&lengths, seq, dims[seq])?;
    if x.is_empty() {
        return Ok([x.renewed()?].into());
    }
    let lengths: Vec<usize> = lengths.iter().map(|n| *n as usize).collect();
    let (first, second) = (seq.min(batch), seq.max(batch));
    let sizes = [
        extent(&dims[..first]),
        dims[first],
        extent(&dims[first + 1..second]),
        dims[second],
        extent(&dims[second + 1..]),
    ];
    let view = loops::Sequences { sizes, batch_first: batch < seq };
    moved(c, &[x], dims, &Reversed(view, &lengths))
}

/// A copy from offsets given by a table for each axis.
struct Mapped(Vec<Vec<usize>>);

impl Move for Mapped {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        worked(loops::mapped_copy(sources[0], &self.0, out))
    }
}

/// Turns positions along each axis of an array of these sizes into offsets. The last axes without
/// positions become one.
fn offsets(dims: &[usize], positions: &[Option<Vec<usize>>]) -> Result<Vec<Vec<usize>>> {
    let strides = row_major(dims);
    let last = positions.iter().rposition(Option::is_some).map_or(0, |i| i + 1);
    let mut tables: Vec<Vec<usize>> = (0..last)
        .map(|i| match &positions[i] {
            Some(p) => collected(p.iter().map(|p| p * strides[i] as usize)),
            None => collected((0..dims[i]).map(|p| p * strides[i] as usize)),
        })
        .collect::<Result<_>>()?;
    tables.push(collected(0..extent(&dims[last..]))?);
    Ok(tables)
}

pub(in crate::ops) fn roll(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, shift, axes) = (c.input(0), c.input(1), c.input(2));
    if x.rank() == 0 {
        bail!("a scalar has no axis to roll along");
    }
    if shift.rank() > 1 || shift.dims() != axes.dims() {
        bail!(
            "shifts of shape {} for axes of shape {}: one for each axis",
            shift.shape(),
            axes.shape()
        );
    }
    let mut shifts: Dims = SmallVec::from_elem(0, x.rank());
    for (shift, axis) in shift.to_i64s()?.iter().zip(&axes.to_i64s()?) {
        let axis = normalize_axis(*axis, x.rank())?;
        let n = x.dims()[axis].max(1) as i64;
        shifts[axis] = (shifts[axis] + shift.rem_euclid(n) as usize) % n as usize;
    }
    if x.is_empty() {
        return Ok([x.renewed()?].into());
    }
    moved(c, &[x], x.dims(), &Rolled(x.dims(), &shifts))
}

struct Rolled<'a>(&'a [usize], &'a [usize]);

impl Move for Rolled<'_> {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        loops::roll(sources[0], self.0, self.1, out);
        Ok(())
    }
}

struct Tile<'a>(&'a [usize], &'a [usize]);

impl Move for Tile<'_> {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        if !out.is_empty() {
            loops::tile(sources[0], self.0, self.1, out, k::Par::Pool);
        }
        Ok(())
    }
}

pub(in crate::ops) fn tile(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, multiples) = (c.input(0), c.input(1));
    if multiples.dims() != [x.rank()] {
        bail!("multiples of shape {} for rank {}", multiples.shape(), x.rank());
    }
    let multiples = multiples.to_i64s()?;
    let size = |(i, n): (usize, &usize)| infer::tiled(i, *n, multiples[i]);
    let dims: Dims = x.dims().iter().enumerate().map(size).collect::<Result<_>>()?;
    let multiples: Dims = multiples.iter().map(|m| *m as usize).collect();
    moved(c, &[x], dims, &Tile(x.dims(), &multiples))
}

pub(in crate::ops) fn broadcast_args(c: &KernelContext<'_>) -> Result<Outputs> {
    let (a, b) = (c.input(0), c.input(1));
    if a.rank() != 1 || b.rank() != 1 {
        bail!("shapes are vectors, not of shape {} and {}", a.shape(), b.shape());
    }
    let sizes = infer::broadcast_sizes(&a.to_i64s()?, &b.to_i64s()?)?;
    let array = match a.dtype() {
        // Each size is one of the two given.
        DType::I32 => {
            Array::from_slice([sizes.len()], &sizes.iter().map(|n| *n as i32).collect::<Vec<_>>())
        }
        _ => Array::from_slice([sizes.len()], &sizes),
    };
    Ok([array?].into())
}

/// The axis that a scalar input names.
fn axis_of(c: &KernelContext<'_>, i: usize, rank: usize) -> Result<usize> {
    match c.input(i).to_i64s()?[..] {
        [axis] => normalize_axis(axis, rank),
        _ => bail!("the axis is one integer, not of shape {}", c.input(i).shape()),
    }
}

/// Consecutive parts of an axis, of these sizes.
fn parts(c: &KernelContext<'_>, x: &Array, axis: usize, sizes: &[usize]) -> Result<Outputs> {
    let strides = row_major(x.dims());
    let mut begin = 0;
    let mut all = Outputs::new();
    for size in sizes {
        let mut dims: Dims = x.dims().into();
        dims[axis] = *size;
        all.extend(viewed(c, x, (begin * strides[axis] as usize, dims, strides.clone()))?);
        begin += size;
    }
    Ok(all)
}

pub(in crate::ops) fn split(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(1);
    let axis = axis_of(c, 0, x.rank())?;
    let n = count(c.attrs, Split::NUM_SPLIT)?;
    let size = infer::part_size(axis, x.dims()[axis], n)?;
    parts(c, x, axis, &collected((0..n).map(|_| size))?)
}

pub(in crate::ops) fn split_v(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let axis = axis_of(c, 2, x.rank())?;
    let asked = c.input(1).to_i64s()?;
    parts(
        c,
        x,
        axis,
        &infer::part_sizes(axis, x.dims()[axis], &asked, count(c.attrs, Split::NUM_SPLIT)?)?,
    )
}

pub(in crate::ops) fn unpack(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let axis = infer::unpacked_axis(c.get(Unstack::AXIS)?, &x.shape())?;
    let n = count(c.attrs, Unstack::NUM)?;
    if x.dims()[axis] != n {
        bail!("axis {axis} of shape {} has not size {n}, as `num` says", x.shape());
    }
    let mut strides = row_major(x.dims());
    let step = strides.remove(axis) as usize;
    let mut dims: Dims = x.dims().into();
    dims.remove(axis);
    let mut all = Outputs::new();
    for i in 0..n {
        all.extend(viewed(c, x, (i * step, dims.clone(), strides.clone()))?);
    }
    Ok(all)
}

/// For each axis of sizes `inner`, the source positions of the padded axis, or `None` without
/// padding.
fn mirrored(c: &KernelContext<'_>, inner: &[usize]) -> Result<Vec<Option<Vec<usize>>>> {
    let skipped = c.get(MirrorPad::MODE)?.skipped();
    let paddings = c.input(1).to_i64s()?;
    let axis = |(i, n): (usize, &usize)| {
        let p: [i64; 2] = paddings.as_chunks().0[i];
        infer::check_mirror(i, *n, p, skipped)?;
        let [before, after] = p.map(|p| p as usize);
        if before + after == 0 {
            return Ok(None);
        }
        let left = (skipped..before + skipped).rev();
        let right = (n - after - skipped..n - skipped).rev();
        let mut places = vec_for(before + n + after)?;
        places.extend(left.chain(0..*n).chain(right));
        Ok(Some(places))
    };
    inner.iter().enumerate().map(axis).collect()
}

/// Checks that there is a pair of paddings for each axis, none negative.
fn check_paddings(x: &Array, paddings: &Array) -> Result<()> {
    let p = paddings.to_i64s()?;
    if paddings.dims() != [x.rank(), 2] {
        bail!("paddings of shape {} for rank {}", paddings.shape(), x.rank());
    }
    match p.iter().find(|p| **p < 0) {
        Some(negative) => bail!("padding {negative} is negative"),
        None => Ok(()),
    }
}

pub(in crate::ops) fn mirror_pad(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    check_paddings(x, c.input(1))?;
    let paddings = c.input(1).to_i64s()?;
    let skipped = c.get(MirrorPad::MODE)?.skipped();
    let grown = x.dims().iter().zip(paddings.as_chunks::<2>().0).enumerate().map(|(i, (n, p))| {
        infer::check_mirror(i, *n, *p, skipped)?;
        padded(*n, p[0], p[1])
    });
    let dims: Dims = grown.collect::<Result<_>>()?;
    if x.is_empty() {
        // An empty axis has no edge to mirror, so it stays empty.
        return Ok([x.reshape(dims)?].into());
    }
    let positions = mirrored(c, x.dims())?;
    moved(c, &[x], dims, &Mapped(offsets(x.dims(), &positions)?))
}

pub(in crate::ops) fn mirror_pad_grad(c: &KernelContext<'_>) -> Result<Outputs> {
    let (dy, skipped) = (c.input(0), c.get(MirrorPad::MODE)?.skipped());
    check_paddings(dy, c.input(1))?;
    let paddings = c.input(1).to_i64s()?;
    let inner = dy.dims().iter().zip(paddings.as_chunks::<2>().0).enumerate();
    let inner = inner.map(|(i, (n, p))| infer::unpadded(i, *n, *p, skipped));
    let dims: Dims = inner.collect::<Result<_>>()?;
    let tables = match dims.contains(&0) {
        true => vec![Vec::new()],
        false => offsets(&dims, &mirrored(c, &dims)?)?,
    };
    // In 16-bit floats each sum would be rounded, so these are summed in float32.
    let half = matches!(dy.dtype(), DType::F16 | DType::BF16);
    let wide = if half { cast(dy, DType::F32)? } else { dy.clone() };
    let sum: Array = typed!(numeric, c, wide.dtype(), T => {
        let dy = wide.as_slice::<T>()?;
        c.output_slice(&dims, |out: &mut [T]| {
            out.fill(T::default());
            worked(loops::mapped_add(dy, &tables, out))
        })
    })?;
    Ok([if half { cast(&sum, dy.dtype())? } else { sum }].into())
}

struct Padded<'a>(&'a [usize], &'a [(usize, usize)]);

impl Move for Padded<'_> {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        loops::pad(sources[0], self.0, self.1, &sources[1][0], out);
        Ok(())
    }
}

pub(in crate::ops) fn pad_with(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, value) = (c.input(0), c.input(2));
    check_paddings(x, c.input(1))?;
    if value.rank() != 0 {
        bail!("the value is a scalar, not of shape {}", value.shape());
    }
    let p = c.input(1).to_i64s()?;
    let pairs: Vec<(usize, usize)> = p.chunks(2).map(|p| (p[0] as usize, p[1] as usize)).collect();
    let grown = |(n, p): (&usize, &[i64])| padded(*n, p[0], p[1]);
    let dims: Dims = x.dims().iter().zip(p.chunks(2)).map(grown).collect::<Result<_>>()?;
    moved(c, &[x, value], dims, &Padded(x.dims(), &pairs))
}

pub(in crate::ops) fn ensure_shape(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, asked) = (c.input(0), c.get(EnsureShape::SHAPE)?);
    if !x.shape().is_subtype_of(&asked) {
        bail!("the shape is {}, not {asked} as asked", x.shape());
    }
    Ok([x.renewed()?].into())
}

pub(in crate::ops) fn bitcast(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, to) = (c.input(0), c.get(Bitcast::DTYPE)?);
    let (Some(bytes), Some(a), Some(b)) = (x.as_bytes(), x.dtype().size(), to.size()) else {
        return Err(no_kernel(c));
    };
    let mut dims: Dims = x.dims().into();
    match dims.last() {
        _ if to == DType::Bool => bail!("bytes can't be read as bool"),
        _ if a == b => {}
        _ if a > b => dims.push(a / b),
        Some(n) if *n == b / a => {
            dims.pop();
        }
        _ => bail!("the last size of {} is not {}", x.shape(), b / a),
    }
    Ok([Array::from_bytes(to, dims, bytes)?].into())
}

pub(in crate::ops) fn add_n(c: &KernelContext<'_>) -> Result<Outputs> {
    let first = c.input(0);
    if let Some((i, x)) = c.inputs.iter().enumerate().find(|(_, x)| x.dims() != first.dims()) {
        bail!("input {i} has shape {}, input 0 has {}", x.shape(), first.shape());
    }
    let mut sum = first.renewed()?;
    for x in &c.inputs[1..] {
        sum = added(&sum, x)?;
    }
    Ok([sum].into())
}

/// The sum of two arrays. Variants are added by their contents, which may be lists of lists.
fn added(x: &Array, y: &Array) -> Result<Array> {
    if x.dtype() != DType::Variant || y.dtype() != DType::Variant {
        return only(Add::default().compute(&[x, y])?);
    }
    if x.dims() != y.dims() {
        bail!("variants of shape {} and {} have no sum", x.shape(), y.shape());
    }
    let sums = x.as_variants()?.iter().zip(y.as_variants()?).map(|(x, y)| x.sum(y, &added));
    Array::from_variants(x.dims(), sums.collect::<Result<_>>()?)
}

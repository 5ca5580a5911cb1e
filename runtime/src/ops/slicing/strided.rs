//! Strided slices: from begins, ends, strides and masks to a view.

use smallvec::SmallVec;

use crate::array::Dims;
use crate::ir::{Attrs, InferContext, Types};
use crate::ops::StridedSlice;
use crate::ops::rules::infer::{asked_shape, one};
use crate::types::{Dim, Result, Shape, bail};

/// The masks of a strided slice: bit `i` is about entry `i` of begins, ends and strides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Masks {
    /// The begin is ignored: the slice starts at the first element, or the last for a negative
    /// stride.
    begin: i64,
    /// The end is ignored.
    end: i64,
    /// The entry stands for all axes that no other entry names.
    ellipsis: i64,
    /// The entry is a new axis of size 1.
    new_axis: i64,
    /// The entry is one index; its axis is removed.
    shrink_axis: i64,
}

impl Masks {
    /// The masks among the attributes of a call.
    pub(crate) fn of(attrs: &Attrs) -> Result<Self> {
        Ok(Self {
            begin: attrs.get(StridedSlice::BEGIN_MASK)?,
            end: attrs.get(StridedSlice::END_MASK)?,
            ellipsis: attrs.get(StridedSlice::ELLIPSIS_MASK)?,
            new_axis: attrs.get(StridedSlice::NEW_AXIS_MASK)?,
            shrink_axis: attrs.get(StridedSlice::SHRINK_AXIS_MASK)?,
        })
    }

    /// True if a slice of a vector is one element, and not a range.
    pub(crate) fn are_of_index(self) -> bool {
        // An index has no end.
        Self { end: 0, ..self } == Self { shrink_axis: 1, ..Self::default() }
    }
}

/// Begins, ends and strides of a slice; what is not known while tracing is `None`.
pub(in crate::ops) struct Bounds<'a> {
    pub begin: Option<&'a [i64]>,
    pub end: Option<&'a [i64]>,
    pub strides: &'a [i64],
}

/// One axis of the result, or an axis of the operand that the result lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ops) enum Part {
    /// Elements of the next axis of the operand.
    Axis { begin: i64, stride: i64, size: Dim },
    /// One element of the next axis of the operand; the axis is removed.
    Shrunk { begin: i64 },
    /// An axis of size 1 that the operand does not have.
    New,
}

/// An entry of the slice, or an axis that the ellipsis stands for.
enum Entry {
    Whole,
    New,
    At(usize),
}

/// The parts of a strided slice of a tensor with these dimensions.
///
/// # Errors
/// `InvalidArgument` for lists of different lengths, two ellipses, a stride of zero, more entries
/// than axes, an index out of bounds.
pub(in crate::ops) fn parts(dims: &[Dim], bounds: &Bounds<'_>, masks: Masks) -> Result<Vec<Part>> {
    let n = bounds.strides.len();
    for (name, list) in [("begin", bounds.begin), ("end", bounds.end)] {
        if let Some(list) = list.filter(|l| l.len() != n) {
            bail!("`{name}` has {} entries and `strides` {n}: they go together", list.len());
        }
    }
    if n >= 32 {
        bail!("a slice has at most 31 entries, not {n}");
    }
    let mut axis = 0;
    let mut parts = Vec::with_capacity(dims.len() + 1);
    for entry in entries(n, dims.len(), masks)? {
        parts.push(match entry {
            Entry::New => {
                parts.push(Part::New);
                continue;
            }
            Entry::Whole => Part::Axis { begin: 0, stride: 1, size: dims[axis] },
            Entry::At(i) => part(axis, dims[axis], i, bounds, masks)?,
        });
        axis += 1;
    }
    Ok(parts)
}

/// The entries with the ellipsis expanded. A missing ellipsis is added at the end.
fn entries(n: usize, rank: usize, masks: Masks) -> Result<Vec<Entry>> {
    let bit = |mask: i64, i: usize| mask >> i & 1 == 1;
    let ellipses: Vec<usize> = (0..n).filter(|i| bit(masks.ellipsis, *i)).collect();
    if ellipses.len() > 1 {
        bail!("several ellipses, at {ellipses:?}; one stands for all axes that are not given");
    }
    let axes = (0..n).filter(|i| !ellipses.contains(i) && !bit(masks.new_axis, *i)).count();
    let Some(whole) = rank.checked_sub(axes) else {
        if rank == 0 {
            bail!("a scalar can't be sliced; {axes} indices given");
        }
        bail!("{axes} indices given for rank {rank}");
    };
    let mut entries = Vec::with_capacity(n + whole);
    for i in 0..n {
        match ellipses.first() {
            Some(e) if *e == i => entries.extend((0..whole).map(|_| Entry::Whole)),
            _ if bit(masks.new_axis, i) => entries.push(Entry::New),
            _ => entries.push(Entry::At(i)),
        }
    }
    if ellipses.is_empty() {
        entries.extend((0..whole).map(|_| Entry::Whole));
    }
    Ok(entries)
}

/// The part of an axis that entry `i` takes.
fn part(axis: usize, dim: Dim, i: usize, bounds: &Bounds<'_>, masks: Masks) -> Result<Part> {
    let bit = |mask: i64| mask >> i & 1 == 1;
    let (begin, end) = (bounds.begin.map(|b| b[i]), bounds.end.map(|e| e[i]));
    let stride = bounds.strides[i];
    if stride == 0 {
        bail!("the stride of axis {axis} is zero; write 1, or a negative one to go backwards");
    }
    let n = dim.size().map(|n| n as i64);
    if bit(masks.shrink_axis) {
        if stride < 0 {
            bail!("one index of axis {axis} goes with a stride of 1, not {stride}");
        }
        let (Some(begin), Some(n)) = (begin, n) else { return Ok(Part::Shrunk { begin: 0 }) };
        let at = if begin < 0 { begin + n } else { begin };
        if !(0..n).contains(&at) {
            bail!("index {begin} of axis {axis} is out of bounds: its size is {n}");
        }
        return Ok(Part::Shrunk { begin: at });
    }
    let unknown = Part::Axis { begin: 0, stride, size: Dim::UNKNOWN };
    let Some(n) = n else { return Ok(unknown) };
    // The positions that bounds are clamped to. An end may be one after the last element, or one
    // before the first.
    let (least, most) = if stride > 0 { (0, n) } else { (-1, n - 1) };
    let (first, last) = if stride > 0 { (least, most) } else { (most, least) };
    let cut = |x: i64| (if x < 0 { x + n } else { x }).clamp(least, most.max(least));
    let begin = if bit(masks.begin) { Some(first) } else { begin.map(cut) };
    let end = if bit(masks.end) { Some(last) } else { end.map(cut) };
    let (Some(begin), Some(end)) = (begin, end) else { return Ok(unknown) };
    let steps = if stride > 0 { end - begin } else { begin - end };
    let size = usize::try_from(steps).unwrap_or(0).div_ceil(stride.unsigned_abs() as usize);
    Ok(Part::Axis { begin, stride, size: Dim::from(size) })
}

/// A strided slice as a view: the position of its first element, its sizes and strides.
pub(in crate::ops) fn view(
    dims: &[usize],
    bounds: &Bounds<'_>,
    masks: Masks,
) -> Result<(usize, Dims, SmallVec<[isize; 4]>)> {
    let known: SmallVec<[Dim; 4]> = dims.iter().map(|n| Dim::from(*n)).collect();
    let (mut sizes, mut strides) = (Dims::new(), SmallVec::new());
    let (mut offset, mut axis) = (0i64, 0);
    for part in parts(&known, bounds, masks)? {
        // Products wrap only where a size of zero leaves no element to be found.
        let behind = dims.get(axis + 1..).unwrap_or_default().iter();
        let step = behind.fold(1i64, |n, d| n.wrapping_mul(*d as i64));
        match part {
            Part::New => {
                sizes.push(1);
                strides.push(0);
                continue;
            }
            Part::Shrunk { begin } => offset = begin.wrapping_mul(step).wrapping_add(offset),
            Part::Axis { begin, stride, size } => {
                let size = size.size().unwrap_or(0);
                // A single element takes no step; a huge stride must not overflow.
                let stride = if size > 1 { stride.wrapping_mul(step) } else { 0 };
                offset =
                    if size > 0 { begin.wrapping_mul(step).wrapping_add(offset) } else { offset };
                sizes.push(size);
                strides.push(stride as isize);
            }
        }
        axis += 1;
    }
    Ok((offset as usize, sizes, strides))
}

pub(in crate::ops) fn strided_slice(c: &InferContext<'_>) -> Result<Types> {
    one(c.input(0).dtype, part_shape(c, c.shape(0))?)
}

/// The shape of the part of a tensor of this shape that inputs 1 to 3 take.
fn part_shape(c: &InferContext<'_>, shape: &Shape) -> Result<Shape> {
    for i in 1..4 {
        c.shape(i).with_rank(1)?;
    }
    let (begin, end, strides) = (c.integers(1), c.integers(2), c.integers(3));
    let (Some(dims), Some(strides)) = (shape.dims(), strides) else {
        return Ok(Shape::unknown());
    };
    let bounds = Bounds { begin: begin.as_deref(), end: end.as_deref(), strides: &strides };
    let sizes = parts(dims, &bounds, Masks::of(c.attrs)?)?.into_iter().filter_map(|p| match p {
        Part::Axis { size, .. } => Some(size),
        Part::Shrunk { .. } => None,
        Part::New => Some(Dim::from(1)),
    });
    Ok(sizes.collect())
}

/// A tensor with a part replaced.
pub(in crate::ops) fn updated(c: &InferContext<'_>) -> Result<Types> {
    let (part, value) = (part_shape(c, c.shape(0))?, c.shape(4));
    let both = part.broadcast(value)?;
    if both.rank().is_some() && both.rank() != part.rank() || !both.is_compatible_with(&part) {
        bail!("a value of shape {value} does not broadcast to the part, of shape {part}");
    }
    one(c.input(0).dtype, c.shape(0).clone())
}

/// A variable with a part replaced, of which no shape is known.
pub(in crate::ops) fn assigned(c: &InferContext<'_>) -> Result<Types> {
    part_shape(c, &Shape::unknown())?;
    Ok(Types::new())
}

pub(in crate::ops) fn strided_slice_grad(c: &InferContext<'_>) -> Result<Types> {
    one(c.input(4).dtype, asked_shape(c, 0)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(dims: &[Dim], bounds: &Bounds<'_>, masks: Masks) -> Result<Vec<Dim>> {
        let size = |p: Part| match p {
            Part::Axis { size, .. } => Some(size),
            Part::Shrunk { .. } => None,
            Part::New => Some(Dim::from(1)),
        };
        Ok(parts(dims, bounds, masks)?.into_iter().filter_map(size).collect())
    }

    #[test]
    fn bounds_are_cut_as_in_python() {
        // Against Python's definition, by trying every element.
        for n in 0..5i64 {
            for stride in [-3, -2, -1, 1, 2, 3] {
                for begin in -7..8 {
                    for end in -7..8 {
                        let bounds =
                            Bounds { begin: Some(&[begin]), end: Some(&[end]), strides: &[stride] };
                        let (offset, dims, strides) =
                            view(&[n as usize], &bounds, Masks::default()).unwrap();
                        let wrap = |x: i64| if x < 0 { x + n } else { x };
                        let (least, most) = if stride > 0 { (0, n) } else { (-1, n - 1) };
                        let mut want = Vec::new();
                        let mut at = wrap(begin).max(least).min(most);
                        let end = wrap(end).max(least).min(most);
                        while if stride > 0 { at < end } else { at > end } {
                            want.push(at);
                            at += stride;
                        }
                        let got: Vec<i64> = (0..dims[0] as i64)
                            .map(|i| offset as i64 + i * strides[0] as i64)
                            .collect();
                        assert_eq!(got, want, "{begin}:{end}:{stride} of {n}");
                    }
                }
            }
        }
    }

    #[test]
    fn unknown_sizes_and_bounds_stay_unknown() {
        let dims = [Dim::UNKNOWN, Dim::from(4)];
        let masks = Masks { begin: 3, end: 3, ..Masks::default() };
        let bounds = Bounds { begin: None, end: None, strides: &[1, -2] };
        assert_eq!(sizes(&dims, &bounds, masks).unwrap(), [Dim::UNKNOWN, Dim::from(2)]);
        let masks = Masks { shrink_axis: 1, ..Masks::default() };
        assert_eq!(sizes(&dims, &bounds, masks).unwrap(), [Dim::UNKNOWN]);
    }

    #[test]
    fn extreme_numbers_do_not_overflow() {
        for stride in [i64::MIN, i64::MAX] {
            for begin in [i64::MIN, i64::MAX] {
                for end in [i64::MIN, i64::MAX] {
                    let bounds =
                        Bounds { begin: Some(&[begin]), end: Some(&[end]), strides: &[stride] };
                    assert!(view(&[3], &bounds, Masks::default()).unwrap().1[0] <= 1);
                }
            }
        }
    }
}

//! Kernels of ordering ops: largest, smallest and distinct elements, indices into sorted rows.

use std::collections::HashMap;

use extype_kernels as k;
use extype_kernels::WorkVec;
use extype_kernels::order::{Distinct, Ordered, Side};
use extype_kernels::table::{ArgSignature, Table, Tabled, reduction as r};

use crate::array::{
    Array, Dims, Element, IntoDims, ask_for, collected, extent, num_elements, vec_for,
};
use crate::ir::{KernelContext, Outputs, no_kernel, only, typed, worked};
use crate::ops::movement::kernel::transposed;
use crate::ops::ordering::infer::{place, unique_axis, wanted};
use crate::ops::rules::moves::{Gathered, moved};
use crate::ops::scan::kernel::extents;
use crate::ops::{
    ArgMax, Bucketize, CastFn, LowerBound, NthElement, Op as _, SortRows, TopK, Unique,
};
use crate::types::{DType, Result, bail};

/// Keys for the elements of arrays of one dtype, and the key of NaN.
struct Keys {
    arrays: Vec<WorkVec<u64>>,
    nan: Option<u64>,
}

impl Keys {
    /// Keys in the order of the elements.
    fn in_order(c: &KernelContext<'_>, arrays: &[&Array]) -> Result<Self> {
        typed!(real, c, c.input(0).dtype(), T => Self::of::<T>(arrays, k::order::keys))
    }

    /// Keys that only distinguish elements, without an order.
    fn apart(c: &KernelContext<'_>, arrays: &[&Array]) -> Result<Self> {
        match c.input(0).dtype() {
            DType::String => Self::of_strings(arrays),
            DType::Bool => Self::of::<bool>(arrays, k::order::identities),
            dtype => typed!(real, c, dtype, T => Self::of::<T>(arrays, k::order::identities)),
        }
    }

    fn of<T: Ordered + Element>(
        arrays: &[&Array],
        keys: fn(&[T]) -> Result<WorkVec<u64>, k::OutOfMemory>,
    ) -> Result<Self> {
        let keys = arrays.iter().map(|a| worked(keys(a.as_slice::<T>()?)));
        Ok(Self { arrays: keys.collect::<Result<_>>()?, nan: T::NAN })
    }

    fn of_strings(arrays: &[&Array]) -> Result<Self> {
        let mut seen: HashMap<&[u8], u64> = HashMap::new();
        let mut keys = Vec::with_capacity(arrays.len());
        for a in arrays {
            // The hash map has at most twice as many slots as there are strings.
            ask_for::<[usize; 6]>(a.len())?;
            let mut of_array = worked(WorkVec::room(a.len()))?;
            for s in a.as_strings()? {
                let next = seen.len() as u64;
                of_array.push(*seen.entry(s).or_insert(next));
            }
            keys.push(of_array);
        }
        Ok(Self { arrays: keys, nan: None })
    }
}

/// Indices or counts as an array of the requested integer dtype.
pub(in crate::ops) fn indices(dims: impl IntoDims, values: &[i64], dtype: DType) -> Result<Array> {
    let (least, most) = k::order::extremes(values).unwrap_or_default();
    match dtype {
        DType::I64 => Array::from_slice(dims, values),
        DType::I32 if least < i32::MIN.into() || most > i32::MAX.into() => {
            bail!("indices up to {} do not fit int32; ask for int64", values.len())
        }
        DType::I16 if least < i16::MIN.into() || most > i16::MAX.into() => {
            bail!("indices up to {} do not fit int16; ask for int32", values.len())
        }
        DType::I32 => Array::from_writer(dims, |out: &mut [i32]| {
            out.iter_mut().zip(values).for_each(|(out, i)| *out = *i as i32);
            Ok(())
        }),
        DType::I16 => cast(&Array::from_slice(dims, values)?, dtype),
        d => bail!("indices are int16, int32 or int64, not {d}"),
    }
}

/// Casts an array to another dtype.
pub(in crate::ops) fn cast(x: &Array, dtype: DType) -> Result<Array> {
    only(CastFn::to(dtype).compute(&[x])?)
}

/// Picks the elements at `places` in the rows of `x`, seen as rows of `n` elements.
fn picked(
    c: &KernelContext<'_>,
    x: &Array,
    n: usize,
    places: &[i64],
    dims: Dims,
) -> Result<Outputs> {
    let batch = x.len().checked_div(n).unwrap_or(0);
    moved(c, &[x], dims, &Gathered { batch, extents: [1, n, 1], indices: places })
}

pub(in crate::ops) fn top_k(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, asked) = (c.input(0), cast(c.input(1), DType::I64)?.to_i64s()?);
    let [asked] = asked[..] else { bail!("`k` is a scalar, not of shape {}", c.input(1).shape()) };
    let Some(n) = x.dims().last().copied() else { bail!("a scalar has no largest elements") };
    let count = wanted(asked, Some(n))?;
    let mut dims: Dims = x.dims().into();
    dims.pop();
    dims.push(count);
    let len = num_elements(&dims, 8)?;
    let places = typed!(real, c, x.dtype(), T => {
        let x = x.as_slice::<T>()?;
        Array::from_kernel([len], |out| worked(k::order::top_k(x, n, count, out, k::Par::Pool)))
    })?;
    let places = places.as_slice::<i64>()?;
    let mut outputs = picked(c, x, n, places, dims.clone())?;
    outputs.push(indices(dims, places, c.get(TopK::INDEX_TYPE)?)?);
    Ok(outputs)
}

pub(in crate::ops) fn sort_rows(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, descending) = (c.input(0), c.get(SortRows::DESCENDING)?);
    let Some(n) = x.dims().last().copied() else { bail!("a scalar can't be sorted") };
    let place = usize::try_from(c.get(SortRows::PLACE)?).ok();
    if let Some(place) = place.filter(|place| *place >= n && !x.is_empty()) {
        bail!("place {place} is out of range for {n} elements");
    }
    typed!(real, c, x.dtype(), T => {
        let data = x.as_slice::<T>()?;
        let sort = |out: &mut [_]| {
            worked(match place {
                None => k::order::sort(data, n, descending, out, k::Par::Pool),
                Some(place) => k::order::partition(data, n, place, descending, out, k::Par::Pool),
            })
        };
        Ok([c.output(x.dims(), sort)?].into())
    })
}

pub(in crate::ops) fn nth_element(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let (Some((&len, rows)), &[n]) = (x.dims().split_last(), &c.input(1).to_i64s()?[..]) else {
        bail!("rows and a place in them are wanted: {} and {}", x.shape(), c.input(1).shape());
    };
    let n = place(n, Some(len))?;
    // Inverted keys put the largest element first.
    let turn = if c.get(NthElement::REVERSE)? { u64::MAX } else { 0 };
    let keys = Keys::in_order(c, &[x])?;
    let (mut row, mut places) = (vec_for(len)?, vec_for(x.len() / len)?);
    for keys in keys.arrays[0].chunks_exact(len) {
        row.clear();
        row.extend(keys.iter().map(|key| key ^ turn).zip(0i64..));
        let (_, (_, place), _) = row.select_nth_unstable(n);
        places.push(*place);
    }
    picked(c, x, len, &places, rows.into())
}

/// The indices of the extreme elements along an axis. They are computed as int64 and then cast to `output_type`.
/// `ArgMin` has this attribute too, so the key of `ArgMax` reads it.
fn arg_reduce(c: &KernelContext<'_>, table: &Table<ArgSignature<i64>>) -> Result<Outputs> {
    let ((axis, extents), x) = (extents(c)?, c.input(0));
    if extents[1] == 0 {
        bail!("axis {axis} of shape {} is empty: it has no largest or smallest element", x.shape());
    }
    let mut dims = Dims::from_slice(x.dims());
    dims.remove(axis);
    let indices = typed!(ordered, c, x.dtype(), T => {
        let f = T::entry(table).ok_or_else(|| no_kernel(c))?;
        let data = x.as_slice::<T>()?;
        c.output(&dims, |out| {
            f(data, extents, out, k::Par::Pool);
            Ok(())
        })
    })?;
    match c.get(ArgMax::OUTPUT_TYPE)? {
        DType::I64 => Ok([indices].into()),
        to => CastFn::to(to).compute(&[&indices]),
    }
}

pub(in crate::ops) fn arg_max(c: &KernelContext<'_>) -> Result<Outputs> {
    arg_reduce(c, &r::ARG_MAX)
}

pub(in crate::ops) fn arg_min(c: &KernelContext<'_>) -> Result<Outputs> {
    arg_reduce(c, &r::ARG_MIN)
}

fn distinct(c: &KernelContext<'_>, axis: usize) -> Result<(Array, Distinct)> {
    let x = c.input(0);
    let (before, n, behind) = split(x.dims(), axis);
    // With the axis first, each item is contiguous.
    let order = std::iter::once(axis).chain((0..x.rank()).filter(|i| *i != axis));
    let items = if axis == 0 { x.clone() } else { transposed(c, x, &order.collect::<Dims>())? };
    let keys = Keys::apart(c, &[&items])?;
    let found =
        worked(k::order::distinct(&keys.arrays[0], n, before.saturating_mul(behind), keys.nan))?;
    let mut dims: Dims = x.dims().into();
    dims[axis] = found.first.len();
    let gather = Gathered { batch: 1, extents: [before, n, behind], indices: &found.first };
    Ok((only(moved(c, &[x], dims, &gather)?)?, found))
}

fn split(dims: &[usize], axis: usize) -> (usize, usize, usize) {
    (extent(&dims[..axis]), dims[axis], extent(&dims[axis + 1..]))
}

fn unique_outputs(c: &KernelContext<'_>, axis: usize, counts: bool) -> Result<Outputs> {
    let dtype = c.get(Unique::OUT_IDX)?;
    let (y, found) = distinct(c, axis)?;
    let mut outputs = Outputs::new();
    outputs.push(y);
    outputs.push(indices([found.ids.len()], &found.ids, dtype)?);
    if counts {
        outputs.push(indices([found.counts.len()], &found.counts, dtype)?);
    }
    Ok(outputs)
}

fn is_vector(c: &KernelContext<'_>, i: usize) -> Result<()> {
    match c.input(i).rank() {
        1 => Ok(()),
        _ => bail!("a vector is wanted, not shape {}; reshape it to [-1]", c.input(i).shape()),
    }
}

pub(in crate::ops) fn unique(c: &KernelContext<'_>) -> Result<Outputs> {
    is_vector(c, 0)?;
    unique_outputs(c, 0, false)
}

pub(in crate::ops) fn unique_with_counts(c: &KernelContext<'_>) -> Result<Outputs> {
    is_vector(c, 0)?;
    unique_outputs(c, 0, true)
}

pub(in crate::ops) fn unique_v2(c: &KernelContext<'_>) -> Result<Outputs> {
    is_vector(c, 1)?;
    let axis = unique_axis(&c.input(1).to_i64s()?, c.input(0).rank())?;
    unique_outputs(c, axis, false)
}

pub(in crate::ops) fn unique_with_counts_v2(c: &KernelContext<'_>) -> Result<Outputs> {
    is_vector(c, 1)?;
    let axis = unique_axis(&c.input(1).to_i64s()?, c.input(0).rank())?;
    unique_outputs(c, axis, true)
}

pub(in crate::ops) fn list_diff(c: &KernelContext<'_>) -> Result<Outputs> {
    is_vector(c, 0)?;
    is_vector(c, 1)?;
    let x = c.input(0);
    let keys = Keys::apart(c, c.inputs)?;
    let kept = worked(k::order::difference(&keys.arrays[0], &keys.arrays[1], keys.nan))?;
    let gather = Gathered { batch: 1, extents: [1, x.len(), 1], indices: &kept };
    let mut outputs = moved(c, &[x], [kept.len()], &gather)?;
    outputs.push(indices([kept.len()], &kept, c.get(Unique::OUT_IDX)?)?);
    Ok(outputs)
}

pub(in crate::ops) fn is_in(c: &KernelContext<'_>) -> Result<Outputs> {
    let keys = Keys::apart(c, c.inputs)?;
    let find =
        |out: &mut [_]| worked(k::order::contains(&keys.arrays[0], &keys.arrays[1], keys.nan, out));
    Ok([c.output(c.input(0).dims(), find)?].into())
}

fn bound(c: &KernelContext<'_>, side: Side) -> Result<Outputs> {
    let (sorted, values) = (c.input(0), c.input(1));
    let ([rows, n], [others, m]) = (sorted.dims(), values.dims()) else {
        bail!("rows of matrices are searched: {} and {}", sorted.shape(), values.shape())
    };
    if rows != others {
        bail!("as many rows of values as sorted rows: {} and {}", sorted.shape(), values.shape());
    }
    let places = Array::from_kernel(values.dims(), |out| {
        let found = match (rows, sorted.dtype()) {
            (1, DType::F64) => {
                k::order::bounds_by_parts::<f64>(sorted.as_slice()?, values.as_slice()?, side, out)
            }
            (1, DType::F32) => {
                k::order::bounds_by_parts::<f32>(sorted.as_slice()?, values.as_slice()?, side, out)
            }
            _ => Ok(false),
        };
        if worked(found)? {
            return Ok(());
        }
        let keys = Keys::in_order(c, c.inputs)?;
        let [row, searched] = &keys.arrays[..] else { return Err(no_kernel(c)) };
        k::order::bounds(row, *n, searched, *m, side, keys.nan, out);
        Ok(())
    })?;
    match c.get(LowerBound::OUT_TYPE)? {
        DType::I64 => Ok([places].into()),
        to => Ok([indices(values.dims(), places.as_slice()?, to)?].into()),
    }
}

pub(in crate::ops) fn lower_bound(c: &KernelContext<'_>) -> Result<Outputs> {
    bound(c, Side::Left)
}

pub(in crate::ops) fn upper_bound(c: &KernelContext<'_>) -> Result<Outputs> {
    bound(c, Side::Right)
}

/// For each element the number of boundaries that are not above it.
pub(in crate::ops) fn bucketize(c: &KernelContext<'_>) -> Result<Outputs> {
    let boundaries: Vec<f32> = c.get(Bucketize::BOUNDARIES)?;
    if !boundaries.is_sorted() {
        bail!("the boundaries {boundaries:?} are not sorted");
    }
    let x = c.input(0);
    // All dtypes but float64 are compared with the boundaries as float32.
    let float = if x.dtype() == DType::F64 { x.clone() } else { cast(x, DType::F32)? };
    let wide = cast(&float, DType::F64)?;
    let bucket = |x: &f64| {
        boundaries.partition_point(|b| {
            x.partial_cmp(&f64::from(*b)).is_none_or(std::cmp::Ordering::is_ge)
        }) as i32
    };
    let buckets: Vec<i32> = collected(wide.as_slice::<f64>()?.iter().map(bucket))?;
    Ok([Array::from_slice(x.dims(), &buckets)?].into())
}

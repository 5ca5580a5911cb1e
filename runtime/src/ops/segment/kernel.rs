//! Kernels: rows that share an id become one row.

use extype_kernels as k;
use k::reduce::Accumulate;
use k::segment::{Places, Routes, combine, tally};
use k::{Arithmetic as A, Cast, Real};

use super::ids::Ids;
use crate::array::{Array, Dims, Element, num_elements, vec_for};
use crate::ir::{KernelContext, Outputs, typed};
use crate::ops::ordering::kernel::{cast, indices};
use crate::types::{DType, Result, bail, err};

/// What becomes of the elements that meet at one place.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::ops) enum How {
    Sum,
    Product,
    Least,
    Greatest,
}

/// What becomes of a row that is done, of a number of rows.
#[derive(Clone, Copy, PartialEq)]
enum Finish {
    /// Nothing.
    None,
    /// Zeros, if there were no rows.
    Zero,
    /// The mean.
    Mean,
    /// The sum divided by the square root of the number of rows.
    Root,
}

/// The dtype that rows are combined in. Few dtypes have loops; the others are cast. Sums and products of integers have
/// the same bits in a wider dtype, because they wrap.
pub(in crate::ops) fn combined_in(dtype: DType, how: How) -> DType {
    let wraps = matches!(how, How::Sum | How::Product);
    match dtype {
        DType::F16 | DType::BF16 => DType::F32,
        DType::I8 | DType::I16 | DType::U8 | DType::U16 => DType::I32,
        DType::U32 if wraps => DType::I32,
        DType::U32 => DType::I64,
        DType::U64 if wraps => DType::I64,
        other => other,
    }
}

/// The least and the greatest number of a dtype that is cast to a wider one, and of floats, as TensorFlow has them for
/// segments without rows.
fn limits(dtype: DType) -> Option<(f64, f64)> {
    Some(match dtype {
        DType::I8 => (i8::MIN.into(), i8::MAX.into()),
        DType::I16 => (i16::MIN.into(), i16::MAX.into()),
        DType::U8 => (0.0, u8::MAX.into()),
        DType::U16 => (0.0, u16::MAX.into()),
        DType::U32 => (0.0, u32::MAX.into()),
        DType::F16 => (k::element::f16::MIN.into(), k::element::f16::MAX.into()),
        DType::BF16 => (k::element::bf16::MIN.into(), k::element::bf16::MAX.into()),
        DType::F32 => (f32::MIN.into(), f32::MAX.into()),
        DType::F64 => (f64::MIN, f64::MAX),
        _ => return None,
    })
}

/// The number that no number of the dtype is below, in the dtype that it is combined in; of floats the lowest finite one.
pub(in crate::ops) fn least<T: Real>(dtype: DType) -> T
where
    f64: Cast<T>,
{
    limits(dtype).map_or(T::LOWEST, |(least, _)| least.cast())
}

fn greatest<T: Real>(dtype: DType) -> T
where
    f64: Cast<T>,
{
    limits(dtype).map_or(T::HIGHEST, |(_, greatest)| greatest.cast())
}

/// The rows of `x`, each put where its route ends, combined in order. A row of the result begins with the number that
/// changes nothing.
pub(in crate::ops) fn combined(
    c: &KernelContext<'_>,
    x: &Array,
    routes: Routes<'_>,
    dims: &[usize],
    how: How,
) -> Result<Array> {
    finished(c, x, routes, dims, how, Finish::None)
}

fn finished(
    c: &KernelContext<'_>,
    x: &Array,
    routes: Routes<'_>,
    dims: &[usize],
    how: How,
    finish: Finish,
) -> Result<Array> {
    let dtype = x.dtype();
    let wide = combined_in(dtype, how);
    let x = if wide == dtype { x.clone() } else { cast(x, wide)? };
    let into = Rows { c, x: &x, routes, dims, finish };
    let y = match how {
        How::Sum => typed!(wide, c, wide, T => into.of::<T>(A::ZERO, |_, a, b| A::add(a, b))),
        How::Product => typed!(wide, c, wide, T => into.of::<T>(A::ONE, |_, a, b| A::mul(a, b))),
        How::Least => {
            typed!(wide_real, c, wide, T => into.of::<T>(greatest(dtype), |_, a, b| Real::minimum(a, b)))
        }
        How::Greatest => {
            typed!(wide_real, c, wide, T => into.of::<T>(least(dtype), |_, a, b| Real::maximum(a, b)))
        }
    }?;
    if wide == dtype { Ok(y) } else { cast(&y, dtype) }
}

/// Rows, where they go, and what becomes of them there.
struct Rows<'a> {
    c: &'a KernelContext<'a>,
    x: &'a Array,
    routes: Routes<'a>,
    dims: &'a [usize],
    finish: Finish,
}

impl Rows<'_> {
    fn of<T: Element + Accumulate>(
        &self,
        start: T,
        f: impl Fn(usize, T, T) -> T + Copy + Sync,
    ) -> Result<Array>
    where
        f64: Cast<T>,
    {
        let x = self.x.as_slice::<T>()?;
        let inner = num_elements(&self.dims[1..], 1)?;
        self.c.output_slice(self.dims, |out: &mut [T]| {
            out.fill(start);
            combine(self.routes, x, inner, out, k::Par::Pool, f);
            if self.finish == Finish::None || out.is_empty() {
                return Ok(());
            }
            let counts = counted(self.routes.count, self.routes.to, out.len() / inner)?;
            for (row, n) in out.chunks_exact_mut(inner).zip(counts) {
                match (self.finish, n) {
                    (_, 0) => row.fill(T::ZERO),
                    (Finish::Mean, n) => {
                        row.iter_mut().for_each(|x| *x = T::mean(x.to_wide(), n as usize));
                    }
                    (Finish::Root, n) => {
                        let scale: T = (1.0 / (n as f64).sqrt()).cast();
                        row.iter_mut().for_each(|x| *x = x.mul(scale));
                    }
                    _ => {}
                }
            }
            Ok(())
        })
    }
}

/// The rows of `x`, each times the weight of its item, added where their routes end.
pub(in crate::ops) fn weighted(
    c: &KernelContext<'_>,
    x: &Array,
    routes: Routes<'_>,
    dims: &[usize],
    weights: &Array,
) -> Result<Array> {
    let dtype = x.dtype();
    let wide = combined_in(dtype, How::Sum);
    let (x, weights) = (cast(x, wide)?, cast(weights, wide)?);
    let into = Rows { c, x: &x, routes, dims, finish: Finish::None };
    let y = typed!(wide, c, wide, T => {
        let weights = weights.as_slice::<T>()?;
        into.of::<T>(A::ZERO, |item, a, b| A::add(a, A::mul(b, weights[item])))
    })?;
    cast(&y, dtype)
}

/// How many items go to each place.
fn counted(items: usize, to: Places<'_>, places: usize) -> Result<Vec<i64>> {
    let mut counts = vec_for(places)?;
    counts.resize(places, 0);
    tally(items, to, None, &mut counts);
    Ok(counts)
}

/// An input that is one number, not negative.
fn number(c: &KernelContext<'_>, i: usize, what: &str) -> Result<usize> {
    let n = Ids::of(c.input(i))?.at(0);
    usize::try_from(n).map_err(|_| err!("{what}, {n}, is negative"))
}

/// The sizes of `n` rows, each like one of `x`.
fn rows(n: usize, tail: &[usize]) -> Dims {
    std::iter::once(n).chain(tail.iter().copied()).collect()
}

/// Segments of rows whose ids ascend: the rows of the data, or of those that an input of indices picks.
fn sorted(c: &KernelContext<'_>, how: How, finish: Finish) -> Result<Outputs> {
    let x = c.input(0);
    let (from, ids, n) = match c.inputs {
        [_, ids] => (None, ids, None),
        [_, from, ids] => (Some(Ids::of(from)?), ids, None),
        _ => {
            (Some(Ids::of(c.input(1))?), &c.input(2), Some(number(c, 3, "the number of segments")?))
        }
    };
    let ids = Ids::of(ids)?;
    if !ids.is_sorted() {
        bail!("the segment ids do not ascend; sort the rows by them, or use the unsorted op");
    }
    // The first and the last tell of all.
    let last = ids.len().checked_sub(1).map_or(-1, |i| ids.at(i));
    let limit = n.unwrap_or(i64::MAX as usize);
    if ids.len() > 0 && (ids.at(0) < 0 || last >= limit as i64) {
        ids.within("segment id", 0, limit)?;
    }
    if let Some(from) = from {
        from.within("index", 0, x.dims()[0])?;
    }
    let n = n.unwrap_or((last + 1) as usize);
    let read = |start: usize, out: &mut [i64]| {
        if let Some(from) = from {
            from.fill(start, out);
        }
    };
    let routes = Routes {
        count: ids.len(),
        from: from.is_some().then_some(&read),
        to: &|start, out| ids.fill(start, out),
        sorted: true,
    };
    Ok([finished(c, x, routes, &rows(n, &x.dims()[1..]), how, finish)?].into())
}

pub(in crate::ops) fn sum(c: &KernelContext<'_>) -> Result<Outputs> {
    sorted(c, How::Sum, Finish::None)
}

pub(in crate::ops) fn mean(c: &KernelContext<'_>) -> Result<Outputs> {
    sorted(c, How::Sum, Finish::Mean)
}

pub(in crate::ops) fn sqrt_n(c: &KernelContext<'_>) -> Result<Outputs> {
    sorted(c, How::Sum, Finish::Root)
}

pub(in crate::ops) fn prod(c: &KernelContext<'_>) -> Result<Outputs> {
    sorted(c, How::Product, Finish::None)
}

pub(in crate::ops) fn min(c: &KernelContext<'_>) -> Result<Outputs> {
    sorted(c, How::Least, Finish::Zero)
}

pub(in crate::ops) fn max(c: &KernelContext<'_>) -> Result<Outputs> {
    sorted(c, How::Greatest, Finish::Zero)
}

fn unsorted(c: &KernelContext<'_>, how: How) -> Result<Outputs> {
    let (x, ids) = (c.input(0), c.input(1));
    let n = number(c, 2, "the number of segments")?;
    let tail = &x.dims()[ids.rank()..];
    let ids = Ids::of(ids)?;
    // Rows with a negative id are left out.
    ids.within("segment id", i64::MIN, n)?;
    let to = |start: usize, out: &mut [i64]| ids.fill(start, out);
    let routes = Routes { count: ids.len(), from: None, to: &to, sorted: false };
    Ok([combined(c, x, routes, &rows(n, tail), how)?].into())
}

pub(in crate::ops) fn unsorted_sum(c: &KernelContext<'_>) -> Result<Outputs> {
    unsorted(c, How::Sum)
}

pub(in crate::ops) fn unsorted_prod(c: &KernelContext<'_>) -> Result<Outputs> {
    unsorted(c, How::Product)
}

pub(in crate::ops) fn unsorted_min(c: &KernelContext<'_>) -> Result<Outputs> {
    unsorted(c, How::Least)
}

pub(in crate::ops) fn unsorted_max(c: &KernelContext<'_>) -> Result<Outputs> {
    unsorted(c, How::Greatest)
}

/// The gradient of a sparse segment op: each row of cotangents, divided as the rows were, is added to the rows that its
/// segment was made of. With `unique` only those rows that occur are there, and their numbers are a second result.
fn spread(c: &KernelContext<'_>, finish: Finish, unique: bool) -> Result<Outputs> {
    let (dy, picked, ids) = (c.input(0), Ids::of(c.input(1))?, Ids::of(c.input(2))?);
    let n = number(c, 3, "the number of rows")?;
    ids.within("segment id", 0, dy.dims()[0])?;
    picked.within("index", 0, n)?;
    let (read, whole) = (
        |start: usize, out: &mut [i64]| ids.fill(start, out),
        |start: usize, out: &mut [i64]| picked.fill(start, out),
    );
    let mut places: Vec<i64> = Vec::new();
    if unique {
        places = vec_for(picked.len())?;
        places.resize(picked.len(), 0);
        picked.fill(0, &mut places);
        places.sort_unstable();
        places.dedup();
    }
    let compact = |start: usize, out: &mut [i64]| {
        picked.fill(start, out);
        for place in out {
            *place = places.partition_point(|p| p < place) as i64;
        }
    };
    let to: Places<'_> = if unique { &compact } else { &whole };
    let dims = rows(if unique { places.len() } else { n }, &dy.dims()[1..]);
    let routes = Routes { count: ids.len(), from: Some(&read), to, sorted: false };
    let y = if finish == Finish::None {
        combined(c, dy, routes, &dims, How::Sum)?
    } else {
        // The gradient may have any number of rows, if these are empty.
        let counts = counted(ids.len(), &read, usize::try_from(ids.bounds().1 + 1).unwrap_or(0))?;
        let weight = |item: usize| {
            let n = counts[ids.at(item) as usize] as f64;
            1.0 / if finish == Finish::Root { n.sqrt() } else { n }
        };
        let weights = Array::from_writer([ids.len()], |out: &mut [f64]| {
            out.iter_mut().enumerate().for_each(|(item, out)| *out = weight(item));
            Ok(())
        })?;
        weighted(c, dy, routes, &dims, &weights)?
    };
    let mut outputs: Outputs = [y].into();
    if unique {
        outputs.push(indices([places.len()], &places, c.input(1).dtype())?);
    }
    Ok(outputs)
}

pub(in crate::ops) fn sum_grad(c: &KernelContext<'_>) -> Result<Outputs> {
    spread(c, Finish::None, false)
}

pub(in crate::ops) fn mean_grad(c: &KernelContext<'_>) -> Result<Outputs> {
    spread(c, Finish::Mean, false)
}

pub(in crate::ops) fn sqrt_n_grad(c: &KernelContext<'_>) -> Result<Outputs> {
    spread(c, Finish::Root, false)
}

pub(in crate::ops) fn sum_grad_v2(c: &KernelContext<'_>) -> Result<Outputs> {
    spread(c, Finish::None, true)
}

pub(in crate::ops) fn mean_grad_v2(c: &KernelContext<'_>) -> Result<Outputs> {
    spread(c, Finish::Mean, true)
}

pub(in crate::ops) fn sqrt_n_grad_v2(c: &KernelContext<'_>) -> Result<Outputs> {
    spread(c, Finish::Root, true)
}

/// Adds the segments of the calls before, so that no two calls share one.
pub(in crate::ops) fn of_calls(c: &KernelContext<'_>) -> Result<Outputs> {
    let (dims, ids) = (c.input(0).dims(), Ids::of(c.input(0))?);
    let number = number(c, 1, "the number of segments")?;
    let (calls, each) = (dims[0], num_elements(&dims[1..], 1)?);
    if number.checked_mul(calls).is_none_or(|all| i64::try_from(all).is_err()) {
        bail!("{number} segments of {calls} calls are too many");
    }
    let own = c.output_slice(dims, |out: &mut [i64]| {
        ids.fill(0, out);
        for (call, ids) in out.chunks_exact_mut(each.max(1)).enumerate() {
            for (i, id) in ids.iter_mut().enumerate().filter(|(_, id)| **id >= 0) {
                if *id >= number as i64 {
                    bail!("segment id {id} at position {i} of call {call} is not in [0, {number})");
                }
                *id += (call * number) as i64;
            }
        }
        Ok(())
    })?;
    Ok([own].into())
}

//! Kernels of counts: bins, histograms, evenly spaced numbers.

use extype_kernels as k;

use crate::array::vec_for;
use crate::ir::{KernelContext, Outputs, typed};
use crate::ops::ordering::kernel::{cast, indices};
use crate::ops::{HistogramFixedWidth, RaggedRange};
use crate::types::{DType, Result, bail, err};

/// The only element of an input, as an integer.
pub(super) fn scalar(c: &KernelContext<'_>, i: usize, what: &str) -> Result<i64> {
    match (c.input(i).rank(), &c.input(i).to_i64s()?[..]) {
        (0, [n]) => Ok(*n),
        _ => bail!("{what} is a scalar, not of shape {}", c.input(i).shape()),
    }
}

pub(in crate::ops) fn histogram(c: &KernelContext<'_>) -> Result<Outputs> {
    let n = scalar(c, 2, "the number of bins")?;
    let n = usize::try_from(n)
        .ok()
        .filter(|n| *n > 0)
        .ok_or_else(|| err!("{n} bins; one at least is wanted"))?;
    let (values, range) = (cast(c.input(0), DType::F64)?, cast(c.input(1), DType::F64)?);
    let [low, high] = range.as_slice::<f64>()?[..] else {
        bail!("the range is two numbers, not of shape {}", c.input(1).shape())
    };
    if low.partial_cmp(&high).is_none_or(std::cmp::Ordering::is_ge) {
        bail!("the range [{low}, {high}] must ascend");
    }
    let step = (high - low) / n as f64;
    let mut counts: Vec<i64> = vec_for(n)?;
    counts.resize(n, 0);
    for x in values.as_slice::<f64>()? {
        counts[((x.max(low) - low) / step).min((n - 1) as f64) as usize] += 1;
    }
    Ok([indices([n], &counts, c.get(HistogramFixedWidth::DTYPE)?)?].into())
}

pub(in crate::ops) fn lin_space(c: &KernelContext<'_>) -> Result<Outputs> {
    let (start, stop) = (c.input(0), c.input(1));
    if start.rank() != 0 || stop.rank() != 0 {
        bail!("the bounds are scalars, not of shape {} and {}", start.shape(), stop.shape());
    }
    let n = scalar(c, 2, "the number of elements")?;
    let n = usize::try_from(n)
        .ok()
        .filter(|n| *n > 0)
        .ok_or_else(|| err!("{n} elements; one at least is wanted"))?;
    typed!(float, c, start.dtype(), T => {
        use k::{Arithmetic as A, Cast, Transcendental as F};
        let (first, last) = (start.as_slice::<T>()?[0], stop.as_slice::<T>()?[0]);
        let number = |i: usize| -> T { Cast::<T>::cast(i as i64 as f64) };
        let step = F::div(A::sub(last, first), number((n - 1).max(1)));
        Ok([c.output_slice(&[n], |out: &mut [T]| {
            for (i, out) in out.iter_mut().enumerate() {
                *out = A::add(first, A::mul(step, number(i)));
            }
            // Exact at the ends, where the step may be infinite.
            out[n - 1] = last;
            out[0] = first;
            Ok(())
        })?].into())
    })
}

/// The number of elements `start, start + delta, …` before `limit`; zero if `limit` lies in the other
/// direction.
fn run_length(start: f64, limit: f64, delta: f64) -> Result<usize> {
    if delta == 0.0 {
        bail!("a step is zero");
    }
    let n = ((limit - start) / delta).ceil().max(0.0);
    if !n.is_finite() || n > isize::MAX as f64 {
        bail!(ResourceExhausted, "a range from {start} to {limit} by {delta} has {n} elements");
    }
    Ok(n as usize)
}

/// [`run_length`] without rounding.
fn integer_run_length(start: i64, limit: i64, delta: i64) -> Result<usize> {
    let (start, limit, delta) = (i128::from(start), i128::from(limit), i128::from(delta));
    if delta == 0 {
        bail!("a step is zero");
    }
    if (limit > start) != (delta > 0) {
        return Ok(0);
    }
    let n = (limit - start).unsigned_abs().div_ceil(delta.unsigned_abs());
    usize::try_from(n).map_err(|_| err!(ResourceExhausted, "a range of {n} elements"))
}

pub(in crate::ops) fn repeated_places(c: &KernelContext<'_>) -> Result<Outputs> {
    let counts = c.input(0).as_slice::<i64>()?;
    let total = counts.iter().try_fold(0usize, |sum, n| sum.checked_add((*n).max(0) as usize));
    let total = total.ok_or_else(|| err!(ResourceExhausted, "too many elements"))?;
    Ok([c.output_slice(&[total], |out: &mut [i64]| {
        let mut rest = out;
        for (place, n) in counts.iter().enumerate() {
            let (own, next) = rest.split_at_mut((*n).max(0) as usize);
            // The counts are small: a call that fills a block would take longer.
            own.iter_mut().for_each(|out| *out = place as i64);
            rest = next;
        }
        Ok(())
    })?]
    .into())
}

pub(in crate::ops) fn ragged_range(c: &KernelContext<'_>) -> Result<Outputs> {
    let mut rows = None;
    for (input, name) in c.inputs.iter().zip(["starts", "limits", "deltas"]) {
        match (input.dims(), rows) {
            ([], _) => {}
            ([n], Some(m)) if *n != m => bail!("{n} {name} for {m} rows"),
            ([n], _) => rows = Some(*n),
            _ => bail!("`{name}` is a scalar or a vector, not of shape {}", input.shape()),
        }
    }
    let rows = rows.unwrap_or(1);
    // A scalar applies to all rows.
    let at = |i: usize, row: usize| if c.input(i).rank() == 0 { 0 } else { row };
    let lengths: Vec<usize> = if c.input(0).dtype().is_integer() {
        let [starts, limits, deltas] =
            [c.input(0).to_i64s()?, c.input(1).to_i64s()?, c.input(2).to_i64s()?];
        let length = |i| integer_run_length(starts[at(0, i)], limits[at(1, i)], deltas[at(2, i)]);
        (0..rows).map(length).collect::<Result<_>>()?
    } else {
        let wide = c.inputs.iter().map(|a| cast(a, DType::F64)).collect::<Result<Vec<_>>>()?;
        let [starts, limits, deltas] =
            [wide[0].as_slice()?, wide[1].as_slice()?, wide[2].as_slice()?];
        let length = |i| run_length(starts[at(0, i)], limits[at(1, i)], deltas[at(2, i)]);
        (0..rows).map(length).collect::<Result<_>>()?
    };
    let mut splits = vec![0i64];
    for n in &lengths {
        let end = splits[splits.len() - 1].checked_add(*n as i64);
        splits.push(end.ok_or_else(|| err!(ResourceExhausted, "too many elements"))?);
    }
    let total = splits[rows] as usize;
    let values = typed!(real, c, c.input(0).dtype(), T => {
        let (starts, deltas) = (c.input(0).as_slice::<T>()?, c.input(2).as_slice::<T>()?);
        c.output_slice(&[total], |out: &mut [T]| {
            let mut out = out.iter_mut();
            for (row, n) in lengths.iter().enumerate() {
                let (mut x, step) = (starts[at(0, row)], deltas[at(2, row)]);
                for out in out.by_ref().take(*n) {
                    *out = x;
                    x = k::Arithmetic::add(x, step);
                }
            }
            Ok(())
        })
    })?;
    let splits = indices([rows + 1], &splits, c.get(RaggedRange::SPLITS_DTYPE)?)?;
    Ok([splits, values].into_iter().collect())
}

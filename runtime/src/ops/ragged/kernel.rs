//! Kernels of ragged ops. Rows of values are copied as they follow one another.

use std::borrow::Cow;
use std::mem::MaybeUninit;

use extype_kernels::movement::{Run, copy_runs};

use super::RaggedTensorToTensor;
use crate::array::{Array, Dims, num_elements, vec_for};
use crate::ir::{KernelContext, Outputs, only};
use crate::ops::ordering::kernel::indices;
use crate::ops::rules::moves::{Move, Moved, Strided, moved, row_major};
use crate::types::{DType, Result, bail, err};

/// Integers, without a copy if they are int64.
fn integers(x: &Array) -> Result<Cow<'_, [i64]>> {
    match x.dtype() {
        DType::I64 => Ok(Cow::Borrowed(x.as_slice()?)),
        _ => Ok(Cow::Owned(x.to_i64s()?.into_vec())),
    }
}

/// Checks where the rows of a ragged axis begin and the last one ends: at 0, ascending, for so many rows, up to so many
/// entries.
fn check_splits(ends: &[i64], rows: Option<usize>, entries: Option<usize>) -> Result<()> {
    let Some(first) = ends.first() else { bail!("splits have one number at least, a 0") };
    if *first != 0 {
        bail!("row 0: splits begin with 0, not with {first}");
    }
    if let Some(row) = ends.windows(2).position(|w| w[1] < w[0]) {
        bail!("row {row}: splits descend from {} to {}", ends[row], ends[row + 1]);
    }
    let (found, end) = (ends.len() - 1, ends[ends.len() - 1]);
    if let Some(rows) = rows.filter(|rows| *rows != found) {
        bail!("splits of {found} rows for {rows} rows");
    }
    match entries {
        Some(n) if usize::try_from(end) != Ok(n) => {
            bail!("the splits end with {end}; there are {n} entries")
        }
        _ => Ok(()),
    }
}

/// Where the rows of each ragged axis begin, checked against each other and against the number of values.
fn nested<'a>(splits: &[&'a Array], values: usize) -> Result<Vec<Cow<'a, [i64]>>> {
    let nested = splits.iter().map(|s| integers(s)).collect::<Result<Vec<_>>>()?;
    for (i, ends) in nested.iter().enumerate() {
        let inner = nested.get(i + 1).map_or(values, |inner| inner.len().saturating_sub(1));
        check_splits(ends, None, Some(inner)).map_err(|e| e.prefixed(format_args!("axis {i}")))?;
    }
    Ok(nested)
}

/// Runs of rows of the first source, and its default elsewhere: the second source, which is one row.
struct Runs<'a, F> {
    count: usize,
    run: F,
    /// The length of a row.
    inner: usize,
    c: &'a KernelContext<'a>,
}

impl<F: Fn(usize) -> Run + Sync> Move for Runs<'_, F> {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        let none;
        let default = match sources {
            [_, default, ..] => default,
            // Runs cover the result.
            _ => {
                none = vec![T::default(); self.inner];
                &none[..]
            }
        };
        copy_runs(sources[0], default, self.count, &self.run, out, self.c.par);
        Ok(())
    }
}

pub(super) fn gather(c: &KernelContext<'_>) -> Result<Outputs> {
    let ragged = c.inputs.len() - 2;
    let (values, at) = (c.input(ragged), c.input(ragged + 1));
    let n = values.dims()[0];
    let nested = nested(&c.inputs[..ragged], n)?;
    let dtype = c.input(0).dtype();
    let mut outputs: Vec<Array> = Vec::new();
    // The axes of the indices have rows of one length.
    for axis in 1..at.rank() {
        let rows = num_elements(&at.dims()[..axis], 8)?;
        let mut ends: Vec<i64> = vec_for(rows.saturating_add(1))?;
        ends.extend((0..=rows).map(|row| (row * at.dims()[axis]) as i64));
        outputs.push(indices([ends.len()], &ends, dtype)?);
    }
    let mut rows = integers(at)?;
    let count = nested[0].len() as i64 - 1;
    if let Some((i, row)) = rows.iter().enumerate().find(|(_, row)| !(0..count).contains(*row)) {
        bail!(OutOfRange, "index {row} at position {i} is not in [0, {count})");
    }
    let mut last: Vec<i64> = Vec::new();
    for (level, ends) in nested.iter().enumerate() {
        let mut new_ends: Vec<i64> = vec_for(rows.len() + 1)?;
        let mut end = 0i64;
        new_ends.push(0);
        for row in rows.iter() {
            let length = ends[*row as usize + 1] - ends[*row as usize];
            end = end
                .checked_add(length)
                .ok_or_else(|| err!(ResourceExhausted, "too many values are gathered"))?;
            new_ends.push(end);
        }
        outputs.push(indices([new_ends.len()], &new_ends, dtype)?);
        if level + 1 == nested.len() {
            last = new_ends;
            break;
        }
        let mut inner = vec_for(usize::try_from(end).unwrap_or(usize::MAX))?;
        for row in rows.iter() {
            inner.extend(ends[*row as usize]..ends[*row as usize + 1]);
        }
        rows = Cow::Owned(inner);
    }
    let ends = &nested[ragged - 1];
    let run = |i: usize| Run {
        from: ends[rows[i] as usize] as usize,
        to: last[i] as usize,
        len: (last[i + 1] - last[i]) as usize,
    };
    let all = last.last().map_or(0, |end| *end as usize);
    let dims: Dims = [all].iter().chain(&values.dims()[1..]).copied().collect();
    let inner = num_elements(&values.dims()[1..], 1)?;
    let picked = only(moved(c, &[values], dims, &Runs { count: rows.len(), run, inner, c })?)?;
    Ok(outputs.into_iter().chain([picked]).collect())
}

pub(super) fn to_sparse(c: &KernelContext<'_>) -> Result<Outputs> {
    let ragged = c.inputs.len() - 1;
    let values = c.input(ragged);
    let nested = nested(&c.inputs[..ragged], values.dims()[0])?;
    let mut sizes: Vec<i64> = vec![nested[0].len() as i64 - 1];
    sizes.extend(nested.iter().map(|ends| ends.windows(2).map(|w| w[1] - w[0]).max().unwrap_or(0)));
    sizes.extend(values.dims()[1..].iter().map(|n| *n as i64));
    let rank = sizes.len();
    let len = values
        .len()
        .checked_mul(rank)
        .ok_or_else(|| err!(ResourceExhausted, "too many indices"))?;
    let mut at: Vec<i64> = vec_for(len)?;
    for i in 0..values.len() {
        let from = at.len();
        at.resize(from + rank, 0);
        let at = &mut at[from..];
        let mut rest = i;
        for (axis, size) in values.dims()[1..].iter().enumerate().rev() {
            at[ragged + 1 + axis] = (rest % size) as i64;
            rest /= size;
        }
        // From the innermost axis outwards: the row that holds a number, and its place there.
        let mut number = rest as i64;
        for (axis, ends) in nested.iter().enumerate().rev() {
            let row = ends.partition_point(|end| *end <= number) - 1;
            at[axis + 1] = number - ends[row];
            number = row as i64;
        }
        at[0] = number;
    }
    let at = Array::from_slice([values.len(), rank], &at)?;
    Ok([at, values.reshape([values.len()])?, Array::from_slice([rank], &sizes)?]
        .into_iter()
        .collect())
}

/// The number of ragged axes, and whether their rows are told by splits; the first of the tensors that tell them.
pub(super) fn partitions(types: &[String]) -> Result<(Vec<bool>, usize)> {
    let first = usize::from(types.first().is_some_and(|t| t == "FIRST_DIM_SIZE"));
    let by_splits = types[first..].iter().map(|t| match &t[..] {
        "ROW_SPLITS" => Ok(true),
        "VALUE_ROWIDS" => Ok(false),
        other => {
            bail!("no partition of rows is called {other:?}; write ROW_SPLITS or VALUE_ROWIDS")
        }
    });
    let by_splits = by_splits.collect::<Result<Vec<_>>>()?;
    match by_splits.first() {
        None => bail!("at least one partition of rows is wanted"),
        Some(false) if first == 0 => {
            bail!("before VALUE_ROWIDS the size of the first axis is wanted, FIRST_DIM_SIZE")
        }
        Some(_) => Ok((by_splits, first)),
    }
}

/// The ends of the rows of each ragged axis, and the number of rows of the first axis.
fn all_ends<'a>(
    c: &KernelContext<'a>,
    by_splits: &[bool],
    first: usize,
) -> Result<(Vec<Cow<'a, [i64]>>, usize)> {
    let mut rows = match first {
        1 => match integers(c.input(3))?[..] {
            [n] => usize::try_from(n)
                .map_err(|_| err!("the size {n} of the first axis is negative"))?,
            _ => bail!("the size of the first axis is one number"),
        },
        _ => c
            .input(3)
            .len()
            .checked_sub(1)
            .ok_or_else(|| err!("splits have one number at least"))?,
    };
    let (outer, mut all) = (rows, Vec::new());
    for (tensor, by_splits) in c.inputs[3 + first..].iter().zip(by_splits) {
        let numbers = integers(tensor)?;
        let ends = if *by_splits {
            check_splits(&numbers, Some(rows), None)?;
            numbers
        } else {
            let mut ends: Vec<i64> = vec_for(rows.saturating_add(1))?;
            ends.resize(rows.saturating_add(1), 0);
            for (i, row) in numbers.iter().enumerate() {
                if i > 0 && *row < numbers[i - 1] {
                    let before = numbers[i - 1];
                    bail!("the rows of values ascend; row {row} at position {i} follows {before}");
                }
                let end = usize::try_from(*row).ok().filter(|row| *row < rows);
                let row =
                    end.ok_or_else(|| err!("row {row} at position {i} is not in [0, {rows})"))?;
                ends[row + 1] += 1;
            }
            (1..ends.len()).for_each(|i| ends[i] += ends[i - 1]);
            Cow::Owned(ends)
        };
        rows = ends.last().and_then(|end| usize::try_from(*end).ok()).unwrap_or(usize::MAX);
        all.push(ends);
    }
    match rows == c.input(1).dims()[0] {
        true => Ok((all, outer)),
        false => bail!("{rows} values in the rows; there are {}", c.input(1).dims()[0]),
    }
}

pub(super) fn to_dense(c: &KernelContext<'_>) -> Result<Outputs> {
    let (values, default) = (c.input(1), c.input(2));
    let types: Vec<String> = c.get(RaggedTensorToTensor::ROW_PARTITION_TYPES)?;
    let (by_splits, first) = partitions(&types)?;
    let (all, outer) = all_ends(c, &by_splits, first)?;
    let asked = c.input(0).to_i64s()?;
    let asked = |axis: usize| match c.input(0).rank() {
        0 => None,
        _ => asked.get(axis).and_then(|n| usize::try_from(*n).ok()),
    };
    let longest = |ends: &[i64]| ends.windows(2).map(|w| w[1] - w[0]).max().unwrap_or(0) as usize;
    let mut dims: Dims = std::iter::once(asked(0).unwrap_or(outer))
        .chain(
            all.iter().enumerate().map(|(i, ends)| asked(i + 1).unwrap_or_else(|| longest(ends))),
        )
        .collect();
    num_elements(&dims, 8)?;
    // The rows of the innermost ragged axis that are kept, and where they are in the result; those of a single one stay
    // where they are.
    let mut kept: Option<Vec<(usize, usize)>> = None;
    let mut count = outer.min(dims[0]);
    for (ends, size) in all.iter().zip(&dims[1..]).take(all.len() - 1) {
        let row = |i: usize| kept.as_ref().map_or((i, i), |kept| kept[i]);
        let len = |row: usize| ((ends[row + 1] - ends[row]) as usize).min(*size);
        let mut inner = vec_for((0..count).map(|i| len(row(i).0)).sum())?;
        for (row, place) in (0..count).map(row) {
            inner.extend(
                (0..len(row))
                    .map(|j| (ends[row] as usize + j, place.wrapping_mul(*size).wrapping_add(j))),
            );
        }
        count = inner.len();
        kept = Some(inner);
    }
    let (ends, width) = (&all[all.len() - 1], dims[dims.len() - 1]);
    let run = |i: usize| {
        let (row, place) = kept.as_ref().map_or((i, i), |kept| kept[i]);
        let (from, end) = (ends[row] as usize, ends[row + 1] as usize);
        Run { from, to: place.wrapping_mul(width), len: width.min(end - from) }
    };
    let element = &values.dims()[1..];
    // The default along axes of its own, and repeated along the others.
    let missing = element.len() - default.rank();
    let own = row_major(default.dims());
    let strides = (0..element.len()).map(|axis| match axis.checked_sub(missing) {
        Some(i) if default.dims()[i] != 1 => own[i],
        _ => 0,
    });
    let repeated =
        Strided { offset: 0, dims: element.into(), strides: strides.collect(), par: c.par };
    let default = only(moved(c, &[default], element, &repeated)?)?;
    let inner = default.len();
    dims.extend_from_slice(element);
    moved(c, &[values, &default], dims, &Runs { count, run, inner, c })
}

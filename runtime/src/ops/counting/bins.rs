//! Kernels of counts by value, for the values of one row, or of each row of a matrix: dense, sparse or ragged.

use extype_kernels as k;
use k::Arithmetic as A;
use k::segment::{BLOCK, Routes, count, tally};

use super::kernel::scalar;
use crate::array::{Array, Dims, num_elements, vec_for};
use crate::ir::{KernelContext, Outputs, typed};
use crate::ops::ordering::kernel::cast;
use crate::ops::segment::ids::Ids;
use crate::ops::segment::kernel::{How, combined};
use crate::ops::{DenseBincount, DenseCountSparseOutput};
use crate::types::{DType, Result, bail, err};

/// Which row each value belongs to.
#[derive(Clone, Copy)]
enum Rows<'a> {
    /// There is one row.
    One,
    /// So many consecutive values belong to each row.
    Of(usize),
    /// Row `i` has the values from `splits[i]` to `splits[i + 1]`.
    Splits(&'a [i64]),
    /// The first of so many coordinates of each value.
    First(&'a [i64], usize),
}

impl Rows<'_> {
    /// The rows of the values from `start` on.
    fn fill(self, start: usize, out: &mut [i64]) {
        match self {
            Rows::One => out.fill(0),
            Rows::Of(columns) => {
                let (mut row, mut column) = (start / columns, start % columns);
                for out in out {
                    *out = row as i64;
                    column += 1;
                    if column == columns {
                        (row, column) = (row + 1, 0);
                    }
                }
            }
            Rows::Splits(splits) => {
                let mut next = splits.partition_point(|end| *end <= start as i64);
                for (i, out) in out.iter_mut().enumerate() {
                    while splits[next] <= (start + i) as i64 {
                        next += 1;
                    }
                    *out = next as i64 - 1;
                }
            }
            Rows::First(coordinates, rank) => {
                let first = coordinates[start * rank..].iter().step_by(rank);
                out.iter_mut().zip(first).for_each(|(out, row)| *out = *row);
            }
        }
    }
}

/// The rows that splits make of `len` values, and their number.
fn split(splits: &Array, len: usize) -> Result<(Rows<'_>, usize)> {
    let splits = splits.as_slice::<i64>()?;
    match splits {
        [0, .., last] if *last == len as i64 && splits.is_sorted() => {
            Ok((Rows::Splits(splits), splits.len() - 1))
        }
        _ => bail!(
            "splits begin with 0, ascend and end with the number of values, {len}; not {splits:?}"
        ),
    }
}

/// The rows of a dense vector or matrix, and their number if it is a matrix.
fn of_dense(x: &Array) -> (Rows<'_>, Option<usize>) {
    match x.dims() {
        [rows, columns] => (Rows::Of((*columns).max(1)), Some(*rows)),
        _ => (Rows::One, None),
    }
}

/// The rows of a sparse tensor, and their number if it is no vector.
fn of_sparse<'a>(indices: &'a Array, sizes: &Array) -> Result<(Rows<'a>, Option<usize>)> {
    let (coordinates, sizes) = (indices.as_slice::<i64>()?, sizes.as_slice::<i64>()?);
    if sizes.is_empty() {
        bail!("a sparse scalar has no values to count");
    }
    for (i, at) in coordinates.chunks_exact(sizes.len()).enumerate() {
        if at.iter().zip(sizes).any(|(at, size)| at < &0 || at >= size) {
            bail!("index {at:?} at position {i} is not in a tensor of sizes {sizes:?}");
        }
    }
    if sizes.len() == 1 {
        return Ok((Rows::One, None));
    }
    let rows = usize::try_from(sizes[0]).map_err(|_| err!("the size {} is negative", sizes[0]))?;
    Ok((Rows::First(coordinates, sizes.len()), Some(rows)))
}

/// Weights have the dims of the values, or are empty.
fn check_weights(values: &Array, weights: &Array) -> Result<()> {
    if !weights.is_empty() && weights.dims() != values.dims() {
        bail!(
            "weights have the shape of the values, {}, or are empty; not {}",
            values.shape(),
            weights.shape()
        );
    }
    Ok(())
}

/// Dense counts; the last two inputs are the number of bins and the weights.
fn dense(
    c: &KernelContext<'_>,
    values: &Array,
    (of, rows): (Rows<'_>, Option<usize>),
    binary: bool,
) -> Result<Outputs> {
    let weights = c.input(c.inputs.len() - 1);
    let bins = scalar(c, c.inputs.len() - 2, "the number of bins")?;
    let bins =
        usize::try_from(bins).map_err(|_| err!("the number of bins, {bins}, is negative"))?;
    check_weights(values, weights)?;
    let ids = Ids::of(values)?;
    ids.within("value", 0, usize::MAX)?;
    let dims: Dims = rows.into_iter().chain([bins]).collect();
    num_elements(&dims, 8)?;
    // Values beyond the last bin are not counted.
    let to = |start: usize, out: &mut [i64]| match of {
        Rows::One => ids.fill(start, out),
        of => {
            let values = &mut [0; BLOCK][..out.len()];
            ids.fill(start, values);
            of.fill(start, out);
            for (out, value) in out.iter_mut().zip(values) {
                *out = if *value < bins as i64 { *out * bins as i64 + *value } else { -1 };
            }
        }
    };
    typed!(wide_real, c, weights.dtype(), T => {
        let weights = weights.as_slice::<T>()?;
        Ok([c.output_slice(&dims, |out: &mut [T]| {
            out.fill(A::ZERO);
            match (binary, weights) {
                (true, _) => count(ids.len(), &to, out, |_, _| A::ONE),
                (_, []) => tally(ids.len(), &to, None, out),
                _ => tally(ids.len(), &to, Some(weights), out),
            }
            Ok(())
        })?].into())
    })
}

pub(in crate::ops) fn bincount(c: &KernelContext<'_>) -> Result<Outputs> {
    dense(c, c.input(0), (Rows::One, None), false)
}

pub(in crate::ops) fn dense_bincount(c: &KernelContext<'_>) -> Result<Outputs> {
    dense(c, c.input(0), of_dense(c.input(0)), c.get(DenseBincount::BINARY_OUTPUT)?)
}

pub(in crate::ops) fn sparse_bincount(c: &KernelContext<'_>) -> Result<Outputs> {
    let rows = of_sparse(c.input(0), c.input(2))?;
    dense(c, c.input(1), rows, c.get(DenseBincount::BINARY_OUTPUT)?)
}

pub(in crate::ops) fn ragged_bincount(c: &KernelContext<'_>) -> Result<Outputs> {
    let (rows, n) = split(c.input(0), c.input(1).len())?;
    dense(c, c.input(1), (rows, Some(n)), c.get(DenseBincount::BINARY_OUTPUT)?)
}

/// Counts of the values that occur, as a sparse tensor; the last input are the weights.
fn sparse(
    c: &KernelContext<'_>,
    values: &Array,
    (of, rows): (Rows<'_>, Option<usize>),
) -> Result<Outputs> {
    let weights = c.input(c.inputs.len() - 1);
    check_weights(values, weights)?;
    if rows == Some(0) {
        bail!("values without rows can't be counted");
    }
    let ids = Ids::of(values)?;
    let limit = c.get(DenseCountSparseOutput::MAXLENGTH)?;
    let below = if limit < 0 { i64::MAX } else { limit };
    let mut found: Vec<(i64, i64, usize)> = vec_for(ids.len())?;
    let (mut row, mut value) = ([0; BLOCK], [0; BLOCK]);
    for start in (0..ids.len()).step_by(BLOCK) {
        let n = BLOCK.min(ids.len() - start);
        of.fill(start, &mut row[..n]);
        ids.fill(start, &mut value[..n]);
        let items = row[..n].iter().zip(&value[..n]).enumerate();
        let counted = items.filter(|(_, (_, value))| (0..below).contains(*value));
        found.extend(counted.map(|(i, (row, value))| (*row, *value, start + i)));
    }
    // Values of one row stand together; items of one value keep their order.
    found.sort_unstable();
    let most = found.iter().map(|(_, value, _)| *value).max().unwrap_or(0);
    let mut at: Vec<i64> = vec_for(2 * found.len())?;
    let mut groups: Vec<i64> = vec_for(found.len())?;
    for (i, (row, value, _)) in found.iter().enumerate() {
        if i == 0 || (found[i - 1].0, found[i - 1].1) != (*row, *value) {
            if rows.is_some() {
                at.push(*row);
            }
            at.push(*value);
        }
        groups.push((at.len() / if rows.is_some() { 2 } else { 1 }) as i64 - 1);
    }
    let rank = if rows.is_some() { 2 } else { 1 };
    let n = at.len() / rank;
    let counts = if c.get(DenseCountSparseOutput::BINARY_OUTPUT)? {
        ones(&[n], weights.dtype())?
    } else {
        let all = match weights.is_empty() {
            true => ones(&[ids.len()], weights.dtype())?,
            false => weights.clone(),
        };
        let read = |start: usize, out: &mut [i64]| {
            out.iter_mut().zip(&found[start..]).for_each(|(out, found)| *out = found.2 as i64);
        };
        let routes = Routes {
            count: found.len(),
            from: Some(&read),
            to: &|start, out| out.copy_from_slice(&groups[start..][..out.len()]),
            sorted: true,
        };
        combined(c, &all.reshape([ids.len()])?, routes, &[n], How::Sum)?
    };
    let wide = match limit {
        0.. => limit,
        _ => most.saturating_add(1).max(c.get(DenseCountSparseOutput::MINLENGTH)?),
    };
    let sizes: Vec<i64> = rows.map(|n| n as i64).into_iter().chain([wide]).collect();
    Ok([Array::from_slice([n, rank], &at)?, counts, Array::from_slice([rank], &sizes)?]
        .into_iter()
        .collect())
}

fn ones(dims: &[usize], dtype: DType) -> Result<Array> {
    let ones = Array::from_writer(dims, |out: &mut [i32]| {
        out.fill(1);
        Ok(())
    })?;
    cast(&ones, dtype)
}

pub(in crate::ops) fn count_dense(c: &KernelContext<'_>) -> Result<Outputs> {
    sparse(c, c.input(0), of_dense(c.input(0)))
}

pub(in crate::ops) fn count_sparse(c: &KernelContext<'_>) -> Result<Outputs> {
    sparse(c, c.input(1), of_sparse(c.input(0), c.input(2))?)
}

pub(in crate::ops) fn count_ragged(c: &KernelContext<'_>) -> Result<Outputs> {
    let (rows, n) = split(c.input(0), c.input(1).len())?;
    sparse(c, c.input(1), (rows, Some(n)))
}

//! Output types of diagonals and bands of matrices.

use extype_kernels::movement::Band;

use crate::ir::{InferContext, Types};
use crate::ops::DiagonalAlign;
use crate::ops::rules::infer::one;
use crate::types::{Dim, Result, Shape, bail};

/// The lowest and the highest diagonal of `k`: one number, or two.
pub(in crate::ops) fn bounds(k: &[i64]) -> Result<(i64, i64)> {
    match *k {
        [d] => Ok((d, d)),
        [lower, upper] if lower <= upper => Ok((lower, upper)),
        [lower, upper] => {
            bail!("`k` goes from {lower} to {upper}; the lowest diagonal comes first")
        }
        _ => bail!("`k` is one diagonal or the lowest and the highest, not {} numbers", k.len()),
    }
}

/// Rejects diagonals that lie outside of a matrix.
fn check_bounds(lower: i64, upper: i64, rows: usize, columns: usize) -> Result<()> {
    let (least, most) = (-(rows as i64), columns as i64);
    match [lower, upper].iter().find(|d| **d != 0 && (**d <= least || **d >= most)) {
        Some(d) => bail!(
            "diagonal {d} lies outside of a matrix of shape [{rows}, {columns}]; it must be \
             between {least} and {most}"
        ),
        None => Ok(()),
    }
}

/// A band of diagonals of matrices of this size.
pub(in crate::ops) fn band_of(
    [rows, columns]: [usize; 2],
    k: &[i64],
    align: DiagonalAlign,
) -> Result<Band> {
    let (lower, upper) = bounds(k)?;
    check_bounds(lower, upper, rows, columns)?;
    let length = (rows as i64 + upper.min(0)).min(columns as i64 - lower.max(0));
    let (left_above, left_below) = align.left();
    let length = usize::try_from(length).unwrap_or(0);
    Ok(Band { rows, columns, lower, upper, length, left_above, left_below })
}

/// The sizes of the packed diagonals of a band, after the batch axes.
pub(in crate::ops) fn packed_sizes(band: &Band) -> &'static [fn(&Band) -> usize] {
    // A single diagonal has no axis for the number of diagonals.
    if band.lower == band.upper { &[|b| b.length] } else { &[Band::count, |b| b.length] }
}

/// The size of the matrices for packed diagonals: as requested, or as small as possible where that is
/// -1.
pub(in crate::ops) fn matrix_size(
    length: usize,
    (lower, upper): (i64, i64),
    asked: [i64; 2],
) -> Result<[usize; 2]> {
    let least = [length as i64 - upper.min(0), length as i64 + lower.max(0)];
    let names = ["rows", "columns"];
    for i in 0..2 {
        if asked[i] != -1 && asked[i] < least[i] {
            bail!(
                "{} {} are too few for diagonals {lower} to {upper} of length {length}; they need {}",
                asked[i],
                names[i],
                least[i]
            );
        }
    }
    let [rows, columns] = match asked {
        [-1, -1] => [least[0].max(least[1]); 2],
        [-1, columns] => [least[0], columns],
        [rows, -1] => [rows, least[1]],
        both => both,
    };
    if rows != least[0] && columns != least[1] {
        bail!(
            "matrices of shape [{rows}, {columns}] do not fit diagonals {lower} to {upper} of \
             length {length}: their rows must be {} or their columns {}",
            least[0],
            least[1]
        );
    }
    Ok([rows as usize, columns as usize])
}

pub(in crate::ops) fn matrix_band_part(c: &InferContext<'_>) -> Result<Types> {
    let x = c.shape(0).with_rank_at_least(2)?;
    for (i, axis, name) in [(1, -2, "num_lower"), (2, -1, "num_upper")] {
        c.shape(i).with_rank(0)?;
        if let (Some([n]), Some(_)) = (c.integers(i).as_deref(), x.rank())
            && let Some(size) = x.dim(axis)?.size()
            && *n > size as i64
        {
            bail!("`{name}` = {n} is more than the size {size} of the matrices of shape {x}");
        }
    }
    one(c.input(0).dtype, c.shape(0).clone())
}

pub(in crate::ops) fn matrix_diag(c: &InferContext<'_>) -> Result<Types> {
    let (dtype, x) = (c.input(0).dtype, c.shape(0).with_rank_at_least(1)?);
    c.shape(4).with_rank(0).map_err(|e| e.prefixed("`padding_value`"))?;
    let (Some(k), Some(dims)) = (c.integers(1), x.dims()) else {
        return one(dtype, Shape::unknown());
    };
    let (lower, upper) = bounds(&k)?;
    let batch = packed_batch(dims, (lower, upper))?;
    let asked = [c.integers(2), c.integers(3)].map(|n| Some(*n?.first()?));
    let matrix = match (dims.last().and_then(|d| d.size()), asked) {
        (Some(length), [Some(rows), Some(columns)]) => {
            matrix_size(length, (lower, upper), [rows, columns])?.map(Dim::from)
        }
        (_, asked) => asked.map(|n| Dim::from(n.and_then(|n| usize::try_from(n).ok()))),
    };
    one(dtype, batch.iter().copied().chain(matrix).collect())
}

/// The batch dimensions of packed diagonals.
pub(in crate::ops) fn packed_batch(dims: &[Dim], (lower, upper): (i64, i64)) -> Result<&[Dim]> {
    if lower == upper {
        return Ok(&dims[..dims.len() - 1]);
    }
    let n = (upper - lower + 1) as usize;
    let count = dims.len().checked_sub(2).map(|i| dims[i]);
    if count.is_none_or(|d| d.size().is_some_and(|d| d != n)) {
        let shape: Shape = dims.iter().copied().collect();
        bail!("diagonals of shape {shape} for {n} diagonals {lower} to {upper}: one row for each");
    }
    Ok(&dims[..dims.len() - 2])
}

pub(in crate::ops) fn matrix_diag_part(c: &InferContext<'_>) -> Result<Types> {
    let (dtype, x) = (c.input(0).dtype, c.shape(0).with_rank_at_least(2)?);
    c.shape(2).with_rank(0).map_err(|e| e.prefixed("`padding_value`"))?;
    let (Some(k), Some(dims)) = (c.integers(1), x.dims()) else {
        return one(dtype, Shape::unknown());
    };
    let (lower, upper) = bounds(&k)?;
    let (batch, matrix) = dims.split_at(dims.len() - 2);
    let count = (lower != upper).then(|| Dim::from((upper - lower + 1) as usize));
    let length = match (matrix[0].size(), matrix[1].size()) {
        (Some(rows), Some(columns)) => {
            Dim::from(band_of([rows, columns], &k, DiagonalAlign::default())?.length)
        }
        _ => Dim::UNKNOWN,
    };
    one(dtype, batch.iter().copied().chain(count).chain([length]).collect())
}

pub(in crate::ops) fn matrix_set_diag(c: &InferContext<'_>) -> Result<Types> {
    let x = c.shape(0).with_rank_at_least(2).map_err(|e| e.prefixed("`input`"))?;
    let packed = c.shape(1).with_rank_at_least(1).map_err(|e| e.prefixed("`diagonal`"))?;
    if let (Some(k), Some(dims)) = (c.integers(2), x.dims()) {
        let (batch, matrix) = dims.split_at(dims.len() - 2);
        let (lower, upper) = bounds(&k)?;
        let count = (lower != upper).then(|| Dim::from((upper - lower + 1) as usize));
        let length = match (matrix[0].size(), matrix[1].size()) {
            (Some(rows), Some(columns)) => {
                Dim::from(band_of([rows, columns], &k, DiagonalAlign::default())?.length)
            }
            _ => Dim::UNKNOWN,
        };
        let want: Shape = batch.iter().copied().chain(count).chain([length]).collect();
        if !want.is_compatible_with(&packed) {
            bail!(
                "diagonals of shape {packed} for diagonals {lower} to {upper} of shape {x}: they \
                 must have shape {want}"
            );
        }
    }
    one(c.input(0).dtype, c.shape(0).clone())
}

pub(in crate::ops) fn diag(c: &InferContext<'_>) -> Result<Types> {
    let x = c.shape(0).with_rank_at_least(1)?;
    one(c.input(0).dtype, if x.rank().is_some() { x.concatenate(&x) } else { x })
}

pub(in crate::ops) fn diag_part(c: &InferContext<'_>) -> Result<Types> {
    let (dtype, x) = (c.input(0).dtype, c.shape(0));
    let Some(dims) = x.dims() else { return one(dtype, Shape::unknown()) };
    if dims.is_empty() || !dims.len().is_multiple_of(2) {
        bail!("shape {x} has no two equal halves: its rank must be even and not zero");
    }
    let (a, b) = dims.split_at(dims.len() / 2);
    let halves = [a, b].map(|h| h.iter().copied().collect::<Shape>());
    let merged = halves[0].merge(&halves[1]);
    one(dtype, merged.map_err(|e| e.prefixed(format_args!("the halves of shape {x} differ")))?)
}

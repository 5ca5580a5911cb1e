//! Diagonals of matrices, and bands of them.

use super::clone_to;
use crate::size::volume;
use core::mem::MaybeUninit;

/// A band of diagonals in matrices of one size: 0 is the main diagonal, positive ones lie above.
///
/// Diagonals are packed as rows, from the highest down, each as long as the longest. A shorter diagonal lies at the
/// left or the right end of its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// The number of rows of a matrix.
    pub rows: usize,
    /// The number of columns of a matrix.
    pub columns: usize,
    /// The lowest diagonal.
    pub lower: i64,
    /// The highest diagonal.
    pub upper: i64,
    /// The length of a packed row.
    pub length: usize,
    /// True if diagonals above the main one lie at the left end of their rows.
    pub left_above: bool,
    /// True if diagonals below the main one lie at the left end of their rows.
    pub left_below: bool,
}

/// One diagonal: where it begins in the matrix and among the packed rows.
struct Diagonal {
    in_matrix: usize,
    in_packed: usize,
    len: usize,
}

impl Band {
    /// The number of diagonals.
    pub fn count(&self) -> usize {
        let count = self.upper.saturating_sub(self.lower).saturating_add(1);
        usize::try_from(count).unwrap_or(0)
    }

    /// The length of a diagonal in a matrix of this size; zero outside of the matrix.
    pub fn length_of(diagonal: i64, rows: usize, columns: usize) -> usize {
        let (rows, columns) = (rows as i64, columns as i64);
        let len =
            (rows.saturating_add(diagonal.min(0))).min(columns.saturating_sub(diagonal.max(0)));
        usize::try_from(len).unwrap_or(0)
    }

    fn diagonals(&self) -> impl Iterator<Item = Diagonal> + '_ {
        let Band { rows, columns, lower, upper, length, .. } = *self;
        (lower..=upper).rev().enumerate().filter_map(move |(i, d)| {
            let len = Self::length_of(d, rows, columns).min(length);
            let left = (d >= 0 && self.left_above) || (d <= 0 && self.left_below);
            let column = usize::try_from(d.max(0)).ok()?;
            let row = usize::try_from(d.min(0).unsigned_abs()).ok()?;
            (len > 0).then(|| Diagonal {
                in_matrix: row * columns + column,
                in_packed: i * length + if left { 0 } else { length - len },
                len,
            })
        })
    }
}

/// Writes packed diagonals into matrices that `out` already holds.
///
/// # Panics
///
/// If the lengths do not fit.
pub fn set_diagonals<T: Clone>(packed: &[T], band: &Band, out: &mut [MaybeUninit<T>]) {
    for (packed, out) in matrices(packed, volume([band.count(), band.length])).zip(parts(out, band))
    {
        for d in band.diagonals() {
            let places = out[d.in_matrix..].iter_mut().step_by(band.columns + 1);
            for (out, x) in places.zip(&packed[d.in_packed..d.in_packed + d.len]) {
                out.write(x.clone());
            }
        }
    }
}

/// Packs diagonals of matrices into rows that `out` already holds, filled with the padding.
///
/// # Panics
///
/// If the lengths do not fit.
pub fn diagonals<T: Clone>(x: &[T], band: &Band, out: &mut [MaybeUninit<T>]) {
    let size = volume([band.count(), band.length]);
    if size == 0 || volume([band.rows, band.columns]) == 0 {
        return;
    }
    for (x, out) in matrices(x, band.rows * band.columns).zip(out.chunks_exact_mut(size)) {
        for d in band.diagonals() {
            let elements = x[d.in_matrix..].iter().step_by(band.columns + 1);
            for (out, x) in out[d.in_packed..d.in_packed + d.len].iter_mut().zip(elements) {
                out.write(x.clone());
            }
        }
    }
}

/// Copies matrices; elements more than `lower` below or `upper` above the main diagonal become the default.
///
/// # Panics
///
/// If the lengths do not fit.
pub fn band_part<T: Clone + Default>(
    x: &[T],
    [rows, columns]: [usize; 2],
    [lower, upper]: [usize; 2],
    out: &mut [MaybeUninit<T>],
) {
    assert_eq!(x.len(), out.len(), "the result is as long as the operand");
    if columns == 0 {
        return;
    }
    let pairs = x.chunks_exact(columns).zip(out.chunks_exact_mut(columns));
    for (row, (x, out)) in pairs.enumerate() {
        let row = row % rows;
        let end = row.saturating_add(upper).saturating_add(1).min(columns);
        let start = row.saturating_sub(lower).min(end);
        clone_to(&x[start..end], &mut out[start..end]);
        let (before, behind) = out.split_at_mut(end);
        for out in before[..start].iter_mut().chain(behind) {
            out.write(T::default());
        }
    }
}

fn matrices<T>(x: &[T], size: usize) -> impl Iterator<Item = &[T]> {
    x.chunks_exact(size.max(1))
}

fn parts<'a, T>(out: &'a mut [T], band: &Band) -> impl Iterator<Item = &'a mut [T]> {
    out.chunks_exact_mut(volume([band.rows, band.columns]).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::filled;

    fn fill(out: &mut [MaybeUninit<i32>], value: i32) {
        out.iter_mut().for_each(|out| {
            out.write(value);
        });
    }

    const WIDE: Band = Band {
        rows: 3,
        columns: 4,
        lower: -1,
        upper: 2,
        length: 3,
        left_above: false,
        left_below: true,
    };

    #[test]
    fn diagonals_are_packed_and_set() {
        let x: Vec<i32> = (1..=12).collect();
        let got = filled(12, |out| {
            fill(out, 0);
            diagonals(&x, &WIDE, out);
        });
        assert_eq!(got, [0, 3, 8, 2, 7, 12, 1, 6, 11, 5, 10, 0]);
        let back = filled(12, |out| {
            fill(out, -1);
            set_diagonals(&got, &WIDE, out);
        });
        assert_eq!(back, [1, 2, 3, -1, 5, 6, 7, 8, -1, 10, 11, 12]);
    }

    #[test]
    fn alignment_moves_the_short_ones() {
        let x: Vec<i32> = (1..=12).collect();
        let got = filled(12, |out| {
            fill(out, 0);
            diagonals(&x, &Band { left_above: true, left_below: false, ..WIDE }, out);
        });
        assert_eq!(got, [3, 8, 0, 2, 7, 12, 1, 6, 11, 0, 5, 10]);
    }

    #[test]
    fn bands_are_kept() {
        let x: Vec<i32> = (1..=12).collect();
        let got = filled(12, |out| band_part(&x, [2, 3], [0, 1], out));
        assert_eq!(got, [1, 2, 0, 0, 5, 6, 7, 8, 0, 0, 11, 12]);
        // Whole rows are left out below and above.
        let got = filled(12, |out| band_part(&x, [6, 2], [1, 0], out));
        assert_eq!(got, [1, 0, 3, 4, 0, 6, 0, 0, 0, 0, 0, 0]);
        let got = filled(6, |out| band_part(&x[..6], [2, 3], [usize::MAX, usize::MAX], out));
        assert_eq!(got, x[..6]);
    }
}

//! Systems of matrices that are given by their diagonals.

use super::{Field, Singular, Wide};

/// The rows of a right side in double precision.
struct Rows<W> {
    all: Vec<W>,
    columns: usize,
}

impl<W: Wide> Rows<W> {
    fn read<T: Field<Wide = W>>(b: &[T], columns: usize) -> Self {
        Self { all: b.iter().map(|x| x.widen()).collect(), columns }
    }

    fn at(&mut self, i: usize, j: usize) -> &mut W {
        &mut self.all[i * self.columns + j]
    }

    /// Subtracts a multiple of row `from` from row `to`.
    fn subtract(&mut self, to: usize, times: W, from: usize) {
        for j in 0..self.columns {
            let less = times.times(*self.at(from, j));
            *self.at(to, j) = *self.at(to, j) - less;
        }
    }

    fn divide(&mut self, i: usize, by: W) {
        (0..self.columns).for_each(|j| *self.at(i, j) = *self.at(i, j) / by);
    }

    fn swap(&mut self, a: usize, b: usize) {
        (0..self.columns).for_each(|j| self.all.swap(a * self.columns + j, b * self.columns + j));
    }

    fn write<T: Field<Wide = W>>(self, out: &mut Vec<T>) {
        out.extend(self.all.into_iter().map(T::narrow));
    }
}

/// The solution `[n, k]` of `a x = b`, or of `aᴴ x = b`, for a triangular matrix of `count` diagonals of length `n`. The
/// element of each in row `i` of the matrix stands at place `i`. The main diagonal is the first of a lower triangle, the
/// last of an upper one.
///
/// # Errors
/// If the main diagonal has a zero. Nothing is appended then.
pub fn banded_solve<T: Field>(
    bands: &[T],
    (count, n): (usize, usize),
    (lower, adjoint): (bool, bool),
    b: &[T],
    k: usize,
    out: &mut Vec<T>,
) -> Result<(), Singular> {
    let stored = |i: usize, j: usize| {
        let band = if lower { i - j } else { count - 1 - (j - i) };
        bands[band * n + i].widen()
    };
    let at = |i, j| if adjoint { stored(j, i).conjugate() } else { stored(i, j) };
    if let Some(pivot) = (0..n).find(|i| stored(*i, *i).size() == 0.0) {
        return Err(Singular { pivot });
    }
    let mut x = Rows::read(b, k);
    for step in 0..n {
        let forward = lower != adjoint;
        let i = if forward { step } else { n - 1 - step };
        let others = match forward {
            true => (i + 1).saturating_sub(count)..i,
            false => i + 1..n.min(i.saturating_add(count)),
        };
        others.for_each(|j| x.subtract(i, at(i, j), j));
        x.divide(i, at(i, i));
    }
    x.write(out);
    Ok(())
}

/// The solution `[n, k]` of a system of a tridiagonal matrix, with rows exchanged for larger pivots or not. The three
/// diagonals, the upper one first, have the elements of row `i` at place `i`. The last of the upper and the first of the
/// lower one are not read. A zero among the pivots makes NaN.
pub fn tridiagonal_solve<T: Field>(
    diagonals: &[T],
    n: usize,
    pivoting: bool,
    b: &[T],
    k: usize,
    out: &mut Vec<T>,
) {
    let element = |diagonal: usize, i: usize| diagonals[diagonal * n + i].widen();
    let zero = T::Wide::of_real(0.0);
    // The element of the upper diagonal in a row, and zero in the last row.
    let above = |i| if i + 1 < n { element(0, i) } else { zero };
    let mut x = Rows::read(b, k);
    // The rows of the upper factor, from the diagonal on.
    let mut upper = vec![[zero; 3]; n];
    if n > 0 {
        upper[0] = [element(1, 0), above(0), zero];
    }
    for i in 1..n {
        let (row, below) = (upper[i - 1], element(2, i));
        let next = [element(1, i), above(i), zero];
        if pivoting && row[0].size() < below.size() {
            let times = row[0] / below;
            upper[i - 1] = [below, next[0], next[1]];
            upper[i] = [row[1] - times.times(next[0]), zero - times.times(next[1]), zero];
            x.swap(i - 1, i);
            x.subtract(i, times, i - 1);
        } else {
            let times = below / row[0];
            upper[i] = [next[0] - times.times(row[1]), next[1], zero];
            x.subtract(i, times, i - 1);
        }
    }
    if upper.iter().any(|row| row[0].size() == 0.0) {
        x.all.fill(T::Wide::of_real(f64::NAN));
    }
    for i in (0..n).rev() {
        for (j, value) in (i + 1..n.min(i + 3)).zip(&upper[i][1..]) {
            x.subtract(i, *value, j);
        }
        x.divide(i, upper[i][0]);
    }
    x.write(out);
}

/// The product of a tridiagonal matrix and a matrix `[n, k]`. The diagonals are as in [`tridiagonal_solve`].
pub fn tridiagonal_product<T: Field>(
    [upper, main, lower]: [&[T]; 3],
    b: &[T],
    k: usize,
    out: &mut Vec<T>,
) {
    let n = main.len();
    let at = |i: usize, j: usize| b[i * k + j].widen();
    let zero = T::Wide::of_real(0.0);
    let plus = |sum: T::Wide, x: T::Wide, y| sum - (zero - x.times(y));
    for i in 0..n {
        for j in 0..k {
            let mut sum = main[i].widen().times(at(i, j));
            if i + 1 < n {
                sum = plus(sum, upper[i].widen(), at(i + 1, j));
            }
            if i > 0 {
                sum = plus(sum, lower[i].widen(), at(i - 1, j));
            }
            out.push(T::narrow(sum));
        }
    }
}

//! Triangular factors, systems of equations, inverses, determinants.

use faer::linalg::cholesky::llt::factor::LltError;
use faer::linalg::solvers::{PartialPivLu, Solve};
use faer::{Mat, Side};

use super::scale::{self, Scales};
use super::{Field, Wide, read, read_adjoint, write};

/// A matrix is not positive definite: this is the order of the first leading minor that is not positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPositive {
    /// The order of the minor.
    pub minor: usize,
}

/// A matrix has no inverse: this is its first zero pivot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Singular {
    /// Its place on the diagonal of the upper triangular factor.
    pub pivot: usize,
}

/// The lower triangular factor of a Hermitian matrix `[n, n]`; only the lower triangle is read.
///
/// # Errors
/// If it is not positive definite, or has a NaN. Nothing is appended then.
pub fn cholesky<T: Field>(a: &[T], n: usize, out: &mut Vec<T>) -> Result<(), NotPositive> {
    let a = read(a, n, n);
    // By the diagonal alone: other elements are not larger. Rows of the factor have half the exponents.
    let half = |i: usize| a[(i, i)].exponent().filter(|e| e.abs() > 400).map_or(0, |e| e / 2);
    let halves: Vec<i32> = (0..n).map(half).collect();
    match scale::by(&a, |i, j| -halves[i] - halves[j]).llt(Side::Lower) {
        Ok(factor) => {
            let diagonal = (0..n).map(|i| factor.L()[(i, i)].real_part());
            if let Some(i) = diagonal.into_iter().position(f64::is_nan) {
                return Err(NotPositive { minor: i + 1 });
            }
            let lower = Mat::from_fn(n, n, |i, j| factor.L()[(i, j)].scaled(halves[i]));
            write(lower.as_ref(), out);
            Ok(())
        }
        Err(LltError::NonPositivePivot { index }) => Err(NotPositive { minor: index + 1 }),
    }
}

/// The factors of a square matrix with reordered rows: `upper` on and above the diagonal, `lower` below it with an
/// implicit diagonal of ones. `rows` gives the original index of each row.
pub fn lu<T: Field>(a: &[T], n: usize, out: &mut Vec<T>, rows: &mut Vec<usize>) {
    // One power of two for all elements: the order of the rows depends on which elements are larger.
    let (a, scale) = scale::for_elimination(read(a, n, n));
    let factors = Factors::of(a);
    let back = |i, j| if j < i { 0 } else { -scale };
    write(scale::by(&factors.packed, back).as_ref(), out);
    rows.extend(factors.rows);
}

/// Both triangular factors in one matrix, and the original index of each row. Singular matrices have them too.
struct Factors<W> {
    packed: Mat<W>,
    rows: Vec<usize>,
}

impl<W: Wide> Factors<W> {
    fn of(a: Mat<W>) -> Self {
        let n = a.nrows();
        if scale::has_extremes(&a) {
            return Self::eliminated(a);
        }
        let factor = Lu::new(&a);
        // The columns were multiplied by the reciprocal of the pivot, which must be in range.
        let divides = |p: W| p.exponent().is_some_and(|e| e.abs() < 1000);
        if !factor.pivots().all(divides) {
            return Self::eliminated(a);
        }
        let (lower, upper) = (factor.0.L(), factor.0.U());
        let at = |i, j| if j < i { lower[(i, j)] } else { upper[(i, j)] };
        Self { packed: Mat::from_fn(n, n, at), rows: factor.0.P().arrays().0.to_vec() }
    }

    /// By elimination, which skips a column if only zeros are left in it.
    fn eliminated(mut a: Mat<W>) -> Self {
        let n = a.nrows();
        let mut rows: Vec<usize> = (0..n).collect();
        for k in 0..n {
            let largest = (k + 1..n)
                .fold(k, |at, i| if a[(i, k)].size() > a[(at, k)].size() { i } else { at });
            rows.swap(k, largest);
            for j in 0..n {
                (a[(k, j)], a[(largest, j)]) = (a[(largest, j)], a[(k, j)]);
            }
            let pivot = a[(k, k)];
            if pivot.size() == 0.0 {
                continue;
            }
            for i in k + 1..n {
                let times = a[(i, k)].divided(pivot);
                a[(i, k)] = times;
                for j in k + 1..n {
                    a[(i, j)] = a[(i, j)] - times.times(a[(k, j)]);
                }
            }
        }
        Self { packed: a, rows }
    }

    fn pivots(&self) -> impl Iterator<Item = W> {
        (0..self.packed.nrows()).map(|i| self.packed[(i, i)])
    }

    /// True if the rows are an odd permutation.
    fn is_odd(&self) -> bool {
        let mut seen = vec![false; self.rows.len()];
        let mut odd = false;
        for start in 0..self.rows.len() {
            let mut at = start;
            let mut length = 0;
            while !std::mem::replace(&mut seen[at], true) {
                at = self.rows[at];
                length += 1;
            }
            odd ^= length > 0 && length % 2 == 0;
        }
        odd
    }
}

struct Lu<W: Wide>(PartialPivLu<W>);

impl<W: Wide> Lu<W> {
    fn new(a: &Mat<W>) -> Self {
        Self(a.partial_piv_lu())
    }

    fn pivots(&self) -> impl Iterator<Item = W> {
        let upper = self.0.U();
        (0..upper.nrows()).map(move |i| upper[(i, i)])
    }

    fn regular(self) -> Result<Self, Singular> {
        let zero = self.pivots().position(|p| p.size() == 0.0);
        zero.map_or(Ok(self), |pivot| Err(Singular { pivot }))
    }
}

/// The solution `[n, k]` of `a x = b`, or of `aᴴ x = b`.
///
/// # Errors
/// If the matrix has no inverse: a pivot is zero.
pub fn solve<T: Field>(
    a: &[T],
    n: usize,
    adjoint: bool,
    b: &[T],
    k: usize,
    out: &mut Vec<T>,
) -> Result<(), Singular> {
    let a = if adjoint { read_adjoint(a, n, n) } else { read(a, n, n) };
    let scales = Scales::of(&a);
    let factor = Lu::new(&scales.apply(a)).regular()?;
    let (mut x, further) = scales.apply_right(read(b, n, k));
    if n > 0 && k > 0 {
        factor.0.solve_in_place(&mut x);
    }
    write(scale::by(&x, |i, j| scales.columns[i] - further[j]).as_ref(), out);
    Ok(())
}

/// The inverse of a matrix `[n, n]`, or of its adjoint.
///
/// # Errors
/// As [`solve`].
pub fn inverse<T: Field>(
    a: &[T],
    n: usize,
    adjoint: bool,
    out: &mut Vec<T>,
) -> Result<(), Singular> {
    let a = if adjoint { read_adjoint(a, n, n) } else { read(a, n, n) };
    let scales = Scales::of(&a);
    let factor = Lu::new(&scales.apply(a)).regular()?;
    let mut x = Mat::<T::Wide>::identity(n, n);
    if n > 0 {
        factor.0.solve_in_place(&mut x);
    }
    write(scale::by(&x, |i, j| scales.columns[i] + scales.rows[j]).as_ref(), out);
    Ok(())
}

/// The solution `[n, k]` of `a x = b`, or of `aᴴ x = b`; only one triangle of `a` is read. A zero on the diagonal gives
/// infinities and NaN.
pub fn triangular_solve<T: Field>(
    a: &[T],
    n: usize,
    (lower, adjoint): (bool, bool),
    b: &[T],
    k: usize,
    out: &mut Vec<T>,
) {
    let all = if adjoint { read_adjoint(a, n, n) } else { read(a, n, n) };
    let lower = lower != adjoint;
    let zero = T::Wide::of_real(0.0);
    let a = Mat::from_fn(n, n, |i, j| if (j <= i) == lower || i == j { all[(i, j)] } else { zero });
    let scales = Scales::of(&a);
    let a = scales.apply(a);
    let (mut x, further) = scales.apply_right(read(b, n, k));
    if n > 0 && k > 0 {
        match lower {
            true => a.solve_lower_triangular_in_place(&mut x),
            false => a.solve_upper_triangular_in_place(&mut x),
        }
    }
    write(scale::by(&x, |i, j| scales.columns[i] - further[j]).as_ref(), out);
}

/// The determinant of a matrix `[n, n]`: 1 if the matrix is empty.
pub fn determinant<T: Field>(a: &[T], n: usize) -> T {
    let a = read(a, n, n);
    let scales = Scales::of(&a);
    let factors = Factors::of(scales.apply(a));
    let sign = T::Wide::of_real(if factors.is_odd() { -1.0 } else { 1.0 });
    // The exponent is kept separately: a partial product may be out of range.
    let (product, exponent) = factors.pivots().fold((sign, 0), |(product, exponent), pivot| {
        let of = |x: T::Wide| x.exponent().unwrap_or(0);
        let own = of(pivot);
        let product = product.times(pivot.scaled(-own));
        let more = of(product);
        (product.scaled(-more), exponent + own + more)
    });
    T::narrow(product.scaled(exponent - scales.total()))
}

/// The sign of the determinant, a number of absolute value 1 or 0, and the logarithm of its absolute value.
pub fn log_determinant<T: Field>(a: &[T], n: usize) -> (T, T) {
    let a = read(a, n, n);
    let scales = Scales::of(&a);
    let factors = Factors::of(scales.apply(a));
    let mut sign = T::Wide::of_real(if factors.is_odd() { -1.0 } else { 1.0 });
    let mut log = -f64::from(scales.total()) * std::f64::consts::LN_2;
    for pivot in factors.pivots() {
        let size = pivot.size();
        log += size.ln();
        sign = if size == 0.0 { T::Wide::of_real(0.0) } else { sign.times(pivot.over(size)) };
    }
    (T::narrow(sign), T::narrow(T::Wide::of_real(log)))
}

//! Orthogonal factors, singular values, eigenvalues.

use faer::linalg::solvers::Eigen;
use faer::{Mat, MatRef, Side};

use super::scale::{self, Scales};
use super::{Field, Wide, read, schur, write};
use crate::Complex64;

/// Values or vectors were not found: the matrix has elements that are not finite, or the iteration
/// did not converge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotConverged {
    /// Whether all elements are finite.
    pub finite: bool,
}

/// The vectors that are computed besides the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vectors {
    /// None.
    None,
    /// As many as there are values.
    Thin,
    /// A complete basis.
    Full,
}

/// The orthogonal factor of a matrix `[m, n]`, which is `[m, m]` if `full` and otherwise `[m, min(m, n)]`, and the
/// upper triangular factor, `[m, n]` or `[min(m, n), n]`.
pub fn qr<T: Field>(a: &[T], (m, n): (usize, usize), full: bool, q: &mut Vec<T>, r: &mut Vec<T>) {
    if m == 0 || n == 0 {
        let columns = if full { m } else { 0 };
        return write(Mat::<T::Wide>::identity(m, columns).as_ref(), q);
    }
    // The scale of a column is also that of the same column in `r`.
    let a = read(a, m, n);
    let columns = Scales::of_columns(&a);
    let factor = scale::by(&a, |_, j| columns[j]).qr();
    let upper = factor.R();
    let rows = if full { m } else { m.min(n) };
    write((if full { factor.compute_Q() } else { factor.compute_thin_Q() }).as_ref(), q);
    for i in 0..rows {
        let at = |j: usize| match i <= j && i < upper.nrows() {
            true => upper[(i, j)].scaled(-columns[j]),
            false => T::Wide::of_real(0.0),
        };
        r.extend((0..n).map(|j| T::narrow(at(j))));
    }
}

fn finite<W: Wide>(a: &Mat<W>) -> Result<(), NotConverged> {
    let all = (0..a.ncols()).all(|j| (0..a.nrows()).all(|i| a[(i, j)].is_finite()));
    if all { Ok(()) } else { Err(NotConverged { finite: false }) }
}

const STUCK: NotConverged = NotConverged { finite: true };

/// The singular values of a matrix `[m, n]`, largest first, and the vectors on its left and right
/// as columns.
///
/// # Errors
/// If they are not found.
pub fn svd<T: Field>(
    a: &[T],
    (m, n): (usize, usize),
    vectors: Vectors,
    s: &mut Vec<T>,
    u: &mut Vec<T>,
    v: &mut Vec<T>,
) -> Result<(), NotConverged> {
    if m == 0 || n == 0 {
        if vectors == Vectors::Full {
            write(Mat::<T::Wide>::identity(m, m).as_ref(), u);
            write(Mat::<T::Wide>::identity(n, n).as_ref(), v);
        }
        return Ok(());
    }
    let a = read(a, m, n);
    finite(&a)?;
    let (a, scale) = scale::whole(a);
    let factor = match vectors {
        Vectors::None => {
            let values = a.singular_values().map_err(|_| STUCK)?;
            s.extend(values.into_iter().map(|x| T::narrow(T::Wide::of_real(x).scaled(-scale))));
            return Ok(());
        }
        Vectors::Thin => a.thin_svd(),
        Vectors::Full => a.svd(),
    };
    let factor = factor.map_err(|_| STUCK)?;
    s.extend(factor.S().column_vector().iter().map(|x| T::narrow(x.scaled(-scale))));
    // A left and a right vector change sign together; vectors without a value have no partner.
    let flips = [flips(factor.U()), flips(factor.V())];
    let partners = flips[0].iter().take(m.min(n)).chain(flips[1].iter().skip(m.min(n)));
    write(flipped(factor.U(), flips[0].iter()).as_ref(), u);
    write(flipped(factor.V(), partners).as_ref(), v);
    Ok(())
}

/// The columns to negate so that the first large element of each is positive. Vectors are determined only up to their
/// sign: otherwise rounding would choose it, and a nearby matrix might get another one.
fn flips<W: Wide>(vectors: MatRef<'_, W>) -> Vec<bool> {
    let of = |j: usize| {
        let column = || (0..vectors.nrows()).map(|i| vectors[(i, j)]);
        let largest = column().map(Wide::size).fold(0.0, f64::max);
        column().find(|x| x.size() > 0.6 * largest).is_some_and(|x| x.real_part() < 0.0)
    };
    (0..vectors.ncols()).map(of).collect()
}

fn flipped<'a, W: Wide>(vectors: MatRef<'_, W>, flips: impl Iterator<Item = &'a bool>) -> Mat<W> {
    let signs: Vec<f64> = flips.map(|flip| if *flip { -1.0 } else { 1.0 }).collect();
    Mat::from_fn(vectors.nrows(), vectors.ncols(), |i, j| {
        vectors[(i, j)].times(W::of_real(signs[j]))
    })
}

/// The eigenvalues of a Hermitian matrix `[n, n]`, smallest first, and if wanted its eigenvectors as columns. Only the
/// lower triangle is read.
///
/// # Errors
/// If they are not found.
pub fn eigh<T: Field>(
    a: &[T],
    n: usize,
    e: &mut Vec<T>,
    v: Option<&mut Vec<T>>,
) -> Result<(), NotConverged> {
    if n == 0 {
        return Ok(());
    }
    // Only the triangle that is read has to be finite.
    let all = read(a, n, n);
    let a = Mat::from_fn(n, n, |i, j| if j <= i { all[(i, j)] } else { all[(j, i)].conjugate() });
    finite(&a)?;
    let (a, scale) = scale::whole(a);
    match v {
        None => {
            let values = a.self_adjoint_eigenvalues(Side::Lower).map_err(|_| STUCK)?;
            e.extend(values.into_iter().map(|x| T::narrow(T::Wide::of_real(x).scaled(-scale))));
        }
        Some(v) => {
            let factor = a.self_adjoint_eigen(Side::Lower).map_err(|_| STUCK)?;
            e.extend(factor.S().column_vector().iter().map(|x| T::narrow(x.scaled(-scale))));
            write(flipped(factor.U(), flips(factor.U()).iter()).as_ref(), v);
        }
    }
    Ok(())
}

/// The eigenvalues of a matrix `[n, n]`, and if wanted its right eigenvectors as columns of
/// length 1.
///
/// # Errors
/// If they are not found.
pub fn eig<T: Field>(
    a: &[T],
    n: usize,
    e: &mut Vec<T::Complex>,
    v: Option<&mut Vec<T::Complex>>,
) -> Result<(), NotConverged> {
    if n == 0 {
        return Ok(());
    }
    let a = read(a, n, n);
    finite(&a)?;
    let (a, scale) = scale::whole(a);
    let (mut values, mut vectors) = T::Wide::eigen(a.as_ref())?;
    if v.is_some() {
        let a = Mat::from_fn(n, n, |i, j| a[(i, j)].complex());
        to_length_one(&mut vectors);
        // The vectors of a matrix with too few eigenvectors overflow.
        if !are_eigenvectors(&a, &values, &vectors) {
            (values, vectors) = schur::eigen(a.clone()).ok_or(STUCK)?;
            to_length_one(&mut vectors);
            if !are_eigenvectors(&a, &values, &vectors) {
                return Err(STUCK);
            }
        }
    }
    e.extend(values.into_iter().map(|x| T::narrow_complex(x.scaled(-scale))));
    if let Some(v) = v {
        for i in 0..n {
            v.extend((0..n).map(|j| T::narrow_complex(vectors[(i, j)])));
        }
    }
    Ok(())
}

/// Scales columns to length 1, whatever the sizes of their elements.
fn to_length_one(vectors: &mut Mat<Complex64>) {
    let n = vectors.nrows();
    for j in 0..vectors.ncols() {
        let exponents = (0..n).filter_map(|i| vectors[(i, j)].exponent());
        let scale = exponents.max().unwrap_or(0);
        (0..n).for_each(|i| vectors[(i, j)] = vectors[(i, j)].scaled(-scale));
        let length = (0..n).map(|i| vectors[(i, j)].norm_sqr()).sum::<f64>().sqrt();
        (0..n).for_each(|i| vectors[(i, j)] /= length);
    }
}

/// True if the matrix multiplies each of these vectors of length 1 by its value.
fn are_eigenvectors(a: &Mat<Complex64>, values: &[Complex64], vectors: &Mat<Complex64>) -> bool {
    let n = a.nrows();
    let largest = (0..n).flat_map(|j| (0..n).map(move |i| a[(i, j)].norm())).fold(0.0, f64::max);
    let most = 1e-12 * n as f64 * largest;
    let stretched = a * vectors;
    (0..n).all(|j| {
        // False for NaN.
        (0..n).all(|i| (stretched[(i, j)] - vectors[(i, j)] * values[j]).norm() <= most)
    })
}

/// The eigenvalues and eigenvectors in the result of `faer`.
pub(super) fn unpacked<E>(
    found: Result<Eigen<f64>, E>,
) -> Result<(Vec<Complex64>, Mat<Complex64>), NotConverged> {
    let found = found.map_err(|_| STUCK)?;
    let vectors: MatRef<'_, Complex64> = found.U();
    Ok((found.S().column_vector().iter().copied().collect(), vectors.to_owned()))
}

//! Orthogonal factors, singular values, eigenvalues.

use faer::linalg::solvers::Eigen;
use faer::{Mat, MatRef, Side};

use super::{Field, Wide, read, write};
use crate::Complex64;

/// Values or vectors were not found: the matrix has elements that are not finite, or the iteration
/// did not converge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotConverged {
    /// Whether all elements are finite.
    pub finite: bool,
}

/// Which vectors are computed beside the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vectors {
    /// None.
    None,
    /// As many as there are values.
    Thin,
    /// A whole basis.
    Full,
}

/// The orthogonal factor of a matrix `[m, n]`, `[m, m]` if `full` or else `[m, min(m, n)]`, and the
/// upper triangular one, `[m, n]` or `[min(m, n), n]`.
pub fn qr<T: Field>(a: &[T], (m, n): (usize, usize), full: bool, q: &mut Vec<T>, r: &mut Vec<T>) {
    if m == 0 || n == 0 {
        let columns = if full { m } else { 0 };
        return write(Mat::<T::Wide>::identity(m, columns).as_ref(), q);
    }
    let factor = read(a, m, n).qr();
    let upper = factor.R();
    let rows = if full { m } else { m.min(n) };
    write((if full { factor.compute_Q() } else { factor.compute_thin_Q() }).as_ref(), q);
    for i in 0..rows {
        let at = |j: usize| match i <= j && i < upper.nrows() {
            true => upper[(i, j)],
            false => T::Wide::of_real(0.0),
        };
        r.extend((0..n).map(|j| T::narrow(at(j))));
    }
}

fn finite<W: Wide>(a: &Mat<W>) -> Result<(), NotConverged> {
    let all = (0..a.ncols()).all(|j| (0..a.nrows()).all(|i| a[(i, j)].size().is_finite()));
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
    let factor = match vectors {
        Vectors::None => {
            let values = a.singular_values().map_err(|_| STUCK)?;
            s.extend(values.into_iter().map(|x| T::narrow(T::Wide::of_real(x))));
            return Ok(());
        }
        Vectors::Thin => a.thin_svd(),
        Vectors::Full => a.svd(),
    };
    let factor = factor.map_err(|_| STUCK)?;
    s.extend(factor.S().column_vector().iter().map(|x| T::narrow(*x)));
    write(factor.U(), u);
    write(factor.V(), v);
    Ok(())
}

/// The eigenvalues of a Hermitian matrix `[n, n]`, of which the lower triangle is read, smallest
/// first, and if wanted its eigenvectors as columns.
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
    match v {
        None => {
            let values = a.self_adjoint_eigenvalues(Side::Lower).map_err(|_| STUCK)?;
            e.extend(values.into_iter().map(|x| T::narrow(T::Wide::of_real(x))));
        }
        Some(v) => {
            let factor = a.self_adjoint_eigen(Side::Lower).map_err(|_| STUCK)?;
            e.extend(factor.S().column_vector().iter().map(|x| T::narrow(*x)));
            write(factor.U(), v);
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
    let (values, vectors) = T::Wide::eigen(a.as_ref())?;
    e.extend(values.into_iter().map(T::narrow_complex));
    let Some(v) = v else { return Ok(()) };
    let length = |j: usize| (0..n).map(|i| vectors[(i, j)].norm_sqr()).sum::<f64>().sqrt();
    let lengths: Vec<f64> = (0..n).map(length).collect();
    for i in 0..n {
        v.extend((0..n).map(|j| T::narrow_complex(vectors[(i, j)] / lengths[j])));
    }
    Ok(())
}

/// The values and vectors of a general eigenproblem.
pub(super) fn unpacked<E>(
    found: Result<Eigen<f64>, E>,
) -> Result<(Vec<Complex64>, Mat<Complex64>), NotConverged> {
    let found = found.map_err(|_| STUCK)?;
    let vectors: MatRef<'_, Complex64> = found.U();
    Ok((found.S().column_vector().iter().copied().collect(), vectors.to_owned()))
}

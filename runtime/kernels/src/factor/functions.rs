//! Square roots and logarithms of matrices, through the complex Schur form.

use faer::Mat;

use super::eigen::NotConverged;
use super::schur::triangular;
use super::{Field, Wide};
use crate::Complex64;

type Matrix = Mat<Complex64>;

/// The places and weights of Gauss's rule of seven points, from 0 to 1: the Padé approximant of the logarithm.
const POINTS: [(f64, f64); 7] = [
    (0.025446043828620757, 0.06474248308443485),
    (0.12923440720030277, 0.13985269574463832),
    (0.2970774243113014, 0.19091502525255946),
    (0.5, 0.2089795918367347),
    (0.7029225756886985, 0.19091502525255946),
    (0.8707655927996972, 0.13985269574463832),
    (0.9745539561713792, 0.06474248308443485),
];

/// The approximant is accurate to double precision for matrices up to this distance from the identity.
const LARGEST: f64 = 0.25;

/// The square root of a matrix `[n, n]` whose eigenvalues have no negative real parts. A real matrix without a real root
/// gives NaN.
///
/// # Errors
/// If an element is not finite, or the iteration does not converge.
pub fn sqrt<T: Field>(a: &[T], n: usize, out: &mut Vec<T>) -> Result<(), NotConverged> {
    function(a, n, root, out)
}

/// The logarithm of a matrix `[n, n]` whose eigenvalues have imaginary parts from -π to π.
///
/// # Errors
/// As [`sqrt`].
pub fn log<T: Field>(a: &[T], n: usize, out: &mut Vec<T>) -> Result<(), NotConverged> {
    function(a, n, logarithm, out)
}

fn function<T: Field>(
    a: &[T],
    n: usize,
    of_triangular: fn(&Matrix) -> Matrix,
    out: &mut Vec<T>,
) -> Result<(), NotConverged> {
    let a = Mat::from_fn(n, n, |i, j| a[i * n + j].widen().complex());
    if (0..n).any(|i| (0..n).any(|j| !a[(i, j)].is_finite())) {
        return Err(NotConverged { finite: false });
    }
    let (t, q) = triangular(a).ok_or(NotConverged { finite: true })?;
    let y = &q * of_triangular(&t) * q.adjoint();
    let each = || (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    // A real result has no more than rounding errors in its imaginary parts.
    let (mut size, mut lost) = (0.0f64, 0.0f64);
    for at in each() {
        size = size.max(y[at].norm());
        lost = lost.max((T::Wide::of_complex(y[at]).complex() - y[at]).norm());
    }
    let is_real = lost <= 1e-6 * size;
    out.extend(each().map(|at| {
        T::narrow(if is_real { T::Wide::of_complex(y[at]) } else { T::Wide::of_real(f64::NAN) })
    }));
    Ok(())
}

/// The square root of an upper triangular matrix.
fn root(t: &Matrix) -> Matrix {
    let n = t.nrows();
    let mut r = Matrix::zeros(n, n);
    for j in 0..n {
        r[(j, j)] = t[(j, j)].sqrt();
        for i in (0..j).rev() {
            let inner: Complex64 = (i + 1..j).map(|k| r[(i, k)] * r[(k, j)]).sum();
            let rest = t[(i, j)] - inner;
            r[(i, j)] = if rest == 0.0.into() { rest } else { rest / (r[(i, i)] + r[(j, j)]) };
        }
    }
    r
}

/// The logarithm of an upper triangular matrix: of a root that is near the identity, doubled as often as roots were taken.
fn logarithm(t: &Matrix) -> Matrix {
    let n = t.nrows();
    let one = Matrix::identity(n, n);
    let away = |r: &Matrix| {
        let column = |j: usize| (0..=j).map(|i| (r[(i, j)] - one[(i, j)]).norm()).sum::<f64>();
        (0..n).map(column).fold(0.0, f64::max)
    };
    let (mut near, mut roots) = (t.clone(), 0);
    // A matrix that has a zero among its eigenvalues stays away.
    while away(&near) > LARGEST && roots < 64 {
        near = root(&near);
        roots += 1;
    }
    let mut log = Matrix::zeros(n, n);
    for (place, weight) in POINTS {
        // Solves (1 + place · x) z = x for x = near - 1, from the last row up.
        let x = |i: usize, j: usize| near[(i, j)] - one[(i, j)];
        let mut z = Matrix::zeros(n, n);
        for j in 0..n {
            for i in (0..=j).rev() {
                let inner: Complex64 = (i + 1..=j).map(|k| x(i, k) * place * z[(k, j)]).sum();
                z[(i, j)] = (x(i, j) - inner) / (x(i, i) * place + 1.0);
                log[(i, j)] += z[(i, j)] * weight;
            }
        }
    }
    let scale = f64::powi(2.0, roots);
    for j in 0..n {
        (0..j).for_each(|i| log[(i, j)] *= scale);
        log[(j, j)] = t[(j, j)].ln();
    }
    log
}

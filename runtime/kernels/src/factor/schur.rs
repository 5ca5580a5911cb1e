//! Eigenvectors through the complex Schur form, with vectors that are scaled while they grow. This is for matrices with
//! (almost) dependent eigenvectors, where those of `faer` overflow.

use faer::Mat;

use crate::Complex64;

type Matrix = Mat<Complex64>;

const ZERO: Complex64 = Complex64::new(0.0, 0.0);
const ONE: Complex64 = Complex64::new(1.0, 0.0);

/// The eigenvalues and right eigenvectors, of any length; `None` if the iteration does not converge.
pub(super) fn eigen(a: Matrix) -> Option<(Vec<Complex64>, Matrix)> {
    let n = a.nrows();
    let (t, q) = triangular(a)?;
    let values: Vec<Complex64> = (0..n).map(|i| t[(i, i)]).collect();
    let mut vectors = Matrix::zeros(n, n);
    let norm = size(&t);
    let least = (f64::EPSILON * norm).max(f64::MIN_POSITIVE);
    for k in 0..n {
        let mut x: Vec<Complex64> = (0..=k).map(|i| -t[(i, k)]).collect();
        x[k] = ONE;
        for j in (0..k).rev() {
            let z = t[(j, j)] - t[(k, k)];
            x[j] /= if z.norm() < least { least.into() } else { z };
            let large = x[j].norm();
            if large > 1e100 {
                x.iter_mut().for_each(|x| *x /= large);
            }
            for i in 0..j {
                let less = t[(i, j)] * x[j];
                x[i] -= less;
            }
        }
        for i in 0..n {
            vectors[(i, k)] = x.iter().enumerate().map(|(j, x)| q[(i, j)] * x).sum();
        }
    }
    Some((values, vectors))
}

/// The sum of the absolute values.
fn size(a: &Matrix) -> f64 {
    (0..a.ncols()).map(|j| (0..a.nrows()).map(|i| a[(i, j)].norm()).sum::<f64>()).sum()
}

/// An upper triangular matrix and a unitary one, `a = q t qᴴ`, by QR steps with one shift.
pub(super) fn triangular(a: Matrix) -> Option<(Matrix, Matrix)> {
    /// The number of steps allowed for each eigenvalue.
    const STEPS: usize = 60;
    let n = a.nrows();
    let (mut h, mut q) = hessenberg(a);
    let norm = size(&h);
    let negligible = |h: &Matrix, i: usize| {
        let beside = h[(i - 1, i - 1)].norm() + h[(i, i)].norm();
        let beside = if beside == 0.0 { norm } else { beside };
        h[(i, i - 1)].norm() <= f64::EPSILON * beside
    };
    let (mut end, mut steps) = (n.saturating_sub(1), 0);
    while end > 0 {
        if negligible(&h, end) {
            h[(end, end - 1)] = ZERO;
            (end, steps) = (end - 1, 0);
            continue;
        }
        steps += 1;
        if steps > STEPS {
            return None;
        }
        let mut start = end - 1;
        while start > 0 && !negligible(&h, start) {
            start -= 1;
        }
        if start > 0 {
            h[(start, start - 1)] = ZERO;
        }
        let shift = match steps % 10 {
            // Another shift now and then, in case the usual one goes round in a circle.
            0 => h[(end, end)] + h[(end, end - 1)].norm(),
            _ => shift(&h, end),
        };
        for i in start..end {
            let (f, g) = match i == start {
                true => (h[(i, i)] - shift, h[(i + 1, i)]),
                false => (h[(i, i - 1)], h[(i + 1, i - 1)]),
            };
            let turn = Rotation::of(f, g);
            turn.rows(&mut h, i, i.saturating_sub(1).max(start)..n);
            if i > start {
                h[(i + 1, i - 1)] = ZERO;
            }
            turn.columns(&mut h, i, 0..(i + 3).min(end + 1));
            turn.columns(&mut q, i, 0..n);
        }
    }
    for j in 0..n {
        (j + 1..n).for_each(|i| h[(i, j)] = ZERO);
    }
    Some((h, q))
}

/// The eigenvalue of the last two rows and columns that is nearer to the last element.
fn shift(h: &Matrix, end: usize) -> Complex64 {
    let (a, b) = (h[(end - 1, end - 1)], h[(end - 1, end)]);
    let (c, d) = (h[(end, end - 1)], h[(end, end)]);
    let half = (a - d) / 2.0;
    let root = (half * half + b * c).sqrt();
    match (half + root).norm() < (half - root).norm() {
        true => d + half + root,
        false => d + half - root,
    }
}

/// A rotation of two neighbours that makes the second of a pair zero.
struct Rotation {
    c: f64,
    s: Complex64,
}

impl Rotation {
    fn of(f: Complex64, g: Complex64) -> Self {
        let (x, y) = (f.norm(), g.norm());
        if y == 0.0 {
            return Self { c: 1.0, s: ZERO };
        }
        if x == 0.0 {
            return Self { c: 0.0, s: g.conj() / y };
        }
        let length = x.hypot(y);
        Self { c: x / length, s: f / x * g.conj() / length }
    }

    fn rows(&self, a: &mut Matrix, i: usize, columns: std::ops::Range<usize>) {
        for j in columns {
            let (x, y) = (a[(i, j)], a[(i + 1, j)]);
            a[(i, j)] = x * self.c + self.s * y;
            a[(i + 1, j)] = y * self.c - self.s.conj() * x;
        }
    }

    fn columns(&self, a: &mut Matrix, j: usize, rows: std::ops::Range<usize>) {
        for i in rows {
            let (x, y) = (a[(i, j)], a[(i, j + 1)]);
            a[(i, j)] = x * self.c + self.s.conj() * y;
            a[(i, j + 1)] = y * self.c - self.s * x;
        }
    }
}

/// A matrix with zeros below its first subdiagonal and a unitary one, `a = q h qᴴ`, by reflections.
fn hessenberg(mut a: Matrix) -> (Matrix, Matrix) {
    let n = a.nrows();
    let mut q = Matrix::identity(n, n);
    for k in 0..n.saturating_sub(2) {
        if (k + 2..n).all(|i| a[(i, k)] == ZERO) {
            continue;
        }
        let mut v: Vec<Complex64> = (k + 1..n).map(|i| a[(i, k)]).collect();
        let length = |v: &[Complex64]| v.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt();
        let first = v[0].norm();
        let phase = if first == 0.0 { ONE } else { v[0] / first };
        let all = length(&v);
        v[0] += phase * all;
        let whole = length(&v);
        v.iter_mut().for_each(|x| *x /= whole);
        for j in 0..n {
            let along: Complex64 =
                v.iter().enumerate().map(|(i, v)| v.conj() * a[(k + 1 + i, j)]).sum();
            v.iter().enumerate().for_each(|(i, v)| a[(k + 1 + i, j)] -= v * along * 2.0);
        }
        for x in [&mut a, &mut q] {
            for i in 0..n {
                let along: Complex64 =
                    v.iter().enumerate().map(|(j, v)| x[(i, k + 1 + j)] * v).sum();
                v.iter().enumerate().for_each(|(j, v)| {
                    x[(i, k + 1 + j)] -= v.conj() * along * 2.0;
                });
            }
        }
        (k + 2..n).for_each(|i| a[(i, k)] = ZERO);
    }
    (a, q)
}

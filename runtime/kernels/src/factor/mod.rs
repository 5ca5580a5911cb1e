//! Factorizations of matrices, and results computed from them, through `faer`.
//!
//! A matrix is a row-major slice. Whatever the precision of the elements, the work is done in double precision. So only
//! one copy of the factorizations is compiled for real numbers and one for complex ones, and float32 loses nothing on
//! the way. Results are appended to vectors, for which the caller has reserved memory.

mod bands;
mod eigen;
mod functions;
mod scale;
mod schur;
mod solve;
#[cfg(test)]
mod tests;

pub use bands::{banded_solve, tridiagonal_product, tridiagonal_solve};
pub use eigen::{NotConverged, Vectors, eig, eigh, qr, svd};
pub use functions::{log, sqrt};
pub use solve::{
    NotPositive, Singular, cholesky, determinant, inverse, log_determinant, lu, solve,
    triangular_solve,
};

use std::ops::{Div, Sub};

use faer::traits::ComplexField;
use faer::{Mat, MatRef};

use crate::{Complex32, Complex64};

/// An element whose matrices can be factorized.
pub trait Field: Copy {
    /// The type in which the work is done.
    type Wide: Wide;
    /// The complex numbers of this precision.
    type Complex;

    /// The number in double precision.
    fn widen(self) -> Self::Wide;

    /// The number rounded to this precision.
    fn narrow(x: Self::Wide) -> Self;

    /// A complex number rounded to this precision.
    fn narrow_complex(x: Complex64) -> Self::Complex;
}

/// A number of double precision.
pub trait Wide: ComplexField<Real = f64> + Copy + Sub<Output = Self> + Div<Output = Self> {
    /// A real number.
    fn of_real(x: f64) -> Self;

    /// A complex number, or its real part.
    fn of_complex(x: Complex64) -> Self;

    /// The real part.
    fn real_part(self) -> f64;

    /// The absolute value.
    fn size(self) -> f64;

    /// The complex conjugate.
    fn conjugate(self) -> Self;

    /// The number times another.
    fn times(self, other: Self) -> Self;

    /// The number, divided by a real one.
    fn over(self, by: f64) -> Self;

    /// The number divided by another, whatever their absolute values.
    fn divided(self, by: Self) -> Self;

    /// The number times `2^exponent`.
    fn scaled(self, exponent: i32) -> Self;

    /// The exponent of the least power of two above the absolute value, for complex numbers above those of both parts.
    /// `None` for zero and for values that are not finite.
    fn exponent(self) -> Option<i32>;

    /// True if it is neither infinite nor NaN.
    fn is_finite(self) -> bool;

    /// The number as a complex one.
    fn complex(self) -> Complex64;

    /// The eigenvalues of a square matrix, and its right eigenvectors as columns.
    ///
    /// # Errors
    /// If the iteration does not converge.
    fn eigen(a: MatRef<'_, Self>) -> Result<(Vec<Complex64>, Mat<Complex64>), NotConverged>;
}

macro_rules! fields {
    ($($element:ty, $wide:ty, $complex:ty, $widen:expr, $narrow:expr, $narrow_complex:expr;)*) => {
        $(impl Field for $element {
            type Wide = $wide;
            type Complex = $complex;

            #[inline]
            fn widen(self) -> $wide {
                $widen(self)
            }

            #[inline]
            fn narrow(x: $wide) -> Self {
                $narrow(x)
            }

            #[inline]
            fn narrow_complex(x: Complex64) -> $complex {
                $narrow_complex(x)
            }
        })*
    };
}

fn short(x: Complex64) -> Complex32 {
    Complex32::new(x.re as f32, x.im as f32)
}

fields! {
    f32, f64, Complex32, f64::from, |x: f64| x as f32, short;
    f64, f64, Complex64, |x| x, |x| x, |x| x;
    Complex32, Complex64, Complex32,
        |x: Complex32| Complex64::new(x.re.into(), x.im.into()), short, short;
    Complex64, Complex64, Complex64, |x| x, |x| x, |x| x;
}

impl Wide for f64 {
    fn of_real(x: f64) -> Self {
        x
    }

    fn of_complex(x: Complex64) -> Self {
        x.re
    }

    fn real_part(self) -> f64 {
        self
    }

    fn size(self) -> f64 {
        self.abs()
    }

    fn conjugate(self) -> Self {
        self
    }

    fn times(self, other: Self) -> Self {
        self * other
    }

    fn over(self, by: f64) -> Self {
        self / by
    }

    fn divided(self, by: Self) -> Self {
        self / by
    }

    fn scaled(self, exponent: i32) -> Self {
        libm::ldexp(self, exponent)
    }

    fn exponent(self) -> Option<i32> {
        (self != 0.0 && self.is_finite()).then(|| libm::frexp(self).1)
    }

    fn is_finite(self) -> bool {
        f64::is_finite(self)
    }

    fn complex(self) -> Complex64 {
        self.into()
    }

    fn eigen(a: MatRef<'_, Self>) -> Result<(Vec<Complex64>, Mat<Complex64>), NotConverged> {
        eigen::unpacked(faer::linalg::solvers::Eigen::new_from_real(a))
    }
}

impl Wide for Complex64 {
    fn of_real(x: f64) -> Self {
        x.into()
    }

    fn of_complex(x: Complex64) -> Self {
        x
    }

    fn real_part(self) -> f64 {
        self.re
    }

    fn size(self) -> f64 {
        self.norm()
    }

    fn conjugate(self) -> Self {
        self.conj()
    }

    fn times(self, other: Self) -> Self {
        self * other
    }

    fn over(self, by: f64) -> Self {
        self / by
    }

    fn divided(self, by: Self) -> Self {
        let Some(y) = by.exponent() else { return self / by };
        let x = self.exponent().unwrap_or(0);
        (self.scaled(-x) / by.scaled(-y)).scaled(x - y)
    }

    fn scaled(self, exponent: i32) -> Self {
        Self::new(self.re.scaled(exponent), self.im.scaled(exponent))
    }

    fn exponent(self) -> Option<i32> {
        if self.is_finite() { self.re.exponent().max(self.im.exponent()) } else { None }
    }

    fn is_finite(self) -> bool {
        self.re.is_finite() && self.im.is_finite()
    }

    fn complex(self) -> Complex64 {
        self
    }

    fn eigen(a: MatRef<'_, Self>) -> Result<(Vec<Complex64>, Mat<Complex64>), NotConverged> {
        eigen::unpacked(faer::linalg::solvers::Eigen::new(a))
    }
}

/// The matrix of `m` rows and `n` columns that a slice holds.
fn read<T: Field>(a: &[T], m: usize, n: usize) -> Mat<T::Wide> {
    assert_eq!(a.len(), m * n, "a matrix of another size");
    Mat::from_fn(m, n, |i, j| a[i * n + j].widen())
}

/// Its conjugate transpose.
fn read_adjoint<T: Field>(a: &[T], m: usize, n: usize) -> Mat<T::Wide> {
    assert_eq!(a.len(), m * n, "a matrix of another size");
    Mat::from_fn(n, m, |i, j| a[j * n + i].widen().conjugate())
}

/// Appends a matrix.
fn write<T: Field>(x: MatRef<'_, T::Wide>, out: &mut Vec<T>) {
    for i in 0..x.nrows() {
        out.extend((0..x.ncols()).map(|j| T::narrow(x[(i, j)])));
    }
}

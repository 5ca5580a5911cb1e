//! Options of linear algebra, which stand last: `..` for the defaults, a word, or a tuple of words.

use crate::ops::NormOrder;
use crate::ops::options::{Sets, option_words, themselves};

/// Options of a factorization: [`FullMatrices`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Factors {
    /// True for all of the factors, false for what the matrix needs of them.
    pub full_matrices: bool,
}

/// Options of systems of equations: [`Adjoint`], and of triangular ones [`Lower`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solving {
    /// True if the lower triangle is read, false for the upper one.
    pub lower: bool,
    /// True to solve with the adjoint matrix.
    pub adjoint: bool,
}

impl Default for Solving {
    fn default() -> Self {
        Self { lower: true, adjoint: false }
    }
}

/// Options of functions for which small singular values count as zero: [`Rcond`] or [`Tol`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cutoff<const RELATIVE: bool> {
    /// The largest one that counts as zero; relative to the largest of the matrix in `pinv`.
    pub at: Option<f64>,
}

/// Options of a condition number: the order of the norm, a number or [`NormOrder`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditioned {
    /// The order, 2 if not given.
    pub order: NormOrder,
}

impl Default for Conditioned {
    fn default() -> Self {
        Self { order: NormOrder::P(2.0) }
    }
}

macro_rules! orders {
    ($($t:ty),*) => {
        $(#[diagnostic::do_not_recommend]
        impl Sets<Conditioned> for $t {
            fn set(self, options: &mut Conditioned) {
                options.order = self.into();
            }
        })*
    };
}
orders!(f64, i32, NormOrder);

/// Options of least squares: [`L2Regularizer`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LeastSquares {
    /// The weight of the squares of the solution.
    pub l2_regularizer: f64,
}

option_words! {
    /// Whether factors are whole, or as large as the matrix needs them.
    FullMatrices(bool) for Factors => |o, full| o.full_matrices = full;

    /// Whether the adjoint matrix takes the place of the matrix.
    Adjoint(bool) for Solving => |o, adjoint| o.adjoint = adjoint;

    /// Whether the lower triangle is that of the matrix, or the upper one.
    Lower(bool) for Solving => |o, lower| o.lower = lower;

    /// Singular values up to this part of the largest count as zero.
    Rcond(f64) for Cutoff<true> => |o, at| o.at = Some(at);

    /// Singular values up to this one count as zero.
    Tol(f64) for Cutoff<false> => |o, at| o.at = Some(at);

    /// The weight of the squares of the solution.
    L2Regularizer(f64) for LeastSquares => |o, weight| o.l2_regularizer = weight;
}

themselves!(Factors, Solving, LeastSquares, Cutoff<true>, Cutoff<false>);

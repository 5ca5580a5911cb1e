//! Options of linear algebra, given as the last argument: `..` for the defaults, a word, or a tuple of words.

use crate::ops::NormOrder;
use crate::ops::options::sets;

/// Options of a factorization: [`FullMatrices`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Factors {
    /// True for full factors, false for reduced ones.
    pub full_matrices: bool,
}

/// Options of systems of equations: [`Adjoint`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Solving {
    /// True to solve with the adjoint matrix.
    pub adjoint: bool,
}

/// Options of systems with triangular matrices: [`Adjoint`], [`Lower`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolvingTriangular {
    /// True if the lower triangle is read, false for the upper one.
    pub lower: bool,
    /// True to solve with the adjoint matrix.
    pub adjoint: bool,
}

impl Default for SolvingTriangular {
    fn default() -> Self {
        Self { lower: true, adjoint: false }
    }
}

/// Options of functions that count small singular values as zero: [`Rcond`] or [`Tol`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cutoff<const RELATIVE: bool> {
    /// The largest singular value that counts as zero; in `pinv`, relative to the largest of the matrix.
    pub at: Option<f64>,
}

/// Options of a condition number: the order of the norm, a number, [`Order`] or [`NormOrder`].
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

/// Options of least squares: [`L2Regularizer`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LeastSquares {
    /// The weight of the squares of the solution.
    pub l2_regularizer: f64,
}

/// The order of a norm: `Order(1.0)`. A bare float does the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Order(pub f64);

/// Full factors instead of reduced ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FullMatrices;

/// Uses the adjoint matrix in place of the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjoint;

/// True if the matrix is lower triangular, false if it is upper triangular.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lower(pub bool);

/// Singular values up to this fraction of the largest count as zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rcond(pub f64);

/// Singular values up to this one count as zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tol(pub f64);

/// The weight of the squares of the solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct L2Regularizer(pub f64);

sets! {
    FullMatrices => Factors |o, _| o.full_matrices = true;
    Adjoint => Solving |o, _| o.adjoint = true;
    Adjoint => SolvingTriangular |o, _| o.adjoint = true;
    Lower => SolvingTriangular |o, Lower(lower)| o.lower = lower;
    Rcond => Cutoff<true> |o, Rcond(at)| o.at = Some(at);
    Tol => Cutoff<false> |o, Tol(at)| o.at = Some(at);
    L2Regularizer => LeastSquares |o, L2Regularizer(weight)| o.l2_regularizer = weight;
    Factors => Factors |o, all| *o = all;
    Conditioned => Conditioned |o, all| *o = all;
    Solving => Solving |o, all| *o = all;
    SolvingTriangular => SolvingTriangular |o, all| *o = all;
    Order => Conditioned |o, Order(order)| o.order = order.into();
    f64 => Conditioned |o, order| o.order = order.into();
    i32 => Conditioned |o, order| o.order = order.into();
    NormOrder => Conditioned |o, order| o.order = order;
    LeastSquares => LeastSquares |o, all| *o = all;
    Cutoff<true> => Cutoff<true> |o, all| *o = all;
    Cutoff<false> => Cutoff<false> |o, all| *o = all;
}

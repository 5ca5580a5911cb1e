//! Systems of equations, inverses, least squares.

use super::factors::svd;
use super::options::{Adjoint, Cutoff, LeastSquares, Solving, SolvingTriangular};
use super::words::{epsilon, plus_diagonal, size};
use crate::compounds;
use crate::control::cond;
use crate::define_op;
use crate::gradient::custom_gradient;
use crate::ops::matrices::{adjoint, adjoint_product, product, product_adjoint};
use crate::ops::methods::*;
use crate::ops::options::Sets;
use crate::ops::{self, Cholesky, MatrixInverse, MatrixSolve, MatrixTriangularSolve, Op as _};
use crate::tensor::Tensor;
use crate::types::{DType, DTypeSet, Result, Shape, bail};

/// Calls `f` on a right side as matrices: a vector becomes a matrix of one column, and its result a vector.
pub(super) fn with_columns(
    b: &Tensor,
    f: impl FnOnce(&Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    match b.rank() {
        Some(1) => f(&b.expand_dims(-1)?)?.squeeze(vec![-1]),
        _ => f(b),
    }
}

/// Broadcasts two stacks of matrices to one batch shape, if their batch shapes are known.
fn one_batch(a: &Tensor, b: &Tensor) -> Result<(Tensor, Tensor)> {
    let batch = |x: &Tensor| x.shape().slice(None, Some(-2));
    let (front, behind) = (batch(a), batch(b));
    if front == behind || front.sizes().is_none() || behind.sizes().is_none() {
        return Ok((a.clone(), b.clone()));
    }
    let both = front.broadcast(&behind)?;
    let spread = |x: &Tensor| -> Result<Tensor> {
        let shape: Shape = both.concatenate(&x.shape().slice(Some(-2), None));
        match ops::Integers::of_shape(&shape) {
            Some(sizes) => x.broadcast_to(sizes),
            None => bail!("the batches {front} and {behind} of matrices of unknown sizes"),
        }
    };
    Ok((spread(a)?, spread(b)?))
}

compounds! {
    /// The solutions `x` of `a x = b`, or of `aᴴ x = b` with [`Adjoint`](super::Adjoint).
    ///
    /// TensorFlow: `tf.linalg.solve`, op `MatrixSolve`. Matrices `[…, n, n]` and right sides `[…, n, k]`, or
    /// one vector `[n]` (as in NumPy), of float32, float64, complex64 or complex128; the result has the shape
    /// of the right side. Batch shapes broadcast if they are known.
    ///
    /// # Errors
    /// `InvalidArgument` for matrices that are not square, sizes that differ, and a singular matrix, with its
    /// index in the batch.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let a = tensor![[2.0f64, 1.0], [0.0, 4.0]];
    /// let x = linalg::solve(&a, [[4.0f64], [4.0]], ..)?;
    /// assert_eq!(x.as_slice::<f64>()?, &[1.5, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn solve(a, b => options: impl Sets<Solving> as Solving) -> Tensor {
        let adjoint = options.adjoint;
        with_columns(b, |b| {
            let (a, b) = one_batch(a, b)?;
            MatrixSolve { adjoint }.run(&[&a, &b])
        })
    }

    /// [`solve`] with lower triangular matrices, or upper ones with [`Lower(false)`](super::Lower). The other
    /// triangle is not read. A zero on the diagonal makes infinities and NaN.
    ///
    /// TensorFlow: `tf.linalg.triangular_solve`, op `MatrixTriangularSolve`. SciPy: `solve_triangular`. Shapes and dtypes
    /// as for [`solve`]; batches broadcast.
    ///
    /// # Errors
    /// `InvalidArgument` for matrices that are not square, and sizes that differ.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let l = tensor![[2.0f64, f64::NAN], [1.0, 4.0]];
    /// let x = linalg::triangular_solve(&l, [2.0f64, 5.0], ..)?;
    /// assert_eq!(x.as_slice::<f64>()?, &[1.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn triangular_solve(a, b => options: impl Sets<SolvingTriangular> as SolvingTriangular) -> Tensor {
        let SolvingTriangular { lower, adjoint } = options;
        with_columns(b, |b| MatrixTriangularSolve { lower, adjoint }.run(&[a, b]))
    }

    /// The solutions of systems whose matrices have these [`cholesky`](super::cholesky) factors.
    ///
    /// TensorFlow: `tf.linalg.cholesky_solve`. SciPy: `cho_solve`. Shapes and dtypes as for [`solve`].
    ///
    /// # Errors
    /// As [`triangular_solve`].
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let l = linalg::cholesky(&tensor![[4.0f64, 2.0], [2.0, 2.0]])?;
    /// let x = linalg::cholesky_solve(&l, &tensor![6.0f64, 4.0])?;
    /// assert_eq!(x.as_slice::<f64>()?, &[1.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn cholesky_solve(factor, b) -> Tensor {
        let first = triangular_solve(factor, b, ..)?;
        triangular_solve(factor, &first, Adjoint)
    }

    /// The inverses of square matrices.
    ///
    /// TensorFlow: `tf.linalg.inv`, op `MatrixInverse`. `[…, n, n]` of float32, float64, complex64 or
    /// complex128; the result has the same shape.
    ///
    /// # Errors
    /// As [`solve`].
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let y = linalg::inv(&tensor![[2.0f64, 0.0], [0.0, 4.0]])?;
    /// assert_eq!(y.as_slice::<f64>()?, &[0.5, 0.0, 0.0, 0.25]);
    /// # Ok::<(), Error>(())
    /// ```
    fn inv(x) -> Tensor {
        MatrixInverse { adjoint: false }.run(&[x])
    }

    /// The Moore-Penrose inverses of matrices. Singular values up to [`Rcond`](super::Rcond) times the
    /// largest count as zero. The default is `10 max(m, n)` times the epsilon of the dtype.
    ///
    /// The gradient assumes that the rank does not change. Singular values may coincide.
    ///
    /// TensorFlow: `tf.linalg.pinv`. `[…, m, n]` of float32, float64, complex64 or complex128 gives `[…,
    /// n, m]`.
    ///
    /// # Errors
    /// As [`svd`].
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let y = linalg::pinv(&tensor![[2.0f64, 0.0], [0.0, 0.0], [0.0, 0.0]], ..)?;
    /// assert_eq!(y.as_slice::<f64>()?, &[0.5, 0.0, 0.0, 0.0, 0.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn pinv(x => options: impl Sets<Cutoff<true>> as Cutoff<true>) -> Tensor {
        let rcond = options.at;
        pseudo_inverse(x, rcond, 10.0, ORDERS)
    }
}

/// The number of orders of derivatives that do not go through the singular vectors. A trace makes the rules
/// of all of them.
const ORDERS: usize = 2;

fn pseudo_inverse(x: &Tensor, rcond: Option<f64>, factor: f64, orders: usize) -> Result<Tensor> {
    if orders == 0 {
        return pseudo_inverse_by_values(x, rcond, factor);
    }
    let f = custom_gradient(move |x: &Tensor| {
        let y = pseudo_inverse_by_values(x, rcond, factor)?;
        let x = x.clone();
        // The inverse is recomputed, so that the gradient of the rule is right too.
        let backward = move |dy: &Tensor| {
            pseudo_inverse_gradient(&x, &pseudo_inverse(&x, rcond, factor, orders - 1)?, dy)
        };
        Ok((y, backward))
    });
    f(x)
}

/// Golub and Pereyra's derivative of the inverse `p` of `a`.
fn pseudo_inverse_gradient(a: &Tensor, p: &Tensor, dy: &Tensor) -> Result<Tensor> {
    let g = adjoint(dy)?;
    let within = adjoint_product(p, &product_adjoint(dy, p)?)?;
    let left = ops::sub(&g, product(a, &product(p, &g)?)?)?;
    let right = ops::sub(&g, product(&product(&g, p)?, a)?)?;
    let beside = ops::add(
        product(&left, &product_adjoint(p, p)?)?,
        product(&adjoint_product(p, p)?, &right)?,
    )?;
    ops::sub(&beside, &within)
}

fn pseudo_inverse_by_values(x: &Tensor, rcond: Option<f64>, factor: f64) -> Result<Tensor> {
    let (s, u, v) = svd(x, ..)?;
    let rcond = match rcond {
        Some(rcond) => Tensor::scalar(rcond).cast(s.dtype())?,
        None => {
            let larger = ops::maximum(size(x, -2)?, size(x, -1)?)?.cast(s.dtype())?;
            larger * (factor * epsilon(x.dtype()))
        }
    };
    // The first singular value is the largest; a matrix without elements has none.
    let kept = s.greater(&ops::mul(s.index((ops::Ellipsis, ..1))?, &rcond)?)?;
    let one = s.ones_like()?;
    let inverse = ops::div(&one, &ops::select(&kept, &s, &one)?)?;
    let inverse = ops::select(&kept, &inverse, &s.zeros_like()?)?;
    let weighed = ops::mul(&v, inverse.expand_dims(-2)?.cast(x.dtype())?)?;
    product_adjoint(&weighed, &u)
}

compounds! {
    /// The least-squares solutions `x` of `a x = b`. If there are several, the one with the smallest norm.
    ///
    /// With [`L2Regularizer(l)`](super::L2Regularizer), `x` minimizes `|a x - b|² + l |x|²`. Without it,
    /// singular values up to `max(m, n)` times the epsilon of the dtype times the largest count as zero, as
    /// with NumPy's `rcond=None`.
    ///
    /// TensorFlow: `tf.linalg.lstsq`. NumPy: the first result of `np.linalg.lstsq`. Matrices `[…, m, n]`
    /// and right sides `[…, m, k]`, or one vector `[m]`, of float32, float64, complex64 or complex128
    /// give `[…, n, k]`.
    ///
    /// # Errors
    /// `InvalidArgument` for sizes that differ, a regularizer below 0, and what [`svd`] refuses.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let a = tensor![[1.0f64, 0.0], [1.0, 1.0], [1.0, 2.0]];
    /// let x = linalg::lstsq(&a, [1.0f64, 3.0, 5.0], ..)?;
    /// assert!((x.as_slice::<f64>()?[0] - 1.0).abs() < 1e-12);
    /// assert!((x.as_slice::<f64>()?[1] - 2.0).abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    fn lstsq(a, b => options: impl Sets<LeastSquares> as LeastSquares) -> Tensor {
        let l2_regularizer = options.l2_regularizer;
        if l2_regularizer.is_nan() || l2_regularizer < 0.0 {
            bail!("`L2Regularizer` is {l2_regularizer}; it must be 0 or above");
        }
        with_columns(b, |b| {
            if l2_regularizer == 0.0 {
                return product(&pseudo_inverse(a, None, 1.0, ORDERS)?, b);
            }
            let gram = plus_diagonal(&adjoint_product(a, a)?, l2_regularizer)?;
            cholesky_solve(&Cholesky { checked: true }.run(&[&gram])?, &adjoint_product(a, b)?)
        })
    }
}

define_op! {
    /// The least-squares solutions of `matrix x = rhs`. If `fast`, `x` minimizes `|matrix x - rhs|² + l2_regularizer |x|²`,
    /// through a Cholesky factor. Otherwise it is the solution of least norm, and the regularizer is not read. The function
    /// for users is [`lstsq`].
    ///
    /// TensorFlow: `MatrixSolveLs`. Matrices `[…, m, n]` and `[…, m, k]` of one batch, and a scalar.
    pub op MatrixSolveLs = "MatrixSolveLs" {
        inputs: { matrix: T, rhs: T, l2_regularizer: {F64} }, outputs: { output: T },
        types: { T: DTypeSet::of(&[DType::F32, DType::F64, DType::Complex64, DType::Complex128]) },
        attrs: { fast: bool = true },
        body: |op, a, b, l2| {
            let sizes = a.shape().with_rank_at_least(2)?.sizes();
            b.shape().with_rank_at_least(2)?;
            // All axes but the columns agree.
            let rows = |x: &Tensor| x.index((ops::Ellipsis, ..0));
            ops::check_same_shape(&rows(a)?, &rows(b)?, || "matrices for right sides of other sizes".into())?;
            if !op.fast {
                return product(&pseudo_inverse(a, None, 1.0, ORDERS)?, b);
            }
            let l2 = l2.ensure_shape(Shape::scalar())?.cast(a.dtype())?;
            let factor = |gram: &Tensor| {
                let diagonal = gram.matrix_diag_part(0, 0, Default::default())?;
                let gram = gram.matrix_set_diag(&ops::add(&diagonal, &l2)?, 0, Default::default())?;
                Cholesky { checked: true }.run(&[&gram])
            };
            // The smaller of the two products has an inverse.
            let wide = || adjoint_product(a, &cholesky_solve(&factor(&product_adjoint(a, a)?)?, b)?);
            let tall = || cholesky_solve(&factor(&adjoint_product(a, a)?)?, &adjoint_product(a, b)?);
            match sizes.as_deref() {
                Some([.., m, n]) => if m < n { wide() } else { tall() },
                _ => cond(&size(a, -2)?.less(&size(a, -1)?)?, wide, tall),
            }
        },
    }
}

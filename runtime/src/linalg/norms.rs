//! Determinants, ranks, condition numbers.

use super::factors::{cholesky, svdvals};
use super::options::{Conditioned, Cutoff};
use super::systems::inv;
use super::words::{as_real, epsilon, size};
use crate::compounds;
use crate::ops::methods::*;
use crate::ops::options::Sets;
use crate::ops::{self, Ellipsis, LogMatrixDeterminant, MatrixDeterminant, NormOrder, Op as _};
use crate::tensor::Tensor;
use crate::types::DType;

compounds! {
    /// The determinants of square matrices.
    ///
    /// TensorFlow: `tf.linalg.det`, op `MatrixDeterminant`. `[…, n, n]` of float32, float64, complex64 or
    /// complex128 gives `[…]`. The gradient needs the inverse, so it is an error for a singular matrix.
    ///
    /// # Errors
    /// `InvalidArgument` for matrices that are not square.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// assert_eq!(linalg::det(&tensor![[0.0f64, 2.0], [3.0, 0.0]])?.item::<f64>()?, -6.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn det(x) -> Tensor {
        MatrixDeterminant {}.run(&[x])
    }

    /// The signs of the determinants of square matrices, and the logarithms of their absolute values. The
    /// sign is a complex number of absolute value 1 for a complex matrix, and 0 for a singular one.
    ///
    /// TensorFlow: `tf.linalg.slogdet`, op `LogMatrixDeterminant`. `[…, n, n]` of float32, float64, complex64
    /// or complex128 gives two tensors `[…]`; the logarithms are real.
    ///
    /// # Errors
    /// As [`det`].
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let (sign, log) = linalg::slogdet(&tensor![[0.0f64, 1.0], [1.0, 0.0]])?;
    /// assert_eq!((sign.item::<f64>()?, log.item::<f64>()?), (-1.0, 0.0));
    /// # Ok::<(), Error>(())
    /// ```
    fn slogdet(x) -> (Tensor, Tensor) {
        let op = LogMatrixDeterminant {};
        let (sign, log) = op.run_as(&[x])?;
        Ok((sign, as_real(log)?))
    }

    /// The logarithms of the determinants of Hermitian positive definite matrices.
    ///
    /// TensorFlow: `tf.linalg.logdet`. `[…, n, n]` of float32, float64, complex64 or complex128 gives
    /// `[…]`, which is real.
    ///
    /// # Errors
    /// As [`cholesky`].
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let log = linalg::logdet(&tensor![[4.0f64, 0.0], [0.0, 0.25]])?;
    /// assert!(log.item::<f64>()?.abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    fn logdet(x) -> Tensor {
        let diagonal = cholesky(x)?.matrix_diag_part(0, 0, Default::default())?;
        Ok(as_real(diagonal)?.log()?.reduce_sum(-1, false)? * 2.0)
    }

    /// The ranks of matrices: how many singular values are above [`Tol`](super::Tol). By default that is the
    /// largest one times `max(m, n)` times the epsilon of the dtype.
    ///
    /// TensorFlow: `tf.linalg.matrix_rank`. `[…, m, n]` of float32, float64, complex64 or complex128
    /// gives int32 `[…]`. No gradient passes.
    ///
    /// # Errors
    /// As [`svdvals`].
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let x = tensor![[1.0f64, 2.0], [2.0, 4.0]];
    /// assert_eq!(linalg::matrix_rank(&x, ..)?.item::<i32>()?, 1);
    /// # Ok::<(), Error>(())
    /// ```
    fn matrix_rank(x => options: impl Sets<Cutoff<false>> as Cutoff<false>) -> Tensor {
        let tol = options.at;
        let s = svdvals(x)?;
        let tol = match tol {
            Some(tol) => Tensor::scalar(tol).cast(s.dtype())?,
            None => {
                let larger = ops::maximum(size(x, -2)?, size(x, -1)?)?.cast(s.dtype())?;
                ops::mul(s.index((Ellipsis, ..1))?, larger * epsilon(x.dtype()))?
            }
        };
        s.greater(&tol)?.cast(DType::I32)?.reduce_sum(-1, false)
    }

    /// The condition numbers of matrices: the norm of the matrix times that of its inverse. For the orders 2
    /// and -2 the matrix need not be square: the result is the largest singular value divided by the
    /// smallest, or the reverse.
    ///
    /// NumPy: `np.linalg.cond`. The default order is 2. `[…, m, n]` of float32, float64, complex64 or
    /// complex128 gives `[…]`, which is real.
    ///
    /// # Errors
    /// As [`svdvals`] and [`inv`]: for other orders a singular matrix is an error.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let x = tensor![[4.0f64, 0.0], [0.0, 2.0]];
    /// assert_eq!(linalg::cond(&x, ..)?.item::<f64>()?, 2.0);
    /// assert_eq!(linalg::cond(&x, 1)?.item::<f64>()?, 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn cond(x => options: impl Sets<Conditioned> as Conditioned) -> Tensor {
        let order = options.order;
        if let NormOrder::P(p @ (2.0 | -2.0)) = order {
            let s = svdvals(x)?;
            let (first, last) = (s.index((Ellipsis, 0))?, s.index((Ellipsis, -1))?);
            let (over, under) = if p > 0.0 { (first, last) } else { (last, first) };
            // A matrix of zeros has an infinite condition number too.
            return ops::select(under.equal(0.0)?, f64::INFINITY, ops::div(over, &under)?);
        }
        let size = |x: &Tensor| ops::norm(x, (order, [-2, -1]));
        as_real(ops::mul(size(x)?, size(&inv(x)?)?)?)
    }
}

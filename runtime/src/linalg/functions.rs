//! Functions of matrices.

use super::systems::{inv, solve};
use super::words::{check_square, plus_diagonal};
use crate::compounds;
use crate::control::while_loop;
use crate::ops::matrices::product;
use crate::ops::{self, KeepDims, MatrixLogarithm, MatrixSquareRoot, Op as _, methods::*};
use crate::tensor::Tensor;
use crate::types::{DType, Result, bail};

/// The coefficients of the Padé approximant of the exponential, a quotient of polynomials (Higham, "The
/// Scaling and Squaring Method for the Matrix Exponential Revisited", 2005), lowest power first.
const PADE: [f64; 14] = [
    64764752532480000.0,
    32382376266240000.0,
    7771770303897600.0,
    1187353796428800.0,
    129060195264000.0,
    10559470521600.0,
    670442572800.0,
    33522128640.0,
    1323241920.0,
    40840800.0,
    960960.0,
    16380.0,
    182.0,
    1.0,
];

/// The approximant is accurate to double precision for matrices up to this norm.
const LARGEST: f64 = 5.371920351148152;

compounds! {
    /// The exponentials of square matrices: `1 + x + x²/2! + x³/3! + …`.
    ///
    /// TensorFlow: `tf.linalg.expm`. PyTorch: `matrix_exp`. `[…, n, n]` of float32, float64, complex64 or complex128;
    /// the result has the same shape. Each matrix is halved until it is small; the exponential of the result is squared as many times.
    ///
    /// # Errors
    /// `InvalidArgument` for matrices that are not square, and other dtypes.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let y = linalg::expm(&tensor![[0.0f64, 1.0], [0.0, 0.0]])?;
    /// assert!((y.as_slice::<f64>()?[1] - 1.0).abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    fn expm(x) -> Tensor {
        if !matches!(x.dtype().real_part(), DType::F32 | DType::F64) {
            bail!("float32, float64 or complex numbers of such are wanted, not {}; cast it", x.dtype());
        }
        // How often each matrix is halved; no gradient passes.
        let norm = x.stop_gradient()?.abs()?.reduce_sum(-2, KeepDims)?.reduce_max(-1, KeepDims)?;
        let halvings = ops::log(&(&norm * (1.0 / LARGEST)))? * (1.0 / std::f64::consts::LN_2);
        // Matrices with infinities or NaN are not halved: these pass through.
        let halvings = ops::select(norm.is_finite()?, &halvings.ceil()?.maximum(0.0)?, 0.0)?;
        let scale = ops::pow(2.0, &ops::neg(&halvings)?)?;
        let small = quotient(&ops::mul(x, &scale.cast(x.dtype())?)?)?;
        let most = halvings.reduce_max(.., false)?;
        let start = (most.zeros_like()?, small);
        let (_, whole) = while_loop(
            start,
            |(i, _)| i.less(&most),
            |(i, y)| {
                let squared = ops::select(&i.less(&halvings)?, &product(&y, &y)?, &y)?;
                Ok((i + 1.0, squared))
            },
        )?;
        Ok(whole)
    }

    /// The square roots of square matrices: those whose eigenvalues have no negative real parts. A real matrix without a
    /// real root gives NaN; cast it to complex.
    ///
    /// SciPy: `sqrtm`. TensorFlow: `tf.linalg.sqrtm`, op `MatrixSquareRoot`. `[…, n, n]` of float32, float64, complex64 or
    /// complex128; the result has the same shape.
    ///
    /// # Errors
    /// `InvalidArgument` for matrices that are not square, and elements that are not finite.
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let y = linalg::sqrtm(&tensor![[4.0f64, 0.0], [0.0, 9.0]])?;
    /// assert_eq!(y.as_slice::<f64>()?, &[2.0, 0.0, 0.0, 3.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn sqrtm(x) -> Tensor {
        MatrixSquareRoot {}.run(&[x])
    }

    /// The logarithms of square matrices: those whose eigenvalues have imaginary parts from -π to π. Real matrices give
    /// complex ones.
    ///
    /// SciPy: `logm`. TensorFlow: `tf.linalg.logm`, op `MatrixLogarithm`. `[…, n, n]` of float32, float64, complex64 or
    /// complex128 gives complex64 or complex128 of the same shape.
    ///
    /// # Errors
    /// As [`sqrtm`].
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let y = linalg::logm(&tensor![[1.0f64, 0.0], [0.0, std::f64::consts::E]])?;
    /// assert!((y.real()?.as_slice::<f64>()?[3] - 1.0).abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    fn logm(x) -> Tensor {
        MatrixLogarithm {}.run(&[&x.cast(x.dtype().to_complex())?])
    }
}

fn quotient(a: &Tensor) -> Result<Tensor> {
    let a2 = product(a, a)?;
    let a4 = product(&a2, &a2)?;
    let a6 = product(&a4, &a2)?;
    // The polynomial in even powers of `a` with every other coefficient from `i` on.
    let half = |i: usize| -> Result<Tensor> {
        let b = |power: usize| PADE[power + i];
        let high = ops::mul(&a6, b(12))? + ops::mul(&a4, b(10))? + ops::mul(&a2, b(8))?;
        let low = ops::mul(&a6, b(6))? + ops::mul(&a4, b(4))? + ops::mul(&a2, b(2))?;
        plus_diagonal(&(product(&a6, &high)? + low), b(0))
    };
    let (even, odd) = (half(0)?, product(a, &half(1)?)?);
    solve(&ops::sub(&even, &odd)?, &ops::add(&even, &odd)?, ..)
}

compounds! {
    /// Square matrices to an integer power; a negative power is a power of the inverse.
    ///
    /// NumPy: `np.linalg.matrix_power`. `[…, n, n]` of float32, float64, complex64 or complex128; the
    /// result has the same shape.
    ///
    /// # Errors
    /// `InvalidArgument` for matrices that are not square, and as [`inv`].
    ///
    /// ```
    /// use extype::linalg;
    /// use extype::prelude::*;
    /// let x = tensor![[1.0f64, 1.0], [1.0, 0.0]];
    /// assert_eq!(linalg::matrix_power(&x, 10)?.as_slice::<f64>()?, &[89.0, 55.0, 55.0, 34.0]);
    /// assert_eq!(linalg::matrix_power(&x, 0)?.as_slice::<f64>()?, &[1.0, 0.0, 0.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn matrix_power(x; n: i64) -> Tensor {
        check_square(x)?;
        let (mut square, mut rest) = (if n < 0 { inv(x)? } else { x.clone() }, n.unsigned_abs());
        if rest == 0 {
            return plus_diagonal(&x.zeros_like()?, 1.0);
        }
        let mut result = None;
        loop {
            if rest % 2 == 1 {
                result = Some(match result {
                    Some(y) => product(&y, &square)?,
                    None => square.clone(),
                });
            }
            rest /= 2;
            if let (0, Some(y)) = (rest, &result) {
                return Ok(y.clone());
            }
            square = product(&square, &square)?;
        }
    }
}

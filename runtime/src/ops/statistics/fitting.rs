//! Polynomials that fit points, and roots of polynomials.

use super::polynomials::count;
use crate::compounds;
use crate::ops::methods::*;
use crate::ops::options::{Columns, Weights};
use crate::ops::options::{Sets, sets};
use crate::ops::protocol::Op;
use crate::ops::protocol::number::agree;
use crate::ops::statistics::check_along;
use crate::ops::{
    Eig, Svd, add, as_float, concat, div, eye, fill, length_of, matmul, mul, neg, select, shape_of,
    stack, sub,
};
use crate::tensor::Tensor;
use crate::types::DType;
use crate::types::{Result, bail};

/// Options of [`polyfit`]: `ops::Weights(&w)`.
#[derive(Clone, Debug, Default)]
pub struct Fitting {
    /// The weight of each point.
    pub weights: Option<Tensor>,
}

sets! {
    Weights<'_> => Fitting |o, Weights(w)| o.weights = Some(w.clone());
    Fitting => Fitting |o, all| *o = all;
}

/// Strips the zeros at both ends of a vector of coefficients, and returns how many were at its end.
/// Nothing is stripped in a trace, where the values are unknown.
fn without_zeros(x: &Tensor) -> Result<(Tensor, usize)> {
    let n = count(x)?;
    let Tensor::Value(_) = x else { return Ok((x.clone(), 0)) };
    let places = x.flatnonzero()?.to_vec::<i64>()?;
    match (places.first(), places.last()) {
        (Some(first), Some(last)) => {
            Ok((x.slice([*first], [last + 1 - first])?, n - 1 - *last as usize))
        }
        _ => Ok((x.slice([0], [0])?, 0)),
    }
}

/// How many orders of derivatives of `least_squares` are right.
const ORDERS: usize = 2;

/// The `c` of least norm for which `a c` is nearest to `b`. Negligible singular values count as
/// zero, as in NumPy.
///
/// Gradients don't pass through the singular vectors, which have none where singular values are
/// equal. The inverse is a constant instead, and each refinement of the solution, though it does
/// not change its value, makes one order of derivatives right.
fn least_squares(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let fixed = a.stop_gradient()?;
    let inverse = pseudo_inverse(&fixed)?;
    let change = sub(a, &fixed)?.matrix_transpose()?;
    let gram = matmul(&inverse, inverse.matrix_transpose()?)?;
    let step = add(&inverse, gram.matmul(change)?)?;
    (0..ORDERS).try_fold(step.matmul(b)?, |c, _| {
        let rest = sub(b, a.matmul(&c)?)?;
        add(&c, step.matmul(rest)?)
    })
}

fn pseudo_inverse(a: &Tensor) -> Result<Tensor> {
    let epsilon = if a.dtype() == DType::F32 { f32::EPSILON.into() } else { f64::EPSILON };
    let (s, u, v): (Tensor, Tensor, Tensor) =
        Svd { compute_uv: true, full_matrices: false }.run_as(&[a])?;
    let count = shape_of(a)?.index(0)?.cast(s.dtype())?;
    let kept = s.greater(mul(s.index(..1)?, count * epsilon)?)?;
    let one = s.ones_like()?;
    let inverse = select(&kept, div(&one, select(&kept, &s, &one)?)?, s.zeros_like()?)?;
    v.matmul(mul(inverse.expand_dims(1)?, u.matrix_transpose()?)?)
}

compounds! {
    /// Fits a polynomial of a given degree to points by least squares.
    ///
    /// NumPy: `polyfit`. float32 or float64, alike (integers become float64). Places are a vector;
    /// values are a vector of the same length, or a matrix with the values of each fit in a column.
    /// The result has `degree + 1` coefficients for each fit, highest power first. Option:
    /// `Weights(&w)`, which multiply the distances before they are squared.
    ///
    /// # Errors
    /// `InvalidArgument` for other shapes, no points, and weights that are not one for each point.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let line = ops::polyfit([0.0, 1.0, 2.0], [1.0, 3.0, 5.0], 1, ..)?;
    /// assert!(line.allclose([2.0, 1.0], ..)?.item::<bool>()?);
    /// # Ok::<(), Error>(())
    /// ```
    fn polyfit(x, y; degree: usize => options: impl Sets<Fitting> as Fitting) -> Tensor {
        let (x, y) = agree(x, y)?;
        let (x, mut y) = (as_float(&x)?, as_float(&y)?);
        if ![x.dtype(), y.dtype()].iter().all(|d| matches!(d, DType::F32 | DType::F64)) {
            bail!("float32 or float64 is fitted, not {} and {}", x.dtype(), y.dtype());
        }
        if x.rank() != Some(1) || !matches!(y.rank(), Some(1 | 2)) {
            bail!("{} places for values of shape {}", x.shape(), y.shape());
        }
        check_along(&x, &y, 0, "places")?;
        if x.shape().num_elements() == Some(0) {
            bail!("no polynomial is the nearest to no points");
        }
        // Multiply one by one: a cumulative product has no gradient where a place is zero.
        let mut powers = vec![x.ones_like()?];
        for i in 0..degree {
            powers.push(mul(&powers[i], &x)?);
        }
        powers.reverse();
        let mut terms = stack(&powers.iter().collect::<Vec<_>>(), 1)?;
        if let Some(weights) = &options.weights {
            check_along(weights, &x, 0, "weights")?;
            let weights = weights.cast(x.dtype())?.expand_dims(1)?;
            terms = mul(&terms, &weights)?;
            y = match y.rank() {
                Some(1) => mul(&y, weights.squeeze(1)?)?,
                _ => mul(&y, &weights)?,
            };
        }
        // Columns of equal size are better conditioned; a column of zeros is unchanged.
        let scale = terms.square()?.reduce_sum(0, false)?.sqrt()?;
        let scale = select(scale.equal(0.0)?, scale.ones_like()?, &scale)?;
        let terms = div(&terms, &scale)?;
        let is_one = y.rank() == Some(1);
        let y = if is_one { y.expand_dims(1)? } else { y };
        let found = div(least_squares(&terms, &y)?, scale.expand_dims(1)?)?;
        if is_one { found.squeeze(1) } else { Ok(found) }
    }

    /// Returns the roots of a polynomial, complex and in no order.
    ///
    /// NumPy: `roots`. A vector of float32, float64 or complex numbers (integers become float64),
    /// highest power first. Leading zeros are dropped, unless they are unknown while tracing.
    ///
    /// # Errors
    /// `InvalidArgument` for coefficients that are no vector, and for NaN and infinities.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let roots = ops::roots([1.0, 0.0, 1.0])?;
    /// assert!(roots.imag()?.abs()?.allclose(1.0, ..)?.item::<bool>()?);
    /// # Ok::<(), Error>(())
    /// ```
    fn roots(coefficients) -> Tensor {
        let (x, zeros) = without_zeros(&as_float(coefficients)?)?;
        let n = length_of(&x, 0)?;
        let dtype = x.dtype().to_complex();
        let zeros = fill([zeros], Tensor::scalar(0i32).cast(dtype)?)?;
        if n < 2 {
            return Ok(zeros);
        }
        // The eigenvalues of the companion matrix.
        let first = neg(&div(x.index(1..)?, x.index(0)?)?)?.expand_dims(0)?;
        let below = eye(n - 2, Columns(n - 1))?.cast(x.dtype())?;
        let matrix = concat(&[first, below], 0)?;
        let (found, _): (Tensor, Tensor) =
            Eig { compute_v: false, tout: dtype }.run_as(&[&matrix])?;
        concat(&[found, zeros], 0)
    }
}

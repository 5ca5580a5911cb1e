//! Polynomials as vectors of their coefficients, highest power first.

use crate::compounds;
use crate::ops::methods::*;
use crate::ops::options::{Sets, sets};
use crate::ops::protocol::number::agree;
use crate::ops::{Times, add, as_float, div, length_of, mul, range, stack, sub};
use crate::tensor::Tensor;
use crate::types::{Result, bail};

/// Options of [`polyder`] and [`polyint`]: [`Times`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// How often to differentiate or integrate.
    pub times: usize,
}

impl Default for Repeated {
    fn default() -> Self {
        Self { times: 1 }
    }
}

sets! {
    Times => Repeated |o, Times(n)| o.times = n;
    Repeated => Repeated |o, all| *o = all;
}

/// The number of coefficients.
pub(super) fn count(coefficients: &Tensor) -> Result<usize> {
    if coefficients.rank() != Some(1) {
        bail!("coefficients are a vector, not of shape {}", coefficients.shape());
    }
    length_of(coefficients, 0)
}

/// Both polynomials with the same number of coefficients, padded with leading zeros.
fn alike(x: &Tensor, y: &Tensor) -> Result<(Tensor, Tensor)> {
    let (x, y) = agree(x, y)?;
    let (n, m) = (count(&x)? as i64, count(&y)? as i64);
    Ok((x.pad([[(m - n).max(0), 0]])?, y.pad([[(n - m).max(0), 0]])?))
}

/// The powers `n, n - 1, …, 1` in a dtype.
fn powers(n: usize, like: &Tensor) -> Result<Tensor> {
    range(n as i64, 0i64, -1i64)?.cast(like.dtype())
}

compounds! {
    /// Methods: values of polynomials.
    methods of PolynomialsMethods;

    /// Evaluates a polynomial at `x`; the coefficients start with the highest power.
    ///
    /// NumPy: `polyval`. Numbers of one dtype: coefficients as a vector, `x` of any shape.
    ///
    /// # Errors
    /// `InvalidArgument` for coefficients that are no vector, and a length that is unknown while
    /// tracing.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::polyval([1.0, -2.0, 3.0], 2.0)?.item::<f64>()?, 3.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn polyval(coefficients, x) -> Tensor {
        let n = count(coefficients)?;
        let (coefficients, x) = agree(coefficients, x)?;
        let parts = coefficients.unstack(n, 0)?;
        parts.iter().try_fold(x.zeros_like()?, |value, part| add(mul(value, &x)?, part))
    }
}

compounds! {
    /// Returns the coefficients of the polynomial with these roots; the first coefficient is 1.
    ///
    /// NumPy: `poly`, of roots. A vector of floats or complex numbers (integers become float64); the
    /// result has one element more.
    ///
    /// # Errors
    /// As [`polyval`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::poly([1.0, 2.0])?.as_slice::<f64>()?, &[1.0, -3.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn poly(roots) -> Tensor {
        let n = count(roots)?;
        let roots = as_float(roots)?;
        let one = Tensor::scalar(1i32).cast(roots.dtype())?.reshape([1])?;
        roots.unstack(n, 0)?.iter().try_fold(one, |product, root| {
            sub(product.pad([[0, 1]])?, mul(product.pad([[1, 0]])?, root)?)
        })
    }

    /// The derivative of a polynomial: one coefficient fewer.
    ///
    /// NumPy: `polyder`. A vector of numbers. Option: `ops::Times(n)` for higher derivatives.
    ///
    /// # Errors
    /// As [`polyval`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::polyder([1.0, 2.0, 3.0], ..)?.as_slice::<f64>()?, &[2.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn polyder(coefficients => options: impl Sets<Repeated> as Repeated) -> Tensor {
        let mut x = coefficients.clone();
        for _ in 0..options.times {
            let rest = count(&x)?.saturating_sub(1);
            x = mul(x.slice([0], [rest as i64])?, powers(rest, &x)?)?;
        }
        Ok(x)
    }

    /// The integral of a polynomial from zero: one coefficient more, the last being 0.
    ///
    /// NumPy: `polyint`. A vector of floats or complex numbers (integers become float64). Option:
    /// `Times(n)` for integrals of integrals.
    ///
    /// # Errors
    /// As [`polyval`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::polyint([2.0, 2.0], ..)?.as_slice::<f64>()?, &[1.0, 2.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn polyint(coefficients => options: impl Sets<Repeated> as Repeated) -> Tensor {
        let mut x = as_float(coefficients)?;
        for _ in 0..options.times {
            x = div(&x, powers(count(&x)?, &x)?)?.pad([[0, 1]])?;
        }
        Ok(x)
    }

    /// Adds two polynomials.
    ///
    /// NumPy: `polyadd`. Vectors of numbers of one dtype; the result is as long as the longer one.
    ///
    /// # Errors
    /// As [`polyval`], and for dtypes that differ.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::polyadd([1, 2], [1, 0, 5])?.as_slice::<i32>()?, &[1, 1, 7]);
    /// # Ok::<(), Error>(())
    /// ```
    fn polyadd(x, y) -> Tensor {
        let (x, y) = alike(x, y)?;
        add(x, y)
    }

    /// Subtracts the second polynomial from the first.
    ///
    /// NumPy: `polysub`. As [`polyadd`].
    ///
    /// # Errors
    /// As [`polyadd`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::polysub([1, 2], [1, 0, 5])?.as_slice::<i32>()?, &[-1, 1, -3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn polysub(x, y) -> Tensor {
        let (x, y) = alike(x, y)?;
        sub(x, y)
    }

    /// Multiplies two polynomials. Leading zeros are kept.
    ///
    /// NumPy: `polymul`. Vectors of numbers of one dtype; the result has one element fewer than both.
    ///
    /// # Errors
    /// As [`convolve()`](crate::ops::convolve()).
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::polymul([1, 2], [1, 3])?.as_slice::<i32>()?, &[1, 5, 6]);
    /// # Ok::<(), Error>(())
    /// ```
    fn polymul(x, y) -> Tensor {
        x.convolve(y, ..)
    }

    /// Returns the quotient and the remainder of two polynomials. The remainder has one coefficient
    /// fewer than the divisor, but at least one and at most as many as `x`. Its leading zeros are kept.
    ///
    /// NumPy: `polydiv`. Vectors of floats or complex numbers of one dtype (integers become float64); the
    /// first coefficient of the divisor is not 0.
    ///
    /// # Errors
    /// As [`polyadd`], and `InvalidArgument` for polynomials without coefficients.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (q, r) = ops::polydiv([3.0, 5.0, 2.0], [2.0, 1.0])?;
    /// assert_eq!(q.as_slice::<f64>()?, &[1.5, 1.75]);
    /// assert_eq!(r.as_slice::<f64>()?, &[0.25]);
    /// # Ok::<(), Error>(())
    /// ```
    fn polydiv(x, y) -> (Tensor, Tensor) {
        let (x, y) = agree(x, y)?;
        let (mut rest, y) = (as_float(&x)?, as_float(&y)?);
        let (n, m) = (count(&rest)?, count(&y)?);
        if n == 0 || m == 0 {
            bail!("a polynomial has no coefficients: {} and {}", x.shape(), y.shape());
        }
        let first = y.index(0)?;
        let mut quotient = Vec::new();
        for place in 0..(n + 1).saturating_sub(m) {
            let factor = div(rest.index(place)?, &first)?;
            let behind = (n - m - place) as i64;
            rest = sub(&rest, mul(&y, &factor)?.pad([[place as i64, behind]])?)?;
            quotient.push(factor);
        }
        let quotient = match quotient.is_empty() {
            true => first.zeros_like()?.reshape([1])?,
            false => stack(&quotient.iter().collect::<Vec<_>>(), 0)?,
        };
        let left = (m - 1).clamp(1, n);
        Ok((quotient, rest.slice([(n - left) as i64], [left as i64])?))
    }
}

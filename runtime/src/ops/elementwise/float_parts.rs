//! The parts of floats: sign, fraction, exponent, and the numbers next to them.

use crate::define_op;
use crate::ops::methods::*;
use crate::ops::{
    add, as_float, div, logical_and, mul, neg, next_after, not_equal, pow, select, sub,
};
use crate::tensor::Tensor;
use crate::types::{DType, DTypeSet, Result, bail};

/// True where an element has a minus sign, also for zero and NaN.
fn negative(x: &Tensor) -> Result<Tensor> {
    let bits = match x.dtype() {
        DType::F16 | DType::BF16 => DType::I16,
        DType::F32 => DType::I32,
        DType::F64 => DType::I64,
        d if d.is_integer() => return x.less(0),
        d => bail!("{d} has no sign; real numbers have"),
    };
    x.bitcast(bits)?.less(0)
}

/// `x` as float64, and the dtype of the result: that of `x` if it is a float, else float64.
fn wide(x: &Tensor) -> Result<(Tensor, DType)> {
    if x.dtype().is_complex() {
        bail!("{} has two parts; take `real` and `imag`", x.dtype());
    }
    Ok((x.cast(DType::F64)?, if x.dtype().is_float() { x.dtype() } else { DType::F64 }))
}

/// `x · 2^n` in float64: in three steps, since the power alone may overflow.
fn scaled(x: &Tensor, n: &Tensor) -> Result<Tensor> {
    // Beyond these exponents every result is zero or infinite.
    let n = n.clip(-2200.0, 2200.0)?;
    let third = div(&n, 3.0)?.trunc()?;
    let rest = sub(&n, mul(&third, 2.0)?)?;
    let step = pow(2.0, third)?;
    mul(mul(mul(x, &step)?, step)?, pow(2.0, rest)?)
}

/// The fractions, at least 1/2 and below 1 in size, and the exponents, both as floats. Zero, infinity
/// and NaN are their own fraction, with exponent zero.
fn fraction_and_exponent(x: &Tensor) -> Result<(Tensor, Tensor)> {
    let size = x.abs()?;
    let is_number = logical_and(size.greater(0.0)?, size.is_finite()?)?;
    // The rounded logarithm may be off by one; the size of the fraction shows it.
    let near = add(select(&is_number, size, 1.0)?.log2()?.floor()?, 1.0)?.stop_gradient()?;
    let fraction = scaled(x, &neg(&near)?)?;
    let length = fraction.abs()?;
    let over = logical_and(length.greater_equal(1.0)?, &is_number)?.cast(x.dtype())?;
    let under = logical_and(length.less(0.5)?, &is_number)?.cast(x.dtype())?;
    let more = sub(over, under)?;
    let fraction = mul(fraction, pow(2.0, neg(&more)?)?)?;
    let exponent = add(near, more)?;
    Ok((select(&is_number, fraction, x)?, select(is_number, exponent, 0.0)?))
}

define_op! {
    /// Methods: parts of floats.
    methods of PartsMethods;

    /// Returns `x` with the sign of `y`, including the sign of a zero.
    ///
    /// NumPy: `copysign`. Real floats broadcast.
    ///
    /// # Errors
    /// `InvalidArgument` for dtypes that differ or have no sign.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![1.0f32, -2.0].copysign(&tensor![-0.0f32, 3.0])?;
    /// assert_eq!(y.as_slice::<f32>()?, &[-1.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Copysign = "Extype>Copysign" {
        types: { T: DTypeSet::REAL },
        call: method copysign,
        body: |x, y| {
            let turned = not_equal(negative(x)?, negative(y)?)?;
            select(turned, neg(x)?, x)
        },
    }

    /// Returns true where an element has a minus sign, also for a negative zero.
    ///
    /// NumPy: `signbit`. Real numbers of any shape.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that has no sign.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![-0.0f32, 1.0].signbit()?.as_slice::<bool>()?, &[true, false]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Signbit = "Extype>Signbit" {
        outputs: { y: {Bool} },
        types: { T: DTypeSet::REAL },
        call: method signbit,
        body: |x| negative(x),
    }

    /// Returns the distance to the next float away from zero, with the sign of `x`; NaN for infinities.
    ///
    /// NumPy: `spacing`. Float32 and float64 of any shape; integers become float64.
    ///
    /// # Errors
    /// As [`next_after()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::spacing(1.0)?.item::<f64>()?, f64::EPSILON);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Spacing = "Extype>Spacing" {
        outputs: { y: U },
        types: {
            T: DTypeSet::INTEGER.or(DTypeSet::of(&[DType::F32, DType::F64])),
            U: DTypeSet::of(&[DType::F32, DType::F64]),
        },
        call: method spacing,
        body: |x| {
            let x = as_float(x)?;
            let away = select(x.less(0.0)?, f64::NEG_INFINITY, x.full_like(f64::INFINITY)?)?;
            sub(next_after(&x, away)?, &x)
        },
    }

    /// Computes `x · 2^n`.
    ///
    /// NumPy: `ldexp`. Floats (integers become float64), and integers `n`, that broadcast.
    ///
    /// # Errors
    /// `InvalidArgument` for `x` that is not a real number.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.5f32, 3.0].ldexp(2)?.as_slice::<f32>()?, &[6.0, 12.0]);
    /// assert_eq!(ops::ldexp(0.5, 1024)?.item::<f64>()?, 2f64.powi(1023));
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Ldexp = "Extype>Ldexp" {
        outputs: { z: U },
        types: { T: DTypeSet::REAL, N: DTypeSet::REAL, U: DTypeSet::FLOAT },
        inputs: { x: T, n: N },
        call: method ldexp(x, n),
        body: |x, n| {
            let (x, dtype) = wide(x)?;
            scaled(&x, &n.cast(DType::F64)?)?.cast(dtype)
        },
    }

    /// Splits each number into a fraction and an int32 exponent, so that `x = fraction · 2^exponent`.
    /// The fraction is at least 1/2 and below 1 in size. Zero, infinity and NaN are their own fraction.
    ///
    /// NumPy: `frexp`. Real floats of any shape; integers become float64. [`ldexp`] is the inverse.
    ///
    /// # Errors
    /// `InvalidArgument` for `x` that is not a real number.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (fraction, exponent) = tensor![8.0f32, -0.75].frexp()?;
    /// assert_eq!(fraction.as_slice::<f32>()?, &[0.5, -0.75]);
    /// assert_eq!(exponent.as_slice::<i32>()?, &[4, 0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Frexp = "Extype>Frexp" {
        inputs: { x: T }, outputs: { fraction: U, exponent: {I32} },
        types: { T: DTypeSet::REAL, U: DTypeSet::FLOAT },
        call: method frexp(x),
        body: |x| {
            let (x, dtype) = wide(x)?;
            let (fraction, exponent) = fraction_and_exponent(&x)?;
            Ok((fraction.cast(dtype)?, exponent.cast(DType::I32)?))
        },
    }
}

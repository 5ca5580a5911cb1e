//! Roots, logarithms, exponentials and angles, composed of other ops.

use std::f64::consts::{LN_2, LN_10, PI};

use extype_kernels::table::{binary as b, unary as u};

use super::gradient;
use crate::define_op;
use crate::ops::methods::*;
use crate::ops::rules::batch::elementwise;
use crate::ops::rules::infer::broadcast;
use crate::ops::{
    FunctionOf, Op as _, add, as_float, div, equal, logical_and, mul, neg, pow, select, sub,
};
use crate::tensor::{Tensor, execute_one};
use crate::types::{DType, DTypeSet, Result};

/// The smallest positive normal number of a float dtype.
fn least_normal(dtype: DType) -> f64 {
    match dtype {
        DType::F16 => 2f64.powi(-14),
        DType::BF16 | DType::F32 => f64::from(f32::MIN_POSITIVE),
        _ => f64::MIN_POSITIVE,
    }
}

/// `y`, the logarithm of `x`, made exact where `x` is a whole power of the base. Gradients are those of
/// `y`.
fn whole_at_powers(x: &Tensor, y: Tensor, base: f64) -> Result<Tensor> {
    if x.dtype().is_complex() {
        return Ok(y);
    }
    let whole = y.round()?;
    // Subnormal numbers have too few digits to identify a power, and infinity is not a power.
    let is_exact = logical_and(x.greater_equal(least_normal(x.dtype()))?, x.is_finite()?)?;
    let is_power = logical_and(equal(pow(base, &whole)?, x)?, is_exact)?;
    let rest = select(is_power, sub(&whole, &y)?, 0.0)?;
    add(y, rest.stop_gradient()?)
}

/// [`Cbrt`] for tensors, which computes that of integers in float64.
fn cube_root(function: &CbrtFn, operands: &[&Tensor]) -> Result<Tensor> {
    let float = as_float(operands[0])?;
    execute_one(function.def(), function.attrs(), &[&float])
}

define_op! {
    /// Methods: roots, logarithms, exponentials, angles.
    methods of PowerMethods;

    /// Computes the length of the hypotenuse, `sqrt(x² + y²)`, without overflow on the way.
    ///
    /// NumPy: `hypot`. Floats of one dtype broadcast.
    ///
    /// # Errors
    /// `InvalidArgument` for dtypes that differ, and shapes that don't broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(scalar(3.0f32).hypot(4.0)?.as_slice::<f32>()?, &[5.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Hypot = "Extype>Hypot" {
        outputs: { z: U },
        types: { T: DTypeSet::REAL, U: DTypeSet::FLOAT },
        call: method hypot,
        body: |x, y| Hypotenuse {}.run(&[&as_float(x)?, &as_float(y)?]),
    }

    /// Computes what [`Hypot`] does for floats.
    ///
    /// NumPy: `hypot`. The gradient at zero is zero.
    pub op Hypotenuse = "Extype>Hypotenuse" {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::FLOAT },
        dispatch: none,
        infer: broadcast, kernel: Zip(&b::HYPOT),
        gradient: gradient::length,
        batch: elementwise,
    }

    /// The cube root of every element, negative for negative numbers.
    ///
    /// NumPy: `cbrt`. Real floats of any shape; integers become float64.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that is no real float.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![-8.0f64, 64.0].cbrt()?.as_slice::<f64>()?, &[-2.0, 4.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Cbrt = "Extype>Cbrt" {
        types: { T: DTypeSet::FLOAT },
        call: method cbrt,
        tensors: cube_root,
        kernel: Map(&u::CBRT),
        finite_at: (1.0),
        gradient: |g, dy| div(dy, mul(g.y().square()?, 3.0)?)?,
    }

    /// Raises `x` to the power of `y` in floats; integers become float64.
    ///
    /// NumPy: `float_power`.
    ///
    /// # Errors
    /// As [`pow()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![2, 4].float_power(-1)?.as_slice::<f64>()?, &[0.5, 0.25]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary FloatPower = "Extype>FloatPower" {
        outputs: { z: U },
        types: { T: DTypeSet::NUMERIC, U: DTypeSet::INEXACT },
        call: method float_power,
        finite_at: (1.0, 1.0),
        body: |x, y| pow(as_float(x)?, as_float(y)?),
    }

    /// Two to the power of every element.
    ///
    /// NumPy: `exp2`. Floats of any shape.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that is no float.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![3.0f32, -1.0].exp2()?.as_slice::<f32>()?, &[8.0, 0.5]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Exp2 = "Extype>Exp2" {
        outputs: { y: U },
        types: { T: DTypeSet::NUMERIC, U: DTypeSet::INEXACT },
        call: method exp2,
        body: |x| pow(2.0, as_float(x)?),
    }

    /// The logarithm of every element to the base 2, exact for powers of 2.
    ///
    /// NumPy: `log2`. Floats of any shape; integers become float64.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that is no number.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![8.0f64, 0.25].log2()?.as_slice::<f64>()?, &[3.0, -2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Log2 = "Extype>Log2" {
        outputs: { y: U },
        types: { T: DTypeSet::NUMERIC, U: DTypeSet::INEXACT },
        call: method log2,
        finite_at: (1.0),
        body: |x| {
            let x = as_float(x)?;
            whole_at_powers(&x, div(x.log()?, LN_2)?, 2.0)
        },
    }

    /// The logarithm of every element to the base 10, exact for the powers of 10 that are floats without rounding.
    ///
    /// NumPy: `log10`. Floats of any shape; integers become float64.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that is no number.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1000.0f64, 0.01].log10()?.as_slice::<f64>()?, &[3.0, -2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Log10 = "Extype>Log10" {
        outputs: { y: U },
        types: { T: DTypeSet::NUMERIC, U: DTypeSet::INEXACT },
        call: method log10,
        finite_at: (1.0),
        body: |x| {
            let x = as_float(x)?;
            whole_at_powers(&x, div(x.log()?, LN_10)?, 10.0)
        },
    }

    /// Computes `log(exp(x) + exp(y))` without overflow.
    ///
    /// NumPy: `logaddexp`. Real floats of one dtype broadcast.
    ///
    /// # Errors
    /// `InvalidArgument` for dtypes that differ or are no real floats.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = scalar(1000.0f64).logaddexp(1000.0)?.item::<f64>()?;
    /// assert!((y - 1000.0 - 2f64.ln()).abs() < 1e-9);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Logaddexp = "Extype>Logaddexp" {
        outputs: { z: U },
        types: { T: DTypeSet::REAL, U: DTypeSet::FLOAT },
        call: method logaddexp,
        body: |x, y| {
            let (x, y) = (as_float(x)?, as_float(y)?);
            let difference = sub(&y, &x)?;
            // The difference of equal infinities is zero here, not NaN.
            let alike = x.equal(&y)?;
            let difference = select(logical_and(alike, difference.is_nan()?)?, 0.0, difference)?;
            // The form with the smaller softplus is the exact one.
            let (left, right) = (difference.softplus()?, neg(&difference)?.softplus()?);
            select(difference.less_equal(0.0)?, add(&x, left)?, add(&y, right)?)
        },
    }

    /// Computes `log2(2^x + 2^y)` without overflow.
    ///
    /// NumPy: `logaddexp2`. Real floats of one dtype broadcast.
    ///
    /// # Errors
    /// As [`logaddexp`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = scalar(3.0f64).logaddexp2(3.0)?.item::<f64>()?;
    /// assert!((y - 4.0).abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Logaddexp2 = "Extype>Logaddexp2" {
        outputs: { z: U },
        types: { T: DTypeSet::REAL, U: DTypeSet::FLOAT },
        call: method logaddexp2,
        body: |x, y| {
            let natural = mul(as_float(x)?, LN_2)?.logaddexp(mul(as_float(y)?, LN_2)?)?;
            div(natural, LN_2)
        },
    }

    /// Computes `sin(πx) / (πx)`, one at zero.
    ///
    /// NumPy: `sinc`. Floats of any shape.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that is no float.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![0.0f64, 0.5].sinc()?.as_slice::<f64>()?[0], 1.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Sinc = "Extype>Sinc" {
        outputs: { y: U },
        types: { T: DTypeSet::NUMERIC, U: DTypeSet::INEXACT },
        call: method sinc,
        body: |x| {
            let x = as_float(x)?;
            let is_zero = x.equal(0.0)?;
            let angle = select(&is_zero, 1.0, mul(&x, PI)?)?;
            select(is_zero, 1.0, div(angle.sin()?, &angle)?)
        },
    }

    /// Converts degrees to radians.
    ///
    /// NumPy: `deg2rad`, `radians`. Floats of any shape.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that is no float.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(scalar(180.0f64).deg2rad()?.item::<f64>()?, std::f64::consts::PI);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Deg2rad = "Extype>Deg2rad" {
        outputs: { y: U },
        types: { T: DTypeSet::NUMERIC, U: DTypeSet::INEXACT },
        call: method deg2rad,
        body: |x| mul(as_float(x)?, PI / 180.0),
    }

    /// Converts radians to degrees.
    ///
    /// NumPy: `rad2deg`, `degrees`. Floats of any shape.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that is no float.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(scalar(std::f64::consts::PI).rad2deg()?.item::<f64>()?, 180.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Rad2deg = "Extype>Rad2deg" {
        outputs: { y: U },
        types: { T: DTypeSet::NUMERIC, U: DTypeSet::INEXACT },
        call: method rad2deg,
        body: |x| mul(as_float(x)?, 180.0 / PI),
    }
}

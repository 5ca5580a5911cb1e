//! Quotients, remainders and divisors, composed of other ops.

use extype_kernels::table::binary as b;

use crate::define_op;
use crate::ops::methods::*;
use crate::ops::protocol::number::agree;
use crate::ops::protocol::{Apply2, Operand};
use crate::ops::{
    DivNoNan, div, div_no_nan, floor_div, floor_mod, logical_and, maximum, mul, not_equal, rem,
    select, sub,
};
use crate::tensor::{Tensor, call_site};
use crate::types::{DType, DTypeSet, Result};

/// `x / y` rounded down, such that [`floor_mod()`] is the exact remainder. `1.0 / 0.1` gives 9, since
/// the float 0.1 is slightly more than a tenth.
fn whole_quotient(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let (x, y) = agree(x, y)?;
    if x.dtype().is_integer() {
        return floor_div(x, y);
    }
    let rest = rem(&x, &y)?;
    // If the signs of the remainder and `y` differ, the quotient rounded down is one less.
    let turned = not_equal(rest.less(0.0)?, y.less(0.0)?)?;
    let turned = logical_and(rest.not_equal(0.0)?, turned)?;
    let quotient = sub(div(sub(&x, rest)?, &y)?.round()?, turned.cast(x.dtype())?)?;
    select(y.equal(0.0)?, div(&x, &y)?, quotient)?.stop_gradient()
}

/// The absolute value of integers; unsigned integers are unchanged.
fn magnitude(x: Tensor) -> Result<Tensor> {
    if DTypeSet::UNSIGNED.contains(x.dtype()) { Ok(x) } else { x.abs() }
}

/// Computes `1 / x`, but zero where `x` is zero.
///
/// TensorFlow: `tf.math.reciprocal_no_nan`. Floats of any shape; the result has the same.
///
/// # Errors
/// `InvalidArgument` for a dtype that [`DivNoNan`] does not take.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(ops::reciprocal_no_nan(&tensor![4.0f32, 0.0])?.as_slice::<f32>()?, &[0.25, 0.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn reciprocal_no_nan<X: Operand>(x: X) -> Result<<Tensor as Apply2<X::Value, DivNoNan>>::Output>
where
    Tensor: Apply2<X::Value, DivNoNan>,
{
    let _site = call_site!();
    div_no_nan(1.0, x)
}

define_op! {
    /// Methods: quotients, remainders, divisors.
    methods of DivisionMethods;

    /// Divides in floats: integers of up to 16 bits as float32, wider ones as float64. Floats and
    /// complex numbers keep their dtype.
    ///
    /// NumPy: `true_divide`, `divide`, `/`; TensorFlow: `tf.math.truediv`. Operands of one dtype broadcast.
    ///
    /// # Errors
    /// `InvalidArgument` for operands of two dtypes, or of shapes that don't broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 3].true_divide(2)?.as_slice::<f64>()?, &[0.5, 1.5]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary TrueDivide = "Extype>TrueDivide" {
        outputs: { z: U },
        types: { T: DTypeSet::NUMERIC, U: DTypeSet::INEXACT },
        finite_at: (_, 1.0),
        call: method true_divide,
        body: |x, y| {
            let float = match x.dtype() {
                DType::I8 | DType::U8 | DType::I16 | DType::U16 => DType::F32,
                d if d.is_integer() => DType::F64,
                _ => return div(x, y),
            };
            div(x.cast(float)?, y.cast(float)?)
        },
    }

    /// Divides `x` by `y` and rounds down. (The operator `/` truncates integers towards zero, as in
    /// Rust.) It is exact for floats, while TensorFlow's [`floor_div()`] rounds the quotient first.
    ///
    /// NumPy: `floor_divide`, `//`. Real numbers of one dtype broadcast.
    ///
    /// # Errors
    /// As [`floor_div()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::floor_divide(-7, 2)?.item::<i32>()?, -4);
    /// assert_eq!(ops::floor_divide(1.0, 0.1)?.item::<f64>()?, 9.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary FloorDivide = "Extype>FloorDivide" {
        types: { T: DTypeSet::REAL },
        call: method floor_divide,
        finite_at: (_, 1.0),
        body: |x, y| whole_quotient(x, y),
    }

    /// Returns the results of [`floor_divide()`] and [`floor_mod()`]: `q · y + r = x`.
    ///
    /// NumPy: `divmod`. Real numbers of one dtype broadcast.
    ///
    /// # Errors
    /// As [`floor_div()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (quotient, rest) = tensor![-7, 7].divmod(2)?;
    /// assert_eq!((quotient.to_vec::<i32>()?, rest.to_vec::<i32>()?), (vec![-4, 3], vec![1, 1]));
    /// # Ok::<(), Error>(())
    /// ```
    pub op Divmod = "Extype>Divmod" {
        inputs: { x: T, y: T }, outputs: { quotient: T, rest: T },
        types: { T: DTypeSet::REAL },
        call: method divmod(x, y),
        body: |x, y| {
            Ok((whole_quotient(x, y)?, floor_mod(x, y)?))
        },
    }

    /// The greatest common divisor of the absolute values.
    ///
    /// NumPy: `gcd`. Integers of one dtype broadcast.
    ///
    /// # Errors
    /// `InvalidArgument` for dtypes that differ or are no integers.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![12, -8, 0].gcd(18)?.as_slice::<i32>()?, &[6, 2, 18]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Gcd = "Extype>Gcd" {
        types: { T: DTypeSet::INTEGER },
        call: method gcd,
        kernel: Zip(&b::GCD),
        gradient: none,
    }

    /// The least common multiple of the absolute values; zero where either operand is zero.
    ///
    /// NumPy: `lcm`. Integers of one dtype broadcast.
    ///
    /// # Errors
    /// As [`gcd`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![4, 0].lcm(6)?.as_slice::<i32>()?, &[12, 0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Lcm = "Extype>Lcm" {
        types: { T: DTypeSet::INTEGER },
        call: method lcm,
        body: |x, y| {
            let common = maximum(x.gcd(y)?, 1)?;
            magnitude(mul(div(x, common)?, y)?)
        },
    }
}

//! Functions of one element at a time that are made of several ops.

use std::f64::consts::{LN_2, LN_10, PI};

use crate::define_op;
use crate::ops::number::agree;
use crate::ops::options::functions;
use crate::ops::*;
use crate::tensor::Tensor;
use crate::types::{DType, DTypeSet, Result, bail};

/// Floats as they are, integers as float64.
pub(in crate::ops) fn as_float(x: &Tensor) -> Result<Tensor> {
    if x.dtype().is_integer() { x.cast(DType::F64) } else { Ok(x.clone()) }
}

/// Integers and bools as float64, others as they are.
pub(crate) fn as_inexact(x: &Tensor) -> Result<Tensor> {
    if x.dtype() == DType::Bool { x.cast(DType::F64) } else { as_float(x) }
}

/// The least number with all its digits.
fn least_normal(dtype: DType) -> f64 {
    match dtype {
        DType::F16 => 2f64.powi(-14),
        DType::BF16 | DType::F32 => f64::from(f32::MIN_POSITIVE),
        _ => f64::MIN_POSITIVE,
    }
}

/// `y`, the logarithm of `x`, but the whole number beside it where `x` is that power of the base: such
/// logarithms are exact. Gradients are those of `y`.
fn whole_at_powers(x: &Tensor, y: Tensor, base: f64) -> Result<Tensor> {
    if x.dtype().is_complex() {
        return Ok(y);
    }
    let whole = y.round()?;
    // Of fewer digits many numbers look like one power, and infinity is none.
    let is_exact = logical_and(x.greater_equal(least_normal(x.dtype()))?, x.is_finite()?)?;
    let is_power = logical_and(equal(pow(base, &whole)?, x)?, is_exact)?;
    let rest = select(is_power, sub(&whole, &y)?, 0.0)?;
    add(y, rest.stop_gradient()?)
}

/// `x / y` rounded down, so that [`floor_mod()`] is exactly what it leaves: `1.0 / 0.1` is 9, since
/// 0.1 is a little more than a tenth.
fn whole_quotient(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let (x, y) = agree(x, y)?;
    if x.dtype().is_integer() {
        return floor_div(x, y);
    }
    let rest = rem(&x, &y)?;
    // A rest of the other sign is one of the sign of `y` after one step more.
    let turned = not_equal(rest.less(0.0)?, y.less(0.0)?)?;
    let turned = logical_and(rest.not_equal(0.0)?, turned)?;
    let quotient = sub(div(sub(&x, rest)?, &y)?.round()?, turned.cast(x.dtype())?)?;
    select(y.equal(0.0)?, div(&x, &y)?, quotient)?.stop_gradient()
}

/// The steps that Euclid's algorithm takes at most for integers of this dtype.
fn steps(dtype: DType) -> usize {
    // Each two steps halve the numbers at least; Fibonacci numbers take the most.
    match dtype.size() {
        Some(1) => 14,
        Some(2) => 25,
        Some(4) => 48,
        _ => 94,
    }
}

/// The absolute value of integers: of unsigned ones the number itself.
fn magnitude(x: Tensor) -> Result<Tensor> {
    if DTypeSet::UNSIGNED.contains(x.dtype()) { Ok(x) } else { x.abs() }
}

fn divisor(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    if !x.dtype().is_integer() {
        bail!("integers are wanted, not {}", x.dtype());
    }
    let (mut a, mut b) = (x.clone(), y.clone());
    for _ in 0..steps(x.dtype()) {
        let is_done = b.equal(0)?;
        if let Tensor::Value(done) = &is_done
            && done.as_slice::<bool>()?.iter().all(|done| *done)
        {
            break;
        }
        let rest = rem(&a, select(&is_done, 1, &b)?)?;
        (a, b) = (select(&is_done, &a, &b)?, select(&is_done, &b, rest)?);
    }
    // Of the shape that both have together, also if nothing was done.
    magnitude(add(a, b.zeros_like()?)?)
}

define_op! {
    /// Methods: elementwise functions of other ops.
    methods of EverydayMethods;

    /// The length of the hypotenuse, `sqrt(x² + y²)`, without overflow on the way.
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
        body: |x, y| {
            let (x, y) = (as_float(x)?, as_float(y)?);
            // However long the other side is, also if it is NaN.
            let is_endless = logical_or(x.is_inf()?, y.is_inf()?)?;
            let endless = select(x.is_inf()?, x.abs()?, y.abs()?)?;
            let (x, y) = (select(&is_endless, 1.0, x)?, select(&is_endless, 1.0, y)?);
            let size = maximum(x.abs()?, y.abs()?)?;
            let usable = logical_and(size.greater(0.0)?, size.is_finite()?)?;
            let size = select(usable, size, 1.0)?.stop_gradient()?;
            let squares = add(div(&x, &size)?.square()?, div(&y, &size)?.square()?)?;
            // The root has no slope at zero; the length has, if any, zero.
            let is_zero = squares.equal(0.0)?;
            let root = select(&is_zero, 1.0, squares)?.sqrt()?;
            let length = select(is_zero, 0.0, mul(root, size)?)?;
            select(is_endless, endless, length)
        },
    }

    /// The cube root, negative for negative numbers.
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
        outputs: { y: U },
        types: { T: DTypeSet::REAL, U: DTypeSet::FLOAT },
        call: method cbrt,
        finite_at: (1.0),
        body: |x| {
            let x = as_float(x)?;
            let is_negative = x.less(0.0)?;
            let root = select(&is_negative, neg(&x)?, &x)?.pow(1.0 / 3.0)?;
            let root = select(is_negative, neg(&root)?, root)?;
            // A third has no float: one step of Newton's method makes good for it.
            let step = div(sub(div(&x, root.square()?)?, &root)?, 3.0)?;
            let step = select(step.is_finite()?, step, 0.0)?;
            add(root, step.stop_gradient()?)
        },
    }

    /// `sin(πx) / (πx)`, one at zero.
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

    /// The step function: zero below zero, `at_zero` there, one above.
    ///
    /// NumPy: `heaviside`. Real floats of one dtype broadcast; NaN stays NaN.
    ///
    /// # Errors
    /// `InvalidArgument` for dtypes that differ.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![-2.0f32, 0.0, 3.0].heaviside(0.5)?;
    /// assert_eq!(y.as_slice::<f32>()?, &[0.0, 0.5, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Heaviside = "Extype>Heaviside" {
        outputs: { z: U },
        types: { T: DTypeSet::REAL, U: DTypeSet::FLOAT },
        call: method heaviside(x, at_zero),
        body: |x, at_zero| {
            let (x, at_zero) = (as_float(x)?, as_float(at_zero)?);
            let step = x.greater(0.0)?.cast(x.dtype())?;
            let step = select(x.equal(0.0)?, at_zero, step)?;
            select(x.is_nan()?, &x, step)
        },
    }

    /// `log(exp(x) + exp(y))` without overflow.
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
            // Infinities of one sign are as far apart as equal numbers.
            let alike = x.equal(&y)?;
            let difference = select(logical_and(alike, difference.is_nan()?)?, 0.0, difference)?;
            // The form whose softplus is small, since that is exact.
            let (left, right) = (difference.softplus()?, neg(&difference)?.softplus()?);
            select(difference.less_equal(0.0)?, add(&x, left)?, add(&y, right)?)
        },
    }

    /// `log2(2^x + 2^y)` without overflow.
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

    /// The logarithm to the base 2, exact for powers of 2.
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

    /// The logarithm to the base 10, exact for powers of 10.
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

    /// Degrees as radians.
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
    #[doc(alias = "radians")]
    pub unary Deg2rad = "Extype>Deg2rad" {
        outputs: { y: U },
        types: { T: DTypeSet::NUMERIC, U: DTypeSet::INEXACT },
        call: method deg2rad,
        body: |x| mul(as_float(x)?, PI / 180.0),
    }

    /// Radians as degrees.
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
    #[doc(alias = "degrees")]
    pub unary Rad2deg = "Extype>Rad2deg" {
        outputs: { y: U },
        types: { T: DTypeSet::NUMERIC, U: DTypeSet::INEXACT },
        call: method rad2deg,
        body: |x| mul(as_float(x)?, 180.0 / PI),
    }

    /// `x / y` rounded down. (The operator `/` cuts integers towards zero, as Rust's does.) Of floats it
    /// is exact, where [`floor_div()`], TensorFlow's, rounds the quotient first.
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
        body: |x, y| divisor(x, y),
    }

    /// The least common multiple of the absolute values; zero where one is zero.
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
            let common = maximum(divisor(x, y)?, 1)?;
            magnitude(mul(div(x, common)?, y)?)
        },
    }

    /// The larger of two, the number where one is NaN.
    ///
    /// NumPy: `fmax`. ([`maximum()`] is NaN there.) Real floats of one dtype broadcast.
    ///
    /// # Errors
    /// As [`maximum()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![f32::NAN, 1.0].fmax(0.5)?.as_slice::<f32>()?, &[0.5, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Fmax = "Extype>Fmax" {
        types: { T: DTypeSet::REAL },
        call: method fmax,
        body: |x, y| select(y.is_nan()?, x, select(x.is_nan()?, y, maximum(x, y)?)?),
    }

    /// The smaller of two, the number where one is NaN.
    ///
    /// NumPy: `fmin`. ([`minimum()`] is NaN there.) Real floats of one dtype broadcast.
    ///
    /// # Errors
    /// As [`minimum()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![f32::NAN, 1.0].fmin(0.5)?.as_slice::<f32>()?, &[0.5, 0.5]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Fmin = "Extype>Fmin" {
        types: { T: DTypeSet::REAL },
        call: method fmin,
        body: |x, y| select(y.is_nan()?, x, select(x.is_nan()?, y, minimum(x, y)?)?),
    }
}

functions! {
    /// `x` to the power of `y`: [`pow()`] by its other name.
    ///
    /// NumPy: `power`.
    ///
    /// # Errors
    /// As [`pow()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![2, 3].power(2)?.as_slice::<i32>()?, &[4, 9]);
    /// # Ok::<(), Error>(())
    /// ```
    fn power(x, y) -> Tensor {
        pow(x, y)
    }

    /// `x` to the power of `y` in floats; integers become float64.
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
    fn float_power(x, y) -> Tensor {
        let (x, y) = agree(x, y)?;
        let (x, y) = agree(&as_float(&x)?, &as_float(&y)?)?;
        pow(x, y)
    }

    /// `x / y` in floats: [`truediv`] by its other name, which takes host numbers too.
    ///
    /// NumPy: `true_divide`, `divide`, `/`.
    ///
    /// # Errors
    /// As [`truediv`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 3].true_divide(2)?.as_slice::<f64>()?, &[0.5, 1.5]);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "divide")]
    fn true_divide(x, y) -> Tensor {
        let (x, y) = agree(x, y)?;
        truediv(&x, &y)
    }

    /// What is left of `x` after a division rounded down, of the sign of `y`: [`floor_mod()`] by its
    /// other name. (The operator `%` has the sign of `x`, as Rust's.)
    ///
    /// NumPy: `remainder`, `mod`, `%`.
    ///
    /// # Errors
    /// As [`floor_mod()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::remainder(-7, 4)?.item::<i32>()?, 1);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "mod")]
    fn remainder(x, y) -> Tensor {
        floor_mod(x, y)
    }

    /// What is left of `x` after a division cut towards zero, of the sign of `x`: the operator `%`.
    ///
    /// NumPy: `fmod`.
    ///
    /// # Errors
    /// As [`rem()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::fmod(-7.0, 3.0)?.item::<f64>()?, -1.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn fmod(x, y) -> Tensor {
        rem(x, y)
    }

    /// [`floor_divide`] and [`remainder`]: `q · y + r = x`.
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
    fn divmod(x, y) -> (Tensor, Tensor) {
        Ok((whole_quotient(x, y)?, floor_mod(x, y)?))
    }
}

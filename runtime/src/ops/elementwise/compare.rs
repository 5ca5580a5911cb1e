//! Comparison within tolerances, questions by their other names, parts of complex numbers.

use crate::define_op;
use crate::ops::methods::UnaryMethods;
use crate::ops::number::agree;
use crate::ops::options::{Sets, functions, sets};
use crate::ops::*;
use crate::tensor::{Tensor, execute_one};
use crate::types::{DType, DTypeSet, Result, bail};

/// Options of [`isclose`]: [`Rtol`], [`Atol`], [`EqualNan`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closeness {
    /// How far apart as a part of the second operand, 1e-5.
    pub rtol: f64,
    /// How far apart anyway, 1e-8.
    pub atol: f64,
    /// True if NaN is close to NaN.
    pub equal_nan: bool,
}

impl Default for Closeness {
    fn default() -> Self {
        Self { rtol: 1e-5, atol: 1e-8, equal_nan: false }
    }
}

/// How far apart close numbers are as a part of the second operand.
///
/// ```
/// use extype::prelude::*;
/// assert!(tensor![100.0f32].isclose([101.0], Rtol(0.1))?.all(..)?.item::<bool>()?);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rtol(pub f64);

/// How far apart close numbers are anyway.
///
/// ```
/// use extype::prelude::*;
/// assert!(tensor![0.0f32].isclose([0.01], Atol(0.1))?.all(..)?.item::<bool>()?);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Atol(pub f64);

/// NaN is close, or equal, to NaN.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![f32::NAN];
/// assert!(!x.isclose(&x, ..)?.all(..)?.item::<bool>()?);
/// assert!(x.isclose(&x, EqualNan)?.all(..)?.item::<bool>()?);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EqualNan;

/// Options of [`array_equal_with`]: [`EqualNan`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Equality {
    /// True if NaN is equal to NaN.
    pub equal_nan: bool,
}

sets! {
    EqualNan => Equality |o, _| o.equal_nan = true;
    Equality => Equality |o, all| *o = all;
    Closeness => Closeness |o, all| *o = all;
    Rtol => Closeness |o, Rtol(x)| o.rtol = x;
    Atol => Closeness |o, Atol(x)| o.atol = x;
    EqualNan => Closeness |o, _| o.equal_nan = true;
}

fn close(x: &Tensor, y: &Tensor, options: Closeness) -> Result<Tensor> {
    let (x, y) = agree(x, y)?;
    let equal = x.equal(&y)?;
    if x.dtype() == DType::Bool {
        return Ok(equal);
    }
    let (x, y) = (as_float(&x)?, as_float(&y)?);
    let allowed = add(mul(y.abs()?, options.rtol)?, options.atol)?;
    let near = sub(&x, &y)?.abs()?.less_equal(allowed)?;
    // Of infinities only equal ones are close.
    let near = logical_or(equal, logical_and(near, y.isfinite()?)?)?;
    if !options.equal_nan {
        return Ok(near);
    }
    logical_or(near, logical_and(x.isnan()?, y.isnan()?)?)
}

/// Where a question about floats is answered by yes, of either part of complex numbers, or of both if
/// that is what whole numbers answer.
fn ask(x: &Tensor, question: fn(&Tensor) -> Result<Tensor>, whole: bool) -> Result<Tensor> {
    match x.dtype() {
        d if d.is_complex() => {
            let (re, im) = (question(&x.real()?)?, question(&x.imag()?)?);
            if whole { logical_and(re, im) } else { logical_or(re, im) }
        }
        d if d.is_integer() || d == DType::Bool => {
            if whole {
                equal(x, x)
            } else {
                not_equal(x, x)
            }
        }
        _ => question(x),
    }
}

/// Bools as they are, of numbers whether they are not zero.
pub(in crate::ops) fn truths(x: &Tensor) -> Result<Tensor> {
    if x.dtype() == DType::Bool { Ok(x.clone()) } else { x.not_equal(0) }
}

/// Two operands that can be compared: of two dtypes of numbers as NumPy compares them. `None` for others.
fn comparable(x: &Tensor, y: &Tensor) -> Result<Option<(Tensor, Tensor)>> {
    let (x, y) = agree(x, y)?;
    let (a, b) = (x.dtype(), y.dtype());
    if a == b {
        return Ok(Some((x, y)));
    }
    let numbers = DTypeSet::NUMERIC.or(DTypeSet::BOOL);
    if !numbers.contains(a) || !numbers.contains(b) {
        return Ok(None);
    }
    let both = match [a, b] {
        d if d.iter().any(|d| d.is_complex()) => DType::Complex128,
        d if d.iter().any(|d| d.is_float()) => DType::F64,
        d if !d.contains(&DType::U64) => DType::I64,
        d if d.iter().any(|d| DTypeSet::SIGNED.contains(*d)) => {
            // No dtype has both: the same bits of one sign are the same number.
            let parts =
                |x: &Tensor| stack(&[x.cast(DType::I64)?, x.less(0)?.cast(DType::I64)?], -1);
            return Ok(Some((parts(&x)?, parts(&y)?)));
        }
        _ => DType::U64,
    };
    Ok(Some((x.cast(both)?, y.cast(both)?)))
}

fn all_equal(x: &Tensor, y: &Tensor, options: Equality) -> Result<Tensor> {
    let Some((x, y)) = comparable(x, y)? else { return Ok(Tensor::scalar(false)) };
    let equal = x.equal(&y)?;
    if !options.equal_nan || !x.dtype().is_differentiable() {
        return equal.reduce_all(.., false);
    }
    logical_or(equal, logical_and(x.isnan()?, y.isnan()?)?)?.reduce_all(.., false)
}

/// The real (0) or imaginary (1) parts of complex numbers as they are in memory; no gradient passes.
fn stored(x: &Tensor, part: i64) -> Result<Tensor> {
    x.bitcast(part_of(x.dtype()))?.index((Ellipsis, part))?.stop_gradient()
}

/// `exact`, whose gradients are those of `y`, the same but for signs of zeros and NaN beside infinity,
/// which has none.
fn with_gradient_of(y: &Tensor, exact: &Tensor, is_finite: Tensor) -> Result<Tensor> {
    // What nothing is taken from keeps its sign.
    let moved = sub(exact, sub(y.stop_gradient()?, y)?)?;
    select(is_finite, moved, exact)
}

/// The dtype of the parts of a complex number.
fn part_of(dtype: DType) -> DType {
    if dtype == DType::Complex64 { DType::F32 } else { DType::F64 }
}

/// The unit `i` in a complex dtype, times a sign.
fn unit(dtype: DType, sign: f64) -> Result<Tensor> {
    Tensor::scalar(num_complex::Complex64::new(0.0, sign)).cast(dtype)
}

define_op! {
    /// Methods: what numbers are.
    methods of QuestionMethods;

    /// True where an element is positive infinity.
    ///
    /// NumPy: `isposinf`. Real numbers of any shape.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that is none of real numbers.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![f32::INFINITY, f32::NEG_INFINITY];
    /// assert_eq!(x.isposinf()?.as_slice::<bool>()?, &[true, false]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary IsPosInf = "Extype>IsPosInf" {
        outputs: { y: {Bool} },
        types: { T: DTypeSet::REAL },
        call: method isposinf,
        body: |x| logical_and(x.isinf()?, x.greater(0)?),
    }

    /// True where an element is negative infinity.
    ///
    /// NumPy: `isneginf`. Real numbers of any shape.
    ///
    /// # Errors
    /// As [`isposinf`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![f32::INFINITY, f32::NEG_INFINITY];
    /// assert_eq!(x.isneginf()?.as_slice::<bool>()?, &[false, true]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary IsNegInf = "Extype>IsNegInf" {
        outputs: { y: {Bool} },
        types: { T: DTypeSet::REAL },
        call: method isneginf,
        body: |x| logical_and(x.isinf()?, x.less(0)?),
    }

    /// True where an element has no imaginary part, as all real numbers.
    ///
    /// NumPy: `isreal`. Numbers of any shape.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that is no number.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = ops::complex([1.0, 2.0], [0.0, 3.0])?;
    /// assert_eq!(x.isreal()?.as_slice::<bool>()?, &[true, false]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary IsReal = "Extype>IsReal" {
        outputs: { y: {Bool} },
        types: { T: DTypeSet::NUMERIC },
        call: method isreal,
        body: |x| x.imag()?.equal(0),
    }

    /// True where an element has an imaginary part, as no real number.
    ///
    /// NumPy: `iscomplex`. Numbers of any shape.
    ///
    /// # Errors
    /// As [`isreal`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = ops::complex([1.0, 2.0], [0.0, 3.0])?;
    /// assert_eq!(x.iscomplex()?.as_slice::<bool>()?, &[false, true]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary IsComplex = "Extype>IsComplex" {
        outputs: { y: {Bool} },
        types: { T: DTypeSet::NUMERIC },
        call: method iscomplex,
        body: |x| x.imag()?.not_equal(0),
    }

    /// True where one of two is true and the other is not.
    ///
    /// NumPy: `logical_xor`; TensorFlow: `tf.math.logical_xor`. Bools broadcast; of the bits of integers
    /// [`bitwise_xor`](crate::ops::bitwise_xor()).
    ///
    /// # Errors
    /// `InvalidArgument` for other dtypes, and shapes that don't broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![true, false].logical_xor(true)?;
    /// assert_eq!(y.as_slice::<bool>()?, &[false, true]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary LogicalXor = "Extype>LogicalXor" {
        inputs: { x: {Bool}, y: {Bool} }, outputs: { z: {Bool} },
        call: method logical_xor,
        body: |x, y| not_equal(x, y),
    }

    /// The real part; real numbers are their own.
    ///
    /// NumPy: `real`; TensorFlow: `tf.math.real`. Numbers of any shape.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that is no number.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = ops::complex(3.0, 4.0)?;
    /// assert_eq!(x.real()?.item::<f64>()?, 3.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Real = "Extype>Real" {
        outputs: { y: U },
        types: { T: DTypeSet::NUMERIC, U: DTypeSet::REAL },
        call: method real,
        body: |x| if x.dtype().is_complex() { x.cast(part_of(x.dtype())) } else { Ok(x.clone()) },
    }

    /// The imaginary part; zero for real numbers.
    ///
    /// NumPy: `imag`; TensorFlow: `tf.math.imag`. Numbers of any shape.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that is no number.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::complex(3.0, 4.0)?.imag()?.item::<f64>()?, 4.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Imag = "Extype>Imag" {
        outputs: { y: U },
        types: { T: DTypeSet::NUMERIC, U: DTypeSet::REAL },
        call: method imag,
        body: |x| {
            if !x.dtype().is_complex() {
                return x.zeros_like();
            }
            let turned = mul(x, unit(x.dtype(), -1.0)?)?.cast(part_of(x.dtype()))?;
            with_gradient_of(&turned, &stored(x, 1)?, turned.is_finite()?)
        },
    }

    /// The angle of a complex number in radians, from -π to π; for real numbers zero or π.
    ///
    /// NumPy: `angle`; TensorFlow: `tf.math.angle`. Floats and complex numbers of any shape.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that is no float.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::complex(0.0, 2.0)?.angle()?.item::<f64>()?;
    /// assert_eq!(y, std::f64::consts::FRAC_PI_2);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Angle = "Extype>Angle" {
        outputs: { y: U },
        types: { T: DTypeSet::NUMERIC, U: DTypeSet::FLOAT },
        call: method angle,
        body: |x| {
            let x = as_float(x)?;
            x.imag()?.atan2(x.real()?)
        },
    }
}

functions! {
    /// True where two numbers are close: `|x - y| <= atol + rtol · |y|`, or equal infinities.
    ///
    /// NumPy: `isclose`. Numbers of one dtype broadcast. Options: `Rtol` (1e-5), `Atol` (1e-8), `EqualNan`.
    ///
    /// # Errors
    /// `InvalidArgument` for dtypes that differ, and shapes that don't broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![1.0f64, 2.0];
    /// assert_eq!(x.isclose([1.0 + 1e-9, 2.1], ..)?.as_slice::<bool>()?, &[true, false]);
    /// assert!(x.isclose([1.0, 2.1], Rtol(0.1))?.all(..)?.item::<bool>()?);
    /// # Ok::<(), Error>(())
    /// ```
    fn isclose(x, y => options: impl Sets<Closeness> as Closeness) -> Tensor {
        close(x, y, options)
    }

    /// Whether all numbers are close, a bool scalar.
    ///
    /// NumPy: `allclose`. As [`isclose`].
    ///
    /// # Errors
    /// As [`isclose`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert!(tensor![1.0f64, 2.0].allclose([1.0, 2.0 + 1e-9], ..)?.item::<bool>()?);
    /// # Ok::<(), Error>(())
    /// ```
    fn allclose(x, y => options: impl Sets<Closeness> as Closeness) -> Tensor {
        close(x, y, options)?.reduce_all(.., false)
    }

    /// Whether shapes and all elements are equal, a bool scalar.
    ///
    /// NumPy: `array_equal`. Numbers of two dtypes are compared as NumPy compares them; texts are never
    /// equal to numbers. Shapes that are unknown while tracing are taken for equal if the elements
    /// are that broadcast. [`array_equal_with`] takes options.
    ///
    /// # Errors
    /// `InvalidArgument` for tensors of which elements can't be compared.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert!(tensor![1, 2].array_equal([1, 2])?.item::<bool>()?);
    /// assert!(!tensor![1, 2].array_equal([1, 2, 3])?.item::<bool>()?);
    /// # Ok::<(), Error>(())
    /// ```
    fn array_equal(x, y) -> Tensor {
        array_equal_with(x, y, ..)
    }

    /// [`array_equal`] with an option: `EqualNan`.
    ///
    /// NumPy: `array_equal` with `equal_nan`.
    ///
    /// # Errors
    /// As [`array_equal`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![1.0, f64::NAN];
    /// assert!(!x.array_equal(&x)?.item::<bool>()?);
    /// assert!(x.array_equal_with(&x, EqualNan)?.item::<bool>()?);
    /// # Ok::<(), Error>(())
    /// ```
    fn array_equal_with(x, y => options: impl Sets<Equality> as Equality) -> Tensor {
        if !x.shape().is_compatible_with(&y.shape()) {
            return Ok(Tensor::scalar(false));
        }
        all_equal(x, y, options)
    }

    /// Whether shapes broadcast and all elements that meet are equal, a bool scalar.
    ///
    /// NumPy: `array_equiv`. Dtypes as of [`array_equal`].
    ///
    /// # Errors
    /// As [`array_equal`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert!(tensor![[1, 2], [1, 2]].array_equiv([1, 2])?.item::<bool>()?);
    /// assert!(!tensor![[1, 2], [1, 2]].array_equiv([1, 2, 3])?.item::<bool>()?);
    /// # Ok::<(), Error>(())
    /// ```
    fn array_equiv(x, y) -> Tensor {
        if x.shape().broadcast(&y.shape()).is_err() {
            return Ok(Tensor::scalar(false));
        }
        all_equal(x, y, Equality::default())
    }

    /// True where an element is NaN: [`is_nan()`] by NumPy's name, also of integers and bools, which
    /// never are, and of complex numbers, of which a part may be.
    ///
    /// # Errors
    /// As [`is_nan()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, f32::NAN].isnan()?.as_slice::<bool>()?, &[false, true]);
    /// # Ok::<(), Error>(())
    /// ```
    fn isnan(x) -> Tensor {
        ask(x, |x| is_nan(x), false)
    }

    /// True where an element is infinite: [`is_inf()`] by NumPy's name, with more dtypes as [`isnan`].
    ///
    /// # Errors
    /// As [`is_inf()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, f32::INFINITY].isinf()?.as_slice::<bool>()?, &[false, true]);
    /// # Ok::<(), Error>(())
    /// ```
    fn isinf(x) -> Tensor {
        ask(x, |x| is_inf(x), false)
    }

    /// True where an element is neither infinite nor NaN: [`is_finite()`] by NumPy's name, with more
    /// dtypes as [`isnan`].
    ///
    /// # Errors
    /// As [`is_finite()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, f32::NAN].isfinite()?.as_slice::<bool>()?, &[true, false]);
    /// # Ok::<(), Error>(())
    /// ```
    fn isfinite(x) -> Tensor {
        ask(x, |x| is_finite(x), true)
    }

    /// Complex numbers of their real and imaginary parts.
    ///
    /// TensorFlow: `tf.complex`; NumPy: `x + 1j * y`. Float32 or float64, one dtype, broadcast; the
    /// result is complex64 or complex128.
    ///
    /// # Errors
    /// `InvalidArgument` for other dtypes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::complex(&scalar(1.0f32), 2.0)?.dtype(), DType::Complex64);
    /// # Ok::<(), Error>(())
    /// ```
    free fn complex(real, imag) -> Tensor {
        let (real, imag) = agree(real, imag)?;
        let dtype = match (real.dtype(), imag.dtype()) {
            (DType::F32, DType::F32) => DType::Complex64,
            (DType::F64, DType::F64) => DType::Complex128,
            (a, b) => bail!("parts of {a} and {b}; both are float32, or both float64"),
        };
        let sum = add(real.cast(dtype)?, mul(imag.cast(dtype)?, unit(dtype, 1.0)?)?)?;
        // Of the shape of both; what nothing is added to would lose the sign of a zero.
        let (re, im) = (sub(&real, imag.zeros_like()?)?, sub(&imag, real.zeros_like()?)?);
        let joined = stack(&[re, im], -1)?.bitcast(dtype)?.stop_gradient()?;
        with_gradient_of(&sum, &joined, logical_and(real.is_finite()?, imag.is_finite()?)?)
    }
}

/// What [`Abs`] means for tensors: also the size of complex numbers.
pub(super) fn absolute(function: &AbsFn, operands: &[&Tensor]) -> Result<Tensor> {
    match operands {
        [c] if c.dtype().is_complex() => c.real()?.hypot(c.imag()?),
        _ => execute_one(function.def(), function.attrs(), operands),
    }
}

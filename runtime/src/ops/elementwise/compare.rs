//! Comparisons with tolerances or around NaN, and predicates on numbers, composed of other ops.

use crate::compounds;
use crate::define_op;
use crate::ops::methods::*;
use crate::ops::options::{Sets, sets};
use crate::ops::protocol::compound::is_stand_in;
use crate::ops::protocol::number::agree;
use crate::ops::{
    UnaryMethods, add, as_float, equal, is_finite, is_inf, is_nan, logical_and, logical_or,
    maximum, minimum, mul, not_equal, select, stack, sub,
};
use crate::tensor::Tensor;
use crate::types::{DType, DTypeSet, Result};

/// Options of [`isclose`]: [`Rtol`], [`Atol`], [`EqualNan`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closeness {
    /// The relative tolerance, a fraction of the second operand; 1e-5 by default.
    pub rtol: f64,
    /// The absolute tolerance; 1e-8 by default.
    pub atol: f64,
    /// True if NaN is close to NaN.
    pub equal_nan: bool,
}

impl Default for Closeness {
    fn default() -> Self {
        Self { rtol: 1e-5, atol: 1e-8, equal_nan: false }
    }
}

/// The relative tolerance: a fraction of the second operand.
///
/// ```
/// use extype::prelude::*;
/// assert!(tensor![100.0f32].isclose([101.0], ops::Rtol(0.1))?.all(..)?.item::<bool>()?);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rtol(pub f64);

/// The absolute tolerance.
///
/// ```
/// use extype::prelude::*;
/// assert!(tensor![0.0f32].isclose([0.01], ops::Atol(0.1))?.all(..)?.item::<bool>()?);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Atol(pub f64);

/// Makes NaN close, or equal, to NaN.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![f32::NAN];
/// assert!(!x.isclose(&x, ..)?.all(..)?.item::<bool>()?);
/// assert!(x.isclose(&x, ops::EqualNan)?.all(..)?.item::<bool>()?);
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
    // Infinities are close only to equal infinities.
    let near = logical_or(equal, logical_and(near, y.isfinite()?)?)?;
    if !options.equal_nan {
        return Ok(near);
    }
    logical_or(near, logical_and(x.isnan()?, y.isnan()?)?)
}

/// Applies a predicate on floats to numbers of any dtype. A complex number satisfies it if either part
/// does, and an integer or bool never does. With `whole`, both parts must satisfy it, and integers and
/// bools always do.
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

/// Bools unchanged; numbers as bools, true unless zero.
pub(in crate::ops) fn truths(x: &Tensor) -> Result<Tensor> {
    if x.dtype() == DType::Bool { Ok(x.clone()) } else { x.not_equal(0) }
}

/// Both operands converted so that they compare as in NumPy; `None` if their dtypes can't be compared.
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
            // No dtype holds both uint64 and signed integers: compare their bits as int64 together with
            // their signs.
            let parts =
                |x: &Tensor| stack(&[x.cast(DType::I64)?, x.less(0)?.cast(DType::I64)?], -1);
            return Ok(Some((parts(&x)?, parts(&y)?)));
        }
        _ => DType::U64,
    };
    Ok(Some((x.cast(both)?, y.cast(both)?)))
}

/// That two tensors are not equal: false, of the type of such answers.
fn no(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    match [x, y].into_iter().find(|x| is_stand_in(x)) {
        Some(x) => x.zeros_like()?.cast(DType::Bool)?.reduce_any(.., false),
        None => Ok(Tensor::scalar(false)),
    }
}

fn all_equal(x: &Tensor, y: &Tensor, options: Equality) -> Result<Tensor> {
    let Some((x, y)) = comparable(x, y)? else { return no(x, y) };
    let equal = x.equal(&y)?;
    if !options.equal_nan || !x.dtype().is_differentiable() {
        return equal.reduce_all(.., false);
    }
    logical_or(equal, logical_and(x.isnan()?, y.isnan()?)?)?.reduce_all(.., false)
}

define_op! {
    /// Methods: comparisons, questions about numbers.
    methods of CompareMethods;

    /// Returns the larger of two elements; where one is NaN, the other one.
    ///
    /// NumPy: `fmax`. ([`maximum()`] gives NaN there.) Real numbers of one dtype broadcast.
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
        body: |x, y| select(y.isnan()?, x, select(x.isnan()?, y, maximum(x, y)?)?),
    }

    /// Returns the smaller of two elements; where one is NaN, the other one.
    ///
    /// NumPy: `fmin`. ([`minimum()`] gives NaN there.) Real numbers of one dtype broadcast.
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
        body: |x, y| select(y.isnan()?, x, select(x.isnan()?, y, minimum(x, y)?)?),
    }

    /// Computes the step function: 0 where `x` is negative, `at_zero` where it is zero, 1 where it is
    /// positive.
    ///
    /// NumPy: `heaviside`. Real numbers of one dtype broadcast; integers become float64, NaN stays NaN.
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

    /// Returns true where an element is positive infinity.
    ///
    /// NumPy: `isposinf`. Real numbers of any shape.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype other than real numbers.
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

    /// Returns true where an element is negative infinity.
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

    /// Returns true where exactly one operand is true.
    ///
    /// NumPy: `logical_xor`; TensorFlow: `tf.math.logical_xor`. Bools broadcast; for the bits of
    /// integers see [`bitwise_xor`](crate::ops::bitwise_xor()).
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

    /// Returns true where an element is NaN: [`is_nan()`] by NumPy's name, for more dtypes. Integers
    /// and bools are never NaN; a complex number is if either part is.
    ///
    /// # Errors
    /// As [`is_nan()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, f32::NAN].isnan()?.as_slice::<bool>()?, &[false, true]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Isnan = "Extype>Isnan" {
        outputs: { y: {Bool} },
        types: { T: DTypeSet::NUMERIC.or(DTypeSet::BOOL) },
        call: method isnan,
        body: |x| ask(x, |x| is_nan(x), false),
    }

    /// Returns true where an element is infinite: [`is_inf()`] by NumPy's name, for the dtypes of
    /// [`isnan()`].
    ///
    /// # Errors
    /// As [`is_inf()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, f32::INFINITY].isinf()?.as_slice::<bool>()?, &[false, true]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Isinf = "Extype>Isinf" {
        outputs: { y: {Bool} },
        types: { T: DTypeSet::NUMERIC.or(DTypeSet::BOOL) },
        call: method isinf,
        body: |x| ask(x, |x| is_inf(x), false),
    }

    /// Returns true where an element is neither infinite nor NaN: [`is_finite()`] by NumPy's name, for
    /// the dtypes of [`isnan()`].
    ///
    /// # Errors
    /// As [`is_finite()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, f32::NAN].isfinite()?.as_slice::<bool>()?, &[true, false]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Isfinite = "Extype>Isfinite" {
        outputs: { y: {Bool} },
        types: { T: DTypeSet::NUMERIC.or(DTypeSet::BOOL) },
        call: method isfinite,
        body: |x| ask(x, |x| is_finite(x), true),
    }
}

compounds! {
    /// Methods: elements and tensors that are equal or close.
    methods of ClosenessMethods;

    /// Returns true where two numbers are close: `|x - y| <= atol + rtol · |y|`, or equal infinities.
    ///
    /// NumPy: `isclose`. Numbers of one dtype broadcast. Options: `ops::Rtol` (1e-5), `ops::Atol` (1e-8), `ops::EqualNan`.
    ///
    /// # Errors
    /// `InvalidArgument` for dtypes that differ, and shapes that don't broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![1.0f64, 2.0];
    /// assert_eq!(x.isclose([1.0 + 1e-9, 2.1], ..)?.as_slice::<bool>()?, &[true, false]);
    /// assert!(x.isclose([1.0, 2.1], ops::Rtol(0.1))?.all(..)?.item::<bool>()?);
    /// # Ok::<(), Error>(())
    /// ```
    fn isclose(x, y => options: impl Sets<Closeness> as Closeness) -> Tensor {
        close(x, y, options)
    }

    /// Returns whether all numbers are close, as a bool scalar.
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

    /// Returns whether the shapes and all elements are equal, as a bool scalar.
    ///
    /// NumPy: `array_equal`; PyTorch: `equal`. Numbers of two dtypes are compared as in NumPy; strings are never equal to
    /// numbers. Shapes that are unknown while tracing count as equal if the broadcast elements are
    /// equal. [`array_equal_with`] takes options.
    ///
    /// # Errors
    /// `InvalidArgument` for dtypes whose elements can't be compared.
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

    /// Compares as [`array_equal()`] does, with an option: `ops::EqualNan`.
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
    /// assert!(x.array_equal_with(&x, ops::EqualNan)?.item::<bool>()?);
    /// # Ok::<(), Error>(())
    /// ```
    fn array_equal_with(x, y => options: impl Sets<Equality> as Equality) -> Tensor {
        if !x.shape().is_compatible_with(&y.shape()) {
            return no(x, y);
        }
        all_equal(x, y, options)
    }

    /// Returns whether the shapes broadcast and all elements are equal after broadcasting, as a bool
    /// scalar.
    ///
    /// NumPy: `array_equiv`. Dtypes as for [`array_equal`].
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
            return no(x, y);
        }
        all_equal(x, y, Equality::default())
    }
}

//! The parts of complex numbers, composed of other ops.

use extype_kernels::Par;
use extype_kernels::elementwise::map;
use num_complex::{Complex32, Complex64};

use crate::compounds;
use crate::define_op;
use crate::ir::{InferContext, KernelContext, Outputs, Types};
use crate::ops::methods::*;
use crate::ops::protocol::number::agree;
use crate::ops::protocol::{FunctionOf, Op};
use crate::ops::rules::batch::elementwise;
use crate::ops::rules::gradient::first;
use crate::ops::rules::infer::one;
use crate::ops::{AbsFn, add, as_float, logical_and, mul, select, stack, sub};
use crate::tensor::{Tensor, execute_one};
use crate::types::{DType, DTypeSet, Result, bail};

/// Returns `exact` with the gradients of `y`. The two are equal except for signs of zeros, and NaN
/// where a part is infinite. No gradient passes where `is_finite` is false.
fn with_gradient_of(y: &Tensor, exact: &Tensor, is_finite: Tensor) -> Result<Tensor> {
    // Subtracting zero keeps the sign of a zero.
    let moved = sub(exact, sub(y.stop_gradient()?, y)?)?;
    select(is_finite, moved, exact)
}

fn infer_part(c: &InferContext<'_>) -> Result<Types> {
    let dtype = c.get(ImaginaryPart::TOUT)?;
    match c.input(0).dtype.real_part() == dtype {
        true => one(dtype, c.shape(0).clone()),
        false => bail!("{} has no parts of {dtype}", c.input(0).dtype),
    }
}

fn imaginary(c: &KernelContext<'_>) -> Result<Outputs> {
    let z = c.input(0);
    let y = match z.dtype() {
        DType::Complex64 => {
            let z = z.as_slice::<Complex32>()?;
            c.output(c.input(0).dims(), |out| {
                map(z, out, Par::Pool, |z| z.im);
                Ok(())
            })
        }
        _ => {
            let z = z.as_slice::<Complex64>()?;
            c.output(c.input(0).dims(), |out| {
                map(z, out, Par::Pool, |z| z.im);
                Ok(())
            })
        }
    };
    Ok([y?].into())
}

/// The unit `i` in a complex dtype, times a sign.
fn unit(dtype: DType, sign: f64) -> Result<Tensor> {
    Tensor::scalar(num_complex::Complex64::new(0.0, sign)).cast(dtype)
}

define_op! {
    /// Methods: parts of complex numbers.
    methods of ComplexMethods;

    /// Returns true where the imaginary part is zero; always true for real numbers.
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

    /// Returns true where the imaginary part is not zero; never true for real numbers.
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

    /// Returns the real part of every element; real numbers are unchanged.
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
    pub unary Real = "Real" {
        outputs: { y: U },
        types: { T: DTypeSet::NUMERIC.or(DTypeSet::BOOL), U: DTypeSet::REAL.or(DTypeSet::BOOL) },
        call: method real,
        body: |x| if x.dtype().is_complex() { x.cast(x.dtype().real_part()) } else { Ok(x.clone()) },
    }

    /// Returns the imaginary part of every element; zero for real numbers.
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
    pub unary Imag = "Imag" {
        outputs: { y: U },
        types: { T: DTypeSet::NUMERIC.or(DTypeSet::BOOL), U: DTypeSet::REAL.or(DTypeSet::BOOL) },
        call: method imag,
        body: |x| {
            if !x.dtype().is_complex() {
                return x.zeros_like();
            }
            ImaginaryPart { tout: x.dtype().real_part() }.run(&[x])
        },
    }

    /// Returns the angle of every element in radians, from -π to π; for real numbers zero or π.
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
    pub unary Angle = "Angle" {
        outputs: { y: U },
        types: { T: DTypeSet::NUMERIC, U: DTypeSet::FLOAT },
        call: method angle,
        finite_at: (1.0),
        body: |x| {
            let x = as_float(x)?;
            x.imag()?.atan2(x.real()?)
        },
    }

    /// Returns the complex conjugate of every element; real numbers are unchanged.
    ///
    /// NumPy: `conjugate`. Numbers of any dtype.
    ///
    /// # Errors
    /// `InvalidArgument` for other dtypes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![2.0f32].conjugate()?.as_slice::<f32>()?, &[2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Conjugate = "Extype>Conjugate" {
        types: { T: DTypeSet::NUMERIC.or(DTypeSet::BOOL) },
        call: method conjugate,
        body: crate::ops::rules::gradient::conjugate,
    }

    /// Makes complex numbers of `Tout` from their real and imaginary parts, as `complex` does.
    ///
    /// TensorFlow: `Complex`.
    pub op MakeComplex = "Complex" {
        inputs: { real: T, imag: T }, outputs: { out: Tout },
        types: { T: DTypeSet::of(&[DType::F32, DType::F64]) },
        attrs: { tout as "Tout": DType = DType::Complex64 },
        body: |op, real, imag| {
            if !op.tout.is_complex() {
                bail!("`Tout` is complex64 or complex128, not {}", op.tout);
            }
            of_precision(real, op.tout.real_part())?;
            complex(real, imag)
        },
    }

    /// The imaginary parts of complex numbers, of dtype `Tout`.
    pub op ImaginaryPart = "Extype>ImaginaryPart" {
        inputs: { x: T }, outputs: { y: Tout },
        types: { T: DTypeSet::COMPLEX }, attrs: { tout as "Tout": DType = DType::F32 },
        dispatch: none,
        infer: infer_part, kernel: imaginary,
        gradient: |g| {
            let dtype = g.x(0).dtype();
            Ok(first(g, mul(g.dy()?.cast(dtype)?, unit(dtype, 1.0)?)?))
        },
        batch: elementwise,
    }

    /// The absolute values of complex numbers, as `abs` gives them, of dtype `Tout`.
    ///
    /// TensorFlow: `ComplexAbs`.
    pub op ComplexAbs = "ComplexAbs" {
        inputs: { x: T }, outputs: { y: Tout },
        types: { T: DTypeSet::COMPLEX }, attrs: { tout as "Tout": DType = DType::F32 },
        body: |op, x| {
            of_precision(x, op.tout)?;
            x.abs()
        },
    }
}

/// Refuses numbers that have not parts of this dtype.
fn of_precision(x: &Tensor, part: DType) -> Result<()> {
    match x.dtype().real_part() == part {
        true => Ok(()),
        false => bail!("{} does not go with `Tout`, whose parts are {part}", x.dtype()),
    }
}

compounds! {
    /// Makes complex numbers from their real and imaginary parts.
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
    fn complex(real, imag) -> Tensor {
        let (real, imag) = agree(real, imag)?;
        let dtype = match (real.dtype(), imag.dtype()) {
            (DType::F32, DType::F32) => DType::Complex64,
            (DType::F64, DType::F64) => DType::Complex128,
            (a, b) => bail!("parts of {a} and {b}; both are float32, or both float64"),
        };
        let sum = add(real.cast(dtype)?, mul(imag.cast(dtype)?, unit(dtype, 1.0)?)?)?;
        // Subtracting zeros broadcasts both parts to one shape; adding zeros would lose the sign of a
        // zero.
        let (re, im) = (sub(&real, imag.zeros_like()?)?, sub(&imag, real.zeros_like()?)?);
        let joined = stack(&[re, im], -1)?.bitcast(dtype)?.stop_gradient()?;
        with_gradient_of(&sum, &joined, logical_and(real.is_finite()?, imag.is_finite()?)?)
    }
}

/// [`Abs`] for tensors, which also gives the size of complex numbers.
pub(super) fn absolute(function: &AbsFn, operands: &[&Tensor]) -> Result<Tensor> {
    match operands {
        [c] if c.dtype().is_complex() => c.real()?.hypot(c.imag()?),
        _ => execute_one(function.def(), function.attrs(), operands),
    }
}

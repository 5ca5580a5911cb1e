//! Unary elementwise ops.

use extype_kernels::table::unary as u;

use super::gradient::*;
use super::kernel;
use crate::ops::methods::*;
use crate::ops::rules::gradient::conjugate;
use crate::ops::rules::infer::*;
use crate::types::{DType, DTypeSet};
use crate::{define_op, ops};

define_op! {
    /// Methods: unary elementwise ops.
    methods of UnaryMethods;

    /// Negates every element; integers wrap.
    ///
    /// TensorFlow: `Neg`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::neg(&tensor![1.0f32, -2.0])?.as_slice::<f32>()?, &[-1.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Neg = "Neg" {
        types: { T: DTypeSet::NUMERIC },
        call: neg,
        kernel: Map(&u::NEG),
        gradient: |g, dy| ops::neg(dy)?,
    }

    /// The absolute value of every element; the smallest signed integer is unchanged. Complex numbers
    /// give their size, which is real.
    ///
    /// NumPy: `abs`, `absolute`; TensorFlow: `tf.abs`, `Abs`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![-1.5f32, 2.0].abs()?.as_slice::<f32>()?, &[1.5, 2.0]);
    /// assert_eq!(ops::complex(3.0, 4.0)?.abs()?.item::<f64>()?, 5.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Abs = "Abs" {
        types: { T: DTypeSet::SIGNED.or(DTypeSet::FLOAT) },
        call: method abs,
        tensors: super::complex_parts::absolute,
        kernel: Map(&u::ABS),
        gradient: |g, dy| ops::mul(dy, &g.x(0).sign()?)?,
    }

    /// The sign of every element: -1, 0 or 1; NaN stays NaN. A complex number is divided by its norm.
    ///
    /// TensorFlow: `Sign`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![-3, 0, 5].sign()?.as_slice::<i32>()?, &[-1, 0, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Sign = "Sign" {
        types: { T: DTypeSet::NUMERIC },
        call: method sign,
        kernel: Choose(kernel::sign),
        gradient: |g, dy| dy.zeros_like()?,
    }

    /// The square of every element; integers wrap.
    ///
    /// TensorFlow: `Square`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![-3, 4].square()?.as_slice::<i32>()?, &[9, 16]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Square = "Square" {
        types: { T: DTypeSet::NUMERIC },
        call: method square,
        kernel: Map(&u::SQUARE),
        gradient: |g, dy| ops::mul(dy, &ops::mul(&conjugate(g.x(0))?, 2.0)?)?,
    }

    /// The square root of every element; NaN below zero.
    ///
    /// TensorFlow: `Sqrt`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![4.0f32, 9.0].sqrt()?.as_slice::<f32>()?, &[2.0, 3.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Sqrt = "Sqrt" {
        types: { T: DTypeSet::INEXACT },
        call: method sqrt,
        kernel: Map(&u::SQRT),
        finite_at: (1.0),
        // A zero cotangent gives a zero gradient even where the root is 0 or NaN. `mul_no_nan` is
        // linear in `dy`; `xdivy` is not, at zero.
        gradient: |g, dy| ops::mul_no_nan(&ops::div(0.5, &conjugate(g.y())?)?, dy)?,
    }

    /// The reciprocal of the square root of every element.
    ///
    /// TensorFlow: `Rsqrt`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![4.0f64, 0.25].rsqrt()?.as_slice::<f64>()?, &[0.5, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Rsqrt = "Rsqrt" {
        types: { T: DTypeSet::INEXACT },
        call: method rsqrt,
        kernel: Map(&u::RSQRT),
        finite_at: (1.0),
        gradient: |g, dy| {
            let y = conjugate(g.y())?;
            ops::mul_no_nan(&ops::mul(&ops::mul(&y.square()?, &y)?, -0.5)?, dy)?
        },
    }

    /// e to the power of every element.
    ///
    /// TensorFlow: `Exp`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![0.0f32, f32::NEG_INFINITY].exp()?.as_slice::<f32>()?, &[1.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Exp = "Exp" {
        types: { T: DTypeSet::INEXACT },
        call: method exp,
        kernel: Map(&u::EXP),
        gradient: |g, dy| ops::mul(dy, &conjugate(g.y())?)?,
    }

    /// Computes `exp(x) - 1`, exact near zero.
    ///
    /// TensorFlow: `Expm1`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![0.0f32, 1e-10].expm1()?.as_slice::<f32>()?, &[0.0, 1e-10]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Expm1 = "Expm1" {
        types: { T: DTypeSet::INEXACT },
        call: method expm1,
        kernel: Map(&u::EXPM1),
        gradient: |g, dy| ops::mul(dy, &conjugate(g.x(0))?.exp()?)?,
    }

    /// The natural logarithm of every element; NaN below zero.
    ///
    /// TensorFlow: `Log`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, 0.0].log()?.as_slice::<f32>()?, &[0.0, f32::NEG_INFINITY]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Log = "Log" {
        types: { T: DTypeSet::INEXACT },
        call: method log,
        kernel: Map(&u::LOG),
        finite_at: (1.0),
        gradient: |g, dy| ops::mul(dy, &conjugate(g.x(0))?.reciprocal()?)?,
    }

    /// Computes `log(1 + x)`, exact near zero.
    ///
    /// TensorFlow: `Log1p`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![0.0f32, 1e-10].log1p()?.as_slice::<f32>()?, &[0.0, 1e-10]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Log1p = "Log1p" {
        types: { T: DTypeSet::INEXACT },
        call: method log1p,
        kernel: Map(&u::LOG1P),
        finite_at: (1.0),
        gradient: |g, dy| ops::mul(dy, &ops::add(&conjugate(g.x(0))?, 1.0)?.reciprocal()?)?,
    }

    /// The sine of every element, an angle in radians.
    ///
    /// TensorFlow: `Sin`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = scalar(std::f64::consts::FRAC_PI_2).sin()?;
    /// assert_eq!(y.item::<f64>()?, 1.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Sin = "Sin" {
        types: { T: DTypeSet::INEXACT },
        call: method sin,
        kernel: Map(&u::SIN),
        gradient: |g, dy| ops::mul(dy, &conjugate(g.x(0))?.cos()?)?,
    }

    /// The cosine of every element, an angle in radians.
    ///
    /// TensorFlow: `Cos`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![0.0f64, std::f64::consts::PI].cos()?;
    /// assert_eq!(y.as_slice::<f64>()?, &[1.0, -1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Cos = "Cos" {
        types: { T: DTypeSet::INEXACT },
        call: method cos,
        kernel: Map(&u::COS),
        gradient: |g, dy| ops::neg(&ops::mul(dy, &conjugate(g.x(0))?.sin()?)?)?,
    }

    /// The tangent of every element, an angle in radians.
    ///
    /// TensorFlow: `Tan`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = scalar(std::f64::consts::FRAC_PI_4).tan()?;
    /// assert!((y.item::<f64>()? - 1.0).abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Tan = "Tan" {
        types: { T: DTypeSet::INEXACT },
        call: method tan,
        kernel: Map(&u::TAN),
        gradient: |g, dy| ops::mul(dy, &conjugate(g.x(0))?.cos()?.reciprocal()?.square()?)?,
    }

    /// The arc sine of every element, in radians.
    ///
    /// TensorFlow: `Asin`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = scalar(1.0f64).asin()?;
    /// assert!((y.item::<f64>()? - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Asin = "Asin" {
        types: { T: DTypeSet::INEXACT },
        call: method asin,
        kernel: Map(&u::ASIN),
        finite_at: (0.0),
        gradient: |g, dy| {
            let x2 = conjugate(g.x(0))?.square()?;
            ops::mul(dy, &ops::sub(1.0, &x2)?.sqrt()?.reciprocal()?)?
        },
    }

    /// The arc cosine of every element, in radians.
    ///
    /// TensorFlow: `Acos`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = scalar(0.0f64).acos()?;
    /// assert!((y.item::<f64>()? - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Acos = "Acos" {
        types: { T: DTypeSet::INEXACT },
        call: method acos,
        kernel: Map(&u::ACOS),
        finite_at: (0.0),
        gradient: |g, dy| {
            let x2 = conjugate(g.x(0))?.square()?;
            ops::neg(&ops::mul(dy, &ops::sub(1.0, &x2)?.sqrt()?.reciprocal()?)?)?
        },
    }

    /// The arc tangent of every element, in radians.
    ///
    /// TensorFlow: `Atan`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = scalar(1.0f64).atan()?;
    /// assert!((y.item::<f64>()? - std::f64::consts::FRAC_PI_4).abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Atan = "Atan" {
        types: { T: DTypeSet::INEXACT },
        call: method atan,
        kernel: Map(&u::ATAN),
        gradient: |g, dy| {
            let x2 = conjugate(g.x(0))?.square()?;
            ops::mul(dy, &ops::add(&x2, 1.0)?.reciprocal()?)?
        },
    }

    /// The hyperbolic sine of every element.
    ///
    /// TensorFlow: `Sinh`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![0.0f32, f32::INFINITY].sinh()?;
    /// assert_eq!(y.as_slice::<f32>()?, &[0.0, f32::INFINITY]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Sinh = "Sinh" {
        types: { T: DTypeSet::INEXACT },
        call: method sinh,
        kernel: Map(&u::SINH),
        gradient: |g, dy| ops::mul(dy, &conjugate(g.x(0))?.cosh()?)?,
    }

    /// The hyperbolic cosine of every element.
    ///
    /// TensorFlow: `Cosh`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![0.0f32, f32::INFINITY].cosh()?;
    /// assert_eq!(y.as_slice::<f32>()?, &[1.0, f32::INFINITY]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Cosh = "Cosh" {
        types: { T: DTypeSet::INEXACT },
        call: method cosh,
        kernel: Map(&u::COSH),
        gradient: |g, dy| ops::mul(dy, &conjugate(g.x(0))?.sinh()?)?,
    }

    /// The hyperbolic tangent of every element.
    ///
    /// TensorFlow: `Tanh`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![0.0f32, 100.0, -100.0].tanh()?.as_slice::<f32>()?, &[0.0, 1.0, -1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Tanh = "Tanh" {
        types: { T: DTypeSet::INEXACT },
        call: method tanh,
        kernel: Map(&u::TANH),
        gradient: |g, dy| ops::mul(dy, &ops::sub(1.0, &conjugate(g.y())?.square()?)?)?,
    }

    /// The inverse hyperbolic sine of every element.
    ///
    /// TensorFlow: `Asinh`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = scalar(1.0f64).asinh()?;
    /// assert!((y.item::<f64>()? - 0.881_373_59).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Asinh = "Asinh" {
        types: { T: DTypeSet::INEXACT },
        call: method asinh,
        kernel: Map(&u::ASINH),
        gradient: |g, dy| ops::div(dy, &conjugate(g.y())?.cosh()?)?,
    }

    /// The inverse hyperbolic cosine of every element; NaN below one.
    ///
    /// TensorFlow: `Acosh`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = scalar(2.0f64).acosh()?;
    /// assert!((y.item::<f64>()? - 1.316_957_90).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Acosh = "Acosh" {
        types: { T: DTypeSet::INEXACT },
        call: method acosh,
        kernel: Map(&u::ACOSH),
        finite_at: (2.0),
        gradient: |g, dy| ops::div(dy, &conjugate(g.y())?.sinh()?)?,
    }

    /// The inverse hyperbolic tangent of every element.
    ///
    /// TensorFlow: `Atanh`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = scalar(0.5f64).atanh()?;
    /// assert!((y.item::<f64>()? - 0.549_306_14).abs() < 1e-8);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Atanh = "Atanh" {
        types: { T: DTypeSet::INEXACT },
        call: method atanh,
        kernel: Map(&u::ATANH),
        finite_at: (0.0),
        gradient: |g, dy| {
            let x2 = conjugate(g.x(0))?.square()?;
            ops::mul(dy, &ops::sub(1.0, &x2)?.reciprocal()?)?
        },
    }

    /// Computes the logistic function, `1 / (1 + exp(-x))`.
    ///
    /// SciPy: `expit`; TensorFlow: `Sigmoid`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![0.0f32, 100.0, -1000.0].sigmoid()?.as_slice::<f32>()?, &[0.5, 1.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Sigmoid = "Sigmoid" {
        types: { T: DTypeSet::INEXACT },
        call: method sigmoid,
        kernel: Map(&u::SIGMOID),
        gradient: |g, dy| {
            let y = conjugate(g.y())?;
            ops::mul(dy, &ops::mul(&y, &ops::sub(1.0, &y)?)?)?
        },
    }

    /// Computes `log(1 + exp(x))`.
    ///
    /// TensorFlow: `Softplus`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![-1000.0f32, 100.0].softplus()?.as_slice::<f32>()?, &[0.0, 100.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Softplus = "Softplus" {
        outputs: { activations: T },
        types: { T: DTypeSet::FLOAT },
        call: method softplus,
        kernel: Map(&u::SOFTPLUS),
        gradient: |g, dy| ops::mul(dy, &g.x(0).sigmoid()?)?,
    }

    /// Computes `x / (1 + |x|)`.
    ///
    /// TensorFlow: `Softsign`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![-1.0f32, 0.0, 3.0].softsign()?.as_slice::<f32>()?, &[-0.5, 0.0, 0.75]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Softsign = "Softsign" {
        outputs: { activations: T },
        types: { T: DTypeSet::FLOAT },
        call: method softsign,
        kernel: Map(&u::SOFTSIGN),
        gradient: |g, dy| ops::div(dy, &ops::add(&g.x(0).abs()?, 1.0)?.square()?)?,
    }

    /// Computes `max(x, 0)`: negative elements become zero.
    ///
    /// TensorFlow: `Relu`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![-1.0f32, 2.0].relu()?.as_slice::<f32>()?, &[0.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Relu = "Relu" {
        outputs: { activations: T },
        types: { T: DTypeSet::REAL },
        call: method relu,
        kernel: Map(&u::RELU),
        gradient: |g, dy| ops::select(&g.y().greater(0.0)?, dy, 0)?,
    }

    /// Computes `min(max(x, 0), 6)`: clips every element to the range from 0 to 6.
    ///
    /// TensorFlow: `Relu6`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![-1.0f32, 2.0, 8.0].relu6()?.as_slice::<f32>()?, &[0.0, 2.0, 6.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Relu6 = "Relu6" {
        outputs: { activations: T },
        types: { T: DTypeSet::REAL },
        call: method relu6,
        kernel: Map(&u::RELU6),
        gradient: |g, dy| {
            let inside = ops::logical_and(&g.y().greater(0.0)?, &g.y().less(6.0)?)?;
            ops::select(&inside, dy, 0)?
        },
    }

    /// Keeps elements above zero, and computes `exp(x) - 1` below.
    ///
    /// TensorFlow: `Elu`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![-100.0f32, 2.0].elu()?.as_slice::<f32>()?, &[-1.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Elu = "Elu" {
        outputs: { activations: T },
        types: { T: DTypeSet::FLOAT },
        call: method elu,
        kernel: Map(&u::ELU),
        gradient: |g, dy| {
            let below = ops::mul(dy, &ops::add(g.y(), 1.0)?)?;
            ops::select(&g.y().less(0.0)?, &below, dy)?
        },
    }

    /// The scaled exponential linear unit (Klambauer et al., 2017).
    ///
    /// TensorFlow: `Selu`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = scalar(1.0f32).selu()?;
    /// assert!((y.item::<f32>()? - 1.050_701).abs() < 1e-6);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Selu = "Selu" {
        outputs: { activations: T },
        types: { T: DTypeSet::FLOAT },
        call: method selu,
        kernel: Map(&u::SELU),
        gradient: |g, dy| {
            let below = ops::mul(dy, &ops::add(g.y(), SELU_SCALE_ALPHA)?)?;
            ops::select(&g.y().less(0.0)?, &below, &ops::mul(dy, SELU_SCALE)?)?
        },
    }

    /// The Gauss error function of every element.
    ///
    /// TensorFlow: `Erf`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![0.0f32, 10.0, -10.0].erf()?.as_slice::<f32>()?, &[0.0, 1.0, -1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Erf = "Erf" {
        types: { T: DTypeSet::FLOAT },
        call: method erf,
        kernel: Choose(kernel::erf),
        gradient: |g, dy| ops::mul(dy, &gauss(g.x(0), TWO_OVER_ROOT_PI)?)?,
    }

    /// One minus the Gauss error function of every element.
    ///
    /// TensorFlow: `Erfc`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![0.0f32, 100.0, -10.0].erfc()?.as_slice::<f32>()?, &[1.0, 0.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Erfc = "Erfc" {
        types: { T: DTypeSet::FLOAT },
        call: method erfc,
        kernel: Map(&u::ERFC),
        gradient: |g, dy| ops::mul(dy, &gauss(g.x(0), -TWO_OVER_ROOT_PI)?)?,
    }

    /// Rounds every element down to an integer.
    ///
    /// TensorFlow: `Floor`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.7f32, -1.2].floor()?.as_slice::<f32>()?, &[1.0, -2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Floor = "Floor" {
        types: { T: DTypeSet::REAL },
        call: method floor,
        kernel: Map(&u::FLOOR),
        gradient: none,
    }

    /// Rounds every element up to an integer.
    ///
    /// TensorFlow: `Ceil`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.2f32, -1.7].ceil()?.as_slice::<f32>()?, &[2.0, -1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Ceil = "Ceil" {
        types: { T: DTypeSet::REAL },
        call: method ceil,
        kernel: Map(&u::CEIL),
        gradient: none,
    }

    /// Truncates every element towards zero.
    ///
    /// TensorFlow: `tf.experimental.numpy.fix`, which has no op of its own. Input of any shape; the
    /// result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.9f32, -1.9].trunc()?.as_slice::<f32>()?, &[1.0, -1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Trunc = "Extype>Trunc" {
        types: { T: DTypeSet::REAL },
        call: method trunc,
        kernel: Map(&u::TRUNC),
        gradient: none,
    }

    /// Rounds every element to the nearest integer, halves to even; integers are unchanged.
    /// (TensorFlow's `Round` does the same for floats, but returns zero for integers.)
    ///
    /// TensorFlow: `Rint`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![0.5f32, 1.5, -1.2].round()?.as_slice::<f32>()?, &[0.0, 2.0, -1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Rint = "Rint" {
        types: { T: DTypeSet::FLOAT },
        call: method round,
        tensors: super::rounding::rounded,
        kernel: Map(&u::RINT),
        gradient: none,
    }

    /// The reciprocal of every element, `1 / x`.
    ///
    /// TensorFlow: `Reciprocal`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![4.0f32, -0.5].reciprocal()?.as_slice::<f32>()?, &[0.25, -2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Reciprocal = "Reciprocal" {
        types: { T: DTypeSet::NUMERIC },
        call: method reciprocal,
        kernel: Choose(kernel::reciprocal),
        finite_at: (1.0),
        gradient: |g, dy| ops::mul_no_nan(&ops::neg(&conjugate(g.y())?.square()?)?, dy)?,
    }

    /// Returns true where an element is NaN.
    ///
    /// TensorFlow: `IsNan`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, f32::NAN].is_nan()?.as_slice::<bool>()?, &[false, true]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary IsNan = "IsNan" {
        outputs: { y: {Bool} },
        types: { T: DTypeSet::FLOAT },
        call: method is_nan,
        infer: same_shape_bool, kernel: MapToBool(&u::IS_NAN),
        gradient: none,
    }

    /// Returns true where an element is infinite.
    ///
    /// TensorFlow: `IsInf`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, f32::INFINITY].is_inf()?.as_slice::<bool>()?, &[false, true]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary IsInf = "IsInf" {
        outputs: { y: {Bool} },
        types: { T: DTypeSet::FLOAT },
        call: method is_inf,
        infer: same_shape_bool, kernel: MapToBool(&u::IS_INF),
        gradient: none,
    }

    /// Returns true where an element is neither infinite nor NaN.
    ///
    /// TensorFlow: `IsFinite`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, f32::NAN].is_finite()?.as_slice::<bool>()?, &[true, false]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary IsFinite = "IsFinite" {
        outputs: { y: {Bool} },
        types: { T: DTypeSet::FLOAT },
        call: method is_finite,
        infer: same_shape_bool, kernel: MapToBool(&u::IS_FINITE),
        gradient: none,
    }

    /// Flips every bit of every element.
    ///
    /// NumPy: `invert`, `bitwise_invert`; TensorFlow: `Invert`. Input of any shape; the result has
    /// the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![0, 5].invert()?.as_slice::<i32>()?, &[-1, -6]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Invert = "Invert" {
        types: { T: DTypeSet::INTEGER },
        call: method invert,
        kernel: Map(&u::INVERT),
        gradient: none,
    }

    /// Counts the bits that are set in every element, as uint8.
    ///
    /// NumPy: `bitwise_count` of numbers that are not negative; TensorFlow: `PopulationCount`.
    /// Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![7, 8, -1].population_count()?.as_slice::<u8>()?, &[3, 1, 32]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary PopulationCount = "PopulationCount" {
        outputs: { y: {U8} },
        types: { T: DTypeSet::INTEGER },
        call: method population_count,
        infer: same_shape_u8, kernel: MapToU8(&u::POPULATION_COUNT),
        gradient: none,
    }

    /// Returns true where an element is false.
    ///
    /// TensorFlow: `LogicalNot`. Bools of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![true, false].logical_not()?.as_slice::<bool>()?, &[false, true]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary LogicalNot = "LogicalNot" {
        inputs: { x: {Bool} }, outputs: { y: {Bool} },
        call: method logical_not,
        kernel: Map(&u::LOGICAL_NOT),
        gradient: none,
    }

    /// Keeps elements above zero, and multiplies those below by `alpha`.
    ///
    /// TensorFlow: `LeakyRelu`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![-4.0f32, 2.0].leaky_relu(0.25)?.as_slice::<f32>()?, &[-1.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary LeakyRelu = "LeakyRelu" {
        inputs: { features: T }, outputs: { activations: T },
        types: { T: DTypeSet::FLOAT }, attrs: { alpha: f32 = 0.2 },
        call: method leaky_relu(x; alpha),
        kernel: SelfChecked(kernel::leaky_relu),
        gradient: |g, dy| {
            let alpha = f64::from(g.get(LeakyReluFn::ALPHA)?);
            ops::select(&g.x(0).greater(0.0)?, dy, &ops::mul(dy, alpha)?)?
        },
    }

    /// Makes zeros of the shape and dtype of a tensor: also empty strings, false, and lists of zeros.
    ///
    /// TensorFlow: `ZerosLike`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.5f32, 2.0].zeros_like()?.as_slice::<f32>()?, &[0.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary ZerosLike = "ZerosLike" {
        types: { T: DTypeSet::DATA.or(DTypeSet::of(&[DType::Variant])) },
        call: method zeros_like,
        kernel: SelfChecked(kernel::zeros_like),
        gradient: none,
    }

    /// Makes ones of the shape and dtype of a tensor; bools become true.
    ///
    /// TensorFlow: `OnesLike`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![5, 7].ones_like()?.as_slice::<i32>()?, &[1, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary OnesLike = "OnesLike" {
        types: { T: DTypeSet::NUMERIC.or(DTypeSet::BOOL) },
        call: method ones_like,
        kernel: SelfChecked(kernel::ones_like),
        gradient: none,
    }

    /// Returns the same tensor; gradients pass.
    ///
    /// TensorFlow: `Identity`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 2].identity()?.as_slice::<i32>()?, &[1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Identity = "Identity" {
        inputs: { input: T }, outputs: { output: T },
        types: { T: DTypeSet::ANY },
        call: method identity,
        kernel: Pass,
        gradient: |g, dy| dy.clone(),
    }

    /// Returns the same tensor; gradients don't pass.
    ///
    /// TensorFlow: `StopGradient`; PyTorch: `x.detach`. Input of any shape; the result has the
    /// same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let slope = extype::grad(|x: &Tensor| ops::mul(x, x.stop_gradient()?))(&scalar(3.0f32))?;
    /// assert_eq!(slope.item::<f32>()?, 3.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub unary StopGradient = "StopGradient" {
        inputs: { input: T }, outputs: { output: T },
        types: { T: DTypeSet::ANY },
        call: method stop_gradient,
        kernel: Pass,
        gradient: none,
    }

    /// The complex conjugate of every element.
    ///
    /// TensorFlow: `Conj`. Input of any shape; the result has the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use num_complex::Complex32;
    /// let z = Tensor::scalar(Complex32::new(1.0, 2.0));
    /// assert_eq!(z.conj()?.item::<Complex32>()?, Complex32::new(1.0, -2.0));
    /// # Ok::<(), Error>(())
    /// ```
    pub unary Conj = "Conj" {
        inputs: { input: T }, outputs: { output: T },
        types: { T: DTypeSet::COMPLEX },
        call: method conj,
        kernel: Map(&u::CONJ),
        gradient: |g, dy| dy.conj()?,
    }
}

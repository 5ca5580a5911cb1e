//! Binary elementwise ops.

use std::cmp::Ordering;

use extype_kernels::table::binary as b;

use super::gradient::*;
use super::{batch, infer, kernel};
use crate::ir::Kernel;
use crate::ops::methods::*;
use crate::ops::rules::gradient::conjugate;
use crate::ops::rules::infer::*;
use crate::types::{DType, DTypeSet};
use crate::{define_op, ops};

define_op! {
    /// Methods: binary elementwise ops.
    methods of BinaryMethods;

    /// Adds two tensors element by element; integers wrap, strings are joined.
    ///
    /// TensorFlow: `AddV2`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::add(&tensor![1, 2], 10)?.as_slice::<i32>()?, &[11, 12]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Add = "AddV2" {
        types: { T: DTypeSet::NUMERIC.or(DTypeSet::STRING) },
        call: add,
        kernel: Choose(kernel::add),
        gradient: |g, x, y, dy| (dy.clone(), dy.clone()),
    }

    /// Subtracts `y` from `x`; integers wrap.
    ///
    /// TensorFlow: `Sub`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::sub(&tensor![1, 2], &tensor![5, 5])?.as_slice::<i32>()?, &[-4, -3]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Sub = "Sub" {
        types: { T: DTypeSet::NUMERIC },
        call: sub,
        kernel: Zip(&b::SUB),
        gradient: |g, x, y, dy| (dy.clone(), ops::neg(dy)?),
    }

    /// Multiplies two tensors element by element; integers wrap.
    ///
    /// TensorFlow: `Mul`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let table = ops::mul(&tensor![[1], [2]], &tensor![3, 4])?;
    /// assert_eq!(table.as_slice::<i32>()?, &[3, 4, 6, 8]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Mul = "Mul" {
        types: { T: DTypeSet::NUMERIC },
        call: mul,
        kernel: Zip(&b::MUL),
        gradient: |g, x, y, dy| (ops::mul(dy, &conjugate(y)?)?, ops::mul(&conjugate(x)?, dy)?),
    }

    /// Divides floats or complex numbers: `x / y`.
    ///
    /// TensorFlow: `RealDiv`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, 3.0].true_div(2.0)?.as_slice::<f32>()?, &[0.5, 1.5]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary TrueDiv = "RealDiv" {
        types: { T: DTypeSet::INEXACT },
        call: method true_div,
        kernel: Zip(&b::REAL_DIV),
        finite_at: (_, 1.0),
        gradient: |g, x, y, dy| {
            quotient(x, y, dy, |a, b| ops::div(a, b))?
        },
    }

    /// Divides `x` by `y` as Rust does: integers are truncated towards zero, and integer division by
    /// zero is an error.
    ///
    /// TensorFlow: `Div`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::div(&tensor![7, -7], 2)?.as_slice::<i32>()?, &[3, -3]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Div = "Div" {
        types: { T: DTypeSet::NUMERIC },
        call: div,
        kernel: Choose(kernel::div),
        finite_at: (_, 1.0),
        gradient: |g, x, y, dy| {
            quotient(x, y, dy, |a, b| ops::div(a, b))?
        },
    }

    /// Divides `x` by `y` and rounds down.
    ///
    /// TensorFlow: `FloorDiv`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![7, -7].floor_div(2)?.as_slice::<i32>()?, &[3, -4]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary FloorDiv = "FloorDiv" {
        types: { T: DTypeSet::REAL },
        call: method floor_div,
        kernel: Checked(1, kernel::divisor, &Kernel::Zip(&b::FLOOR_DIV)),
        finite_at: (_, 1.0),
        gradient: none,
    }

    /// Returns the remainder of floor division, which has the sign of `y`.
    ///
    /// NumPy: `mod`, `remainder`; TensorFlow: `FloorMod`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![7, -7].floor_mod(4)?.as_slice::<i32>()?, &[3, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary FloorMod = "FloorMod" {
        types: { T: DTypeSet::REAL },
        call: method floor_mod,
        kernel: Checked(1, kernel::divisor, &Kernel::Zip(&b::FLOOR_MOD)),
        finite_at: (_, 1.0),
        gradient: |g, x, y, dy| {
            (dy.clone(), ops::neg(&ops::mul(dy, &x.floor_div(y)?)?)?)
        },
    }

    /// Divides `x` by `y` and truncates towards zero.
    ///
    /// TensorFlow: `TruncateDiv`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![7, -7].truncate_div(2)?.as_slice::<i32>()?, &[3, -3]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary TruncateDiv = "TruncateDiv" {
        types: { T: DTypeSet::REAL },
        call: method truncate_div,
        kernel: Checked(1, kernel::divisor, &Kernel::Zip(&b::TRUNC_DIV)),
        finite_at: (_, 1.0),
        gradient: none,
    }

    /// Returns the remainder of division truncated towards zero, which has the sign of `x`.
    ///
    /// TensorFlow: `TruncateMod`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![7, -7].truncate_mod(4)?.as_slice::<i32>()?, &[3, -3]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary TruncateMod = "TruncateMod" {
        types: { T: DTypeSet::of(&[DType::I32, DType::I64]).or(DTypeSet::FLOAT) },
        call: method truncate_mod,
        kernel: Checked(1, kernel::divisor, &Kernel::Zip(&b::TRUNC_MOD)),
        finite_at: (_, 1.0),
        gradient: |g, x, y, dy| (dy.clone(), ops::neg(&ops::mul(dy, &x.truncate_div(y)?)?)?),
    }

    /// Returns the remainder of `x / y` as Rust's `%`, with the sign of `x`: the quotient is truncated
    /// towards zero. Integer division by zero is an error.
    ///
    /// TensorFlow: `Mod`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!((tensor![7, -7] % 4).as_slice::<i32>()?, &[3, -3]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Mod = "Mod" {
        types: { T: DTypeSet::REAL },
        call: rem,
        kernel: Checked(1, kernel::divisor, &Kernel::Zip(&b::TRUNC_MOD)),
        finite_at: (_, 1.0),
        gradient: |g, x, y, dy| (dy.clone(), ops::neg(&ops::mul(dy, &x.truncate_div(y)?)?)?),
    }

    /// Raises `x` to the power of `y`; integers wrap, and negative integer powers are an error.
    ///
    /// TensorFlow: `Pow`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![2, 3].pow(3)?.as_slice::<i32>()?, &[8, 27]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Pow = "Pow" {
        types: { T: DTypeSet::NUMERIC },
        call: method pow,
        kernel: Choose(kernel::pow),
        finite_at: (1.0, 1.0),
        gradient: |g, x, y, dy| {
            let (cx, cy) = (conjugate(x)?, conjugate(y)?);
            let gx = ops::mul(&ops::mul(dy, &cy)?, &cx.pow(&ops::sub(&cy, 1.0)?)?)?;
            // log(x) where it is defined; elsewhere the power is not smooth in `y`.
            let zero = cx.zeros_like()?;
            let defined = if x.dtype().is_complex() { x.not_equal(&zero)? } else { x.greater(0.0)? };
            let log = ops::select(&defined, &ops::select(&defined, &cx, &cx.ones_like()?)?.log()?, &zero)?;
            (gx, ops::mul(&ops::mul(dy, &conjugate(g.y())?)?, &log)?)
        },
    }

    /// Returns the larger of two elements; NaN if either is NaN.
    ///
    /// TensorFlow: `Maximum`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 5].maximum(&tensor![3, 4])?.as_slice::<i32>()?, &[3, 5]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Maximum = "Maximum" {
        types: { T: DTypeSet::REAL },
        call: method maximum,
        kernel: Zip(&b::MAXIMUM),
        gradient: |g, x, y, dy| {
            let left = x.greater_equal(y)?;
            (keep(&left, dy)?, keep(&left.logical_not()?, dy)?)
        },
    }

    /// Returns the smaller of two elements; NaN if either is NaN.
    ///
    /// TensorFlow: `Minimum`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 5].minimum(&tensor![3, 4])?.as_slice::<i32>()?, &[1, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Minimum = "Minimum" {
        types: { T: DTypeSet::REAL },
        call: method minimum,
        kernel: Zip(&b::MINIMUM),
        gradient: |g, x, y, dy| {
            let left = x.less_equal(y)?;
            (keep(&left, dy)?, keep(&left.logical_not()?, dy)?)
        },
    }

    /// Computes `(x - y)²`; for complex numbers the squared norm.
    ///
    /// TensorFlow: `SquaredDifference`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 5].squared_difference(&tensor![4, 4])?.as_slice::<i32>()?, &[9, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary SquaredDifference = "SquaredDifference" {
        types: { T: DTypeSet::NUMERIC },
        call: method squared_difference,
        kernel: Choose(kernel::squared_difference),
        gradient: |g, x, y, dy| {
            let gx = ops::mul(&ops::mul(dy, 2.0)?, &ops::sub(x, y)?)?;
            let gy = ops::neg(&gx)?;
            (gx, gy)
        },
    }

    /// Returns the angle in radians of the point with ordinate `x`, the first operand, and abscissa
    /// `y`.
    ///
    /// TensorFlow: `Atan2`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let angle = scalar(1.0f64).atan2(1.0)?;
    /// assert!((angle.item::<f64>()? - std::f64::consts::FRAC_PI_4).abs() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Atan2 = "Atan2" {
        types: { T: DTypeSet::FLOAT },
        call: method atan2,
        kernel: Zip(&b::ATAN2),
        finite_at: (_, 1.0),
        gradient: |g, x, y, dy| {
            let scaled = ops::div(dy, &ops::add(&x.square()?, &y.square()?)?)?;
            (ops::mul(y, &scaled)?, ops::neg(&ops::mul(x, &scaled)?)?)
        },
    }

    /// Computes `x * log(y)`, zero where `x` is zero.
    ///
    /// TensorFlow: `Xlogy`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![0.0f32, 2.0].xlogy(&tensor![0.0f32, 1.0])?;
    /// assert_eq!(y.as_slice::<f32>()?, &[0.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Xlogy = "Xlogy" {
        types: { T: DTypeSet::INEXACT },
        call: method xlogy,
        kernel: Zip(&b::XLOGY),
        finite_at: (_, 1.0),
        gradient: |g, x, y, dy| {
            let used = x.not_equal(&x.zeros_like()?)?.cast(x.dtype())?;
            (ops::mul(dy, &used.xlogy(y)?)?, ops::mul(dy, &x.xdivy(y)?)?)
        },
    }

    /// Computes `x * log(1 + y)`, zero where `x` is zero.
    ///
    /// TensorFlow: `Xlog1py`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![0.0f32, 2.0].xlog1py(&tensor![-1.0f32, 0.0])?;
    /// assert_eq!(y.as_slice::<f32>()?, &[0.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Xlog1py = "Xlog1py" {
        types: { T: DTypeSet::INEXACT },
        call: method xlog1py,
        kernel: Zip(&b::XLOG1PY),
        finite_at: (_, 1.0),
        gradient: |g, x, y, dy| {
            let used = x.not_equal(&x.zeros_like()?)?.cast(x.dtype())?;
            (ops::mul(dy, &used.xlog1py(y)?)?, ops::mul(dy, &x.xdivy(&ops::add(y, 1.0)?)?)?)
        },
    }

    /// Computes `x / y`, zero where `x` is zero.
    ///
    /// TensorFlow: `Xdivy`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![0.0f32, 1.0].xdivy(&tensor![0.0f32, 2.0])?;
    /// assert_eq!(y.as_slice::<f32>()?, &[0.0, 0.5]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Xdivy = "Xdivy" {
        types: { T: DTypeSet::INEXACT },
        call: method xdivy,
        kernel: Zip(&b::XDIVY),
        finite_at: (_, 1.0),
        gradient: |g, x, y, dy| {
            let used = x.not_equal(&x.zeros_like()?)?.cast(x.dtype())?;
            let gy = ops::mul(dy, &ops::neg(x)?.xdivy(&y.square()?)?)?;
            (ops::mul(dy, &used.xdivy(y)?)?, gy)
        },
    }

    /// Computes `x / y`, zero where `y` is zero.
    ///
    /// TensorFlow: `tf.math.divide_no_nan`, `DivNoNan`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![1.0f32, 1.0].div_no_nan(&tensor![0.0f32, 2.0])?;
    /// assert_eq!(y.as_slice::<f32>()?, &[0.0, 0.5]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary DivNoNan = "DivNoNan" {
        types: { T: DTypeSet::INEXACT },
        call: method div_no_nan,
        kernel: Zip(&b::DIV_NO_NAN),
        gradient: |g, x, y, dy| {
            quotient(x, y, dy, |a, b| ops::div_no_nan(a, b))?
        },
    }

    /// Computes `x * y`, zero where `y` is zero, even if `x` is NaN or infinite.
    ///
    /// TensorFlow: `tf.math.multiply_no_nan`, `MulNoNan`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![f32::NAN, 3.0];
    /// assert_eq!(x.mul_no_nan(&tensor![0.0f32, 2.0])?.as_slice::<f32>()?, &[0.0, 6.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary MulNoNan = "MulNoNan" {
        types: { T: DTypeSet::INEXACT },
        call: method mul_no_nan,
        kernel: Zip(&b::MUL_NO_NAN),
        gradient: |g, x, y, dy| (ops::mul_no_nan(dy, y)?, ops::mul_no_nan(x, dy)?),
    }

    /// Returns true where `x < y`.
    ///
    /// TensorFlow: `Less`, without strings; PyTorch: `lt`. Operands of one dtype broadcast. Strings compare byte by byte.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 2, 3].less(2)?.as_slice::<bool>()?, &[true, false, false]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Less = "Less" {
        outputs: { z: {Bool} },
        types: { T: DTypeSet::REAL.or(DTypeSet::STRING) },
        call: method less,
        infer: broadcast_bool,
        kernel: Choose(|dtype, _| kernel::ordered(dtype, &b::LESS, |c| kernel::strings_compared(c, Ordering::is_lt))),
        gradient: none,
    }

    /// Returns true where `x <= y`.
    ///
    /// TensorFlow: `LessEqual`; PyTorch: `le`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 2, 3].less_equal(2)?.as_slice::<bool>()?, &[true, true, false]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary LessEqual = "LessEqual" {
        outputs: { z: {Bool} },
        types: { T: DTypeSet::REAL.or(DTypeSet::STRING) },
        call: method less_equal,
        infer: broadcast_bool,
        kernel: Choose(|dtype, _| kernel::ordered(dtype, &b::LESS_EQUAL, |c| kernel::strings_compared(c, Ordering::is_le))),
        gradient: none,
    }

    /// Returns true where `x > y`.
    ///
    /// TensorFlow: `Greater`; PyTorch: `gt`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 2, 3].greater(2)?.as_slice::<bool>()?, &[false, false, true]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Greater = "Greater" {
        outputs: { z: {Bool} },
        types: { T: DTypeSet::REAL.or(DTypeSet::STRING) },
        call: method greater,
        infer: broadcast_bool,
        kernel: Choose(|dtype, _| kernel::ordered(dtype, &b::GREATER, |c| kernel::strings_compared(c, Ordering::is_gt))),
        gradient: none,
    }

    /// Returns true where `x >= y`.
    ///
    /// TensorFlow: `GreaterEqual`; PyTorch: `ge`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 2, 3].greater_equal(2)?.as_slice::<bool>()?, &[false, true, true]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary GreaterEqual = "GreaterEqual" {
        outputs: { z: {Bool} },
        types: { T: DTypeSet::REAL.or(DTypeSet::STRING) },
        call: method greater_equal,
        infer: broadcast_bool,
        kernel: Choose(|dtype, _| kernel::ordered(dtype, &b::GREATER_EQUAL, |c| kernel::strings_compared(c, Ordering::is_ge))),
        gradient: none,
    }

    /// Computes the bitwise and of two integers.
    ///
    /// TensorFlow: `BitwiseAnd`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![0b110, 0b011].bitwise_and(0b010)?.as_slice::<i32>()?, &[0b010, 0b010]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary BitwiseAnd = "BitwiseAnd" {
        types: { T: DTypeSet::INTEGER },
        call: method bitwise_and,
        kernel: Zip(&b::BITWISE_AND),
        gradient: none,
    }

    /// Computes the bitwise or of two integers.
    ///
    /// TensorFlow: `BitwiseOr`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![0b100, 0b001].bitwise_or(0b010)?.as_slice::<i32>()?, &[0b110, 0b011]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary BitwiseOr = "BitwiseOr" {
        types: { T: DTypeSet::INTEGER },
        call: method bitwise_or,
        kernel: Zip(&b::BITWISE_OR),
        gradient: none,
    }

    /// Computes the bitwise exclusive or of two integers.
    ///
    /// TensorFlow: `BitwiseXor`. Operands of one dtype broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![0b110, 0b011].bitwise_xor(0b010)?.as_slice::<i32>()?, &[0b100, 0b001]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary BitwiseXor = "BitwiseXor" {
        types: { T: DTypeSet::INTEGER },
        call: method bitwise_xor,
        kernel: Zip(&b::BITWISE_XOR),
        gradient: none,
    }

    /// Shifts `x` left by `y` bits.
    ///
    /// NumPy: `left_shift`, `bitwise_left_shift`; TensorFlow: `LeftShift`. Operands of one dtype broadcast. `y` is
    /// clamped to the range from 0 to the number of bits less one.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 3].left_shift(&tensor![4, 1])?.as_slice::<i32>()?, &[16, 6]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary LeftShift = "LeftShift" {
        types: { T: DTypeSet::INTEGER },
        call: method left_shift,
        kernel: Zip(&b::LEFT_SHIFT),
        gradient: none,
    }

    /// Shifts `x` right by `y` bits; signed numbers keep their sign.
    ///
    /// NumPy: `right_shift`, `bitwise_right_shift`; TensorFlow: `RightShift`. Operands of one dtype broadcast. `y` is
    /// clamped to the range from 0 to the number of bits less one.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![16, -16].right_shift(2)?.as_slice::<i32>()?, &[4, -4]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary RightShift = "RightShift" {
        types: { T: DTypeSet::INTEGER },
        call: method right_shift,
        kernel: Zip(&b::RIGHT_SHIFT),
        gradient: none,
    }

    /// Returns true where `x == y`; NaN equals nothing.
    ///
    /// TensorFlow: `Equal`; PyTorch: `eq`. Operands of one dtype broadcast; with
    /// `incompatible_shape_error` off, shapes that don't broadcast compare as one unequal pair.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 2].equal(&tensor![1, 3])?.as_slice::<bool>()?, &[true, false]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary Equal = "Equal" {
        outputs: { z: {Bool} },
        types: { T: DTypeSet::COMPARABLE.or(DTypeSet::QUANTIZED) }, attrs: { incompatible_shape_error: bool = true },
        call: method equal,
        infer: infer::equality, kernel: Choose(kernel::equal),
        gradient: none,
        batch: batch::equality,
    }

    /// Returns true where `x != y`; NaN differs from everything.
    ///
    /// TensorFlow: `NotEqual`; PyTorch: `ne`. Operands of one dtype broadcast; with
    /// `incompatible_shape_error` off, shapes that don't broadcast compare as one unequal pair.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 2].not_equal(&tensor![1, 3])?.as_slice::<bool>()?, &[false, true]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary NotEqual = "NotEqual" {
        outputs: { z: {Bool} },
        types: { T: DTypeSet::COMPARABLE.or(DTypeSet::QUANTIZED) }, attrs: { incompatible_shape_error: bool = true },
        call: method not_equal,
        infer: infer::equality, kernel: Choose(kernel::not_equal),
        gradient: none,
        batch: batch::equality,
    }

    /// Returns true where both operands are true.
    ///
    /// TensorFlow: `LogicalAnd`. Bools broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![true, true].logical_and(&tensor![true, false])?;
    /// assert_eq!(y.as_slice::<bool>()?, &[true, false]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary LogicalAnd = "LogicalAnd" {
        inputs: { x: {Bool}, y: {Bool} }, outputs: { z: {Bool} },
        call: method logical_and,
        kernel: Zip(&b::LOGICAL_AND),
        gradient: none,
    }

    /// Returns true where at least one operand is true.
    ///
    /// TensorFlow: `LogicalOr`. Bools broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![true, false].logical_or(&tensor![false, false])?;
    /// assert_eq!(y.as_slice::<bool>()?, &[true, false]);
    /// # Ok::<(), Error>(())
    /// ```
    pub binary LogicalOr = "LogicalOr" {
        inputs: { x: {Bool}, y: {Bool} }, outputs: { z: {Bool} },
        call: method logical_or,
        kernel: Zip(&b::LOGICAL_OR),
        gradient: none,
    }
}

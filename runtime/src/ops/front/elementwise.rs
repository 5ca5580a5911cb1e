//! Elementwise functions.

use super::front;
use crate::ops::*;
use crate::tensor::{Tensor, call_site};
use crate::types::{DType, Result};

front! {
    functions {
        neg(x) => Neg;
        add(x, y) => AddV2;
        sub(x, y) => Sub;
        mul(x, y) => Mul;
        div(x, y) => RealDiv;
        rem(x, y) => FloorMod;
    }
}

front! {
    /// Elementwise ops as methods of extension types: `masked.tanh()?`.
    methods of Elementwise {
        abs(x) => Abs;
        sign(x) => Sign;
        square(x) => Square;
        sqrt(x) => Sqrt;
        rsqrt(x) => Rsqrt;
        exp(x) => Exp;
        expm1(x) => Expm1;
        log(x) => Log;
        log1p(x) => Log1p;
        sin(x) => Sin;
        cos(x) => Cos;
        tan(x) => Tan;
        asin(x) => Asin;
        acos(x) => Acos;
        atan(x) => Atan;
        sinh(x) => Sinh;
        cosh(x) => Cosh;
        tanh(x) => Tanh;
        asinh(x) => Asinh;
        acosh(x) => Acosh;
        atanh(x) => Atanh;
        sigmoid(x) => Sigmoid;
        softplus(x) => Softplus;
        softsign(x) => Softsign;
        relu(x) => Relu;
        relu6(x) => Relu6;
        elu(x) => Elu;
        selu(x) => Selu;
        erf(x) => Erf;
        erfc(x) => Erfc;
        floor(x) => Floor;
        ceil(x) => Ceil;
        round(x) => Rint;
        reciprocal(x) => Reciprocal;
        is_nan(x) => IsNan;
        is_inf(x) => IsInf;
        is_finite(x) => IsFinite;
        invert(x) => Invert;
        population_count(x) => PopulationCount;
        logical_not(x) => LogicalNot;
        zeros_like(x) => ZerosLike;
        ones_like(x) => OnesLike;
        identity(x) => Identity;
        stop_gradient(x) => StopGradient;
        conj(x) => Conj;
        /// ```
        /// use extype::prelude::*;
        /// assert_eq!(ops::cast(&tensor![1.9f32, -1.9], i32)?.as_slice::<i32>()?, &[1, -1]);
        /// # Ok::<(), Error>(())
        /// ```
        cast(x; dtype: DType) => Cast { 0: CastFn { dst: dtype } };
        leaky_relu(x; alpha: f32) => LeakyRelu { 0: LeakyReluFn { alpha } };
        floor_div(x, y) => FloorDiv;
        truncate_div(x, y) => TruncateDiv;
        truncate_mod(x, y) => TruncateMod;
        pow(x, y) => Pow;
        maximum(x, y) => Maximum;
        minimum(x, y) => Minimum;
        squared_difference(x, y) => SquaredDifference;
        atan2(x, y) => Atan2;
        xlogy(x, y) => Xlogy;
        xlog1py(x, y) => Xlog1py;
        xdivy(x, y) => Xdivy;
        div_no_nan(x, y) => DivNoNan;
        mul_no_nan(x, y) => MulNoNan;
        equal(x, y) => Equal;
        not_equal(x, y) => NotEqual;
        less(x, y) => Less;
        less_equal(x, y) => LessEqual;
        greater(x, y) => Greater;
        greater_equal(x, y) => GreaterEqual;
        logical_and(x, y) => LogicalAnd;
        logical_or(x, y) => LogicalOr;
        bitwise_and(x, y) => BitwiseAnd;
        bitwise_or(x, y) => BitwiseOr;
        bitwise_xor(x, y) => BitwiseXor;
        left_shift(x, y) => LeftShift;
        right_shift(x, y) => RightShift;
    }
}

front! {
    functions {
        /// `t` where the condition is true, `e` elsewhere; the three broadcast.
        ///
        /// ```
        /// use extype::prelude::*;
        /// let y = ops::select(&tensor![true, false], &tensor![1.0f32, 2.0], 0.0)?;
        /// assert_eq!(y.as_slice::<f32>()?, &[1.0, 0.0]);
        /// # Ok::<(), Error>(())
        /// ```
        select(condition, t, e) => Select {};
    }
}

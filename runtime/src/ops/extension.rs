//! The ops as methods of extension types: `(&masked + 1.0).tanh()?`.

use super::*;
use crate::types::{DType, Result};

macro_rules! methods {
    (unary { $($unary:ident = $uop:ident;)* } reductions { $($reduce:ident = $rop:ident;)* }) => {
        /// The ops as methods of extension types: `#[derive(ExtensionType)]` implements it, and
        /// [`Tensor`](crate::Tensor) has its own. (An impl for every operand would reach host
        /// numbers too and hide the methods of `&f64`.)
        pub trait TensorOps: Operand {
            $(#[doc = concat!("[`", stringify!($uop), "`]: see [`ops::", stringify!($unary), "`](crate::ops::", stringify!($unary), ").")]
            ///
            /// # Errors
            /// As the function.
            #[track_caller]
            fn $unary(&self) -> Result<<Self::Value as Apply1<$uop>>::Output>
            where
                Self::Value: Apply1<$uop>,
            {
                let _site = crate::tensor::call_site();
                Self::Value::apply1(&$uop::default(), &self.operand())
            })*

            $(#[doc = concat!("[`", stringify!($rop), "`]: see [`ops::", stringify!($reduce), "`](crate::ops::", stringify!($reduce), ").")]
            ///
            /// # Errors
            /// As the function.
            #[track_caller]
            fn $reduce(
                &self,
                axes: impl Into<Axes>,
                keep_dims: impl KeepDimsArg,
            ) -> Result<<Self::Value as Apply1<$rop>>::Output>
            where
                Self::Value: Apply1<$rop>,
            {
                let _site = crate::tensor::call_site();
                let op = $rop::new(axes, keep_dims.keep_dims());
                Self::Value::apply1(&op, &self.operand())
            })*

            /// [`Cast`]: see [`ops::cast`](crate::ops::cast).
            ///
            /// # Errors
            /// As the function.
            #[track_caller]
            fn cast(&self, dtype: DType) -> Result<<Self::Value as Apply1<Cast>>::Output>
            where
                Self::Value: Apply1<Cast>,
            {
                let _site = crate::tensor::call_site();
                Self::Value::apply1(&Unary(CastFn { dst: dtype }), &self.operand())
            }
        }

    };
}
methods! {
    unary {
    abs = Abs;
    sign = Sign;
    square = Square;
    sqrt = Sqrt;
    rsqrt = Rsqrt;
    exp = Exp;
    expm1 = Expm1;
    log = Log;
    log1p = Log1p;
    sin = Sin;
    cos = Cos;
    tan = Tan;
    asin = Asin;
    acos = Acos;
    atan = Atan;
    sinh = Sinh;
    cosh = Cosh;
    tanh = Tanh;
    asinh = Asinh;
    acosh = Acosh;
    atanh = Atanh;
    sigmoid = Sigmoid;
    softplus = Softplus;
    softsign = Softsign;
    relu = Relu;
    relu6 = Relu6;
    elu = Elu;
    selu = Selu;
    erf = Erf;
    erfc = Erfc;
    floor = Floor;
    ceil = Ceil;
    round = Rint;
    reciprocal = Reciprocal;
    is_nan = IsNan;
    is_inf = IsInf;
    is_finite = IsFinite;
    invert = Invert;
    population_count = PopulationCount;
    logical_not = LogicalNot;
    zeros_like = ZerosLike;
    ones_like = OnesLike;
    identity = Identity;
    stop_gradient = StopGradient;
    conj = Conj;
    }
    reductions {
    reduce_sum = ReduceSum;
    reduce_mean = ReduceMean;
    reduce_max = ReduceMax;
    reduce_min = ReduceMin;
    reduce_all = ReduceAll;
    reduce_any = ReduceAny;
    }
}

//! Unary elementwise ops.

use crate::define_op;
use crate::ops::infer;
use crate::ops::kernel::elementwise as e;
use crate::types::{DType, DTypeSet};

define_op! {
    /// The negative of every element; integers wrap.
    ///
    /// TensorFlow: `Neg`. Input of any shape; the result has the same.
    pub unary Neg = NegFn("Neg") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::NUMERIC }, attrs: {},
        infer: infer::same_shape, kernel: e::NEG,
    }
}

define_op! {
    /// The absolute value of every element; the smallest signed integer stays.
    ///
    /// TensorFlow: `Abs`. Input of any shape; the result has the same.
    pub unary Abs = AbsFn("Abs") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::SIGNED.or(DTypeSet::FLOAT) }, attrs: {},
        infer: infer::same_shape, kernel: e::ABS,
    }
}

define_op! {
    /// The sign of every element: -1, 0 or 1; NaN stays; a complex number is divided by its norm.
    ///
    /// TensorFlow: `Sign`. Input of any shape; the result has the same.
    pub unary Sign = SignFn("Sign") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::NUMERIC }, attrs: {},
        infer: infer::same_shape, kernel: e::sign,
    }
}

define_op! {
    /// The square of every element; integers wrap.
    ///
    /// TensorFlow: `Square`. Input of any shape; the result has the same.
    pub unary Square = SquareFn("Square") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::NUMERIC }, attrs: {},
        infer: infer::same_shape, kernel: e::SQUARE,
    }
}

define_op! {
    /// The square root of every element; NaN below zero.
    ///
    /// TensorFlow: `Sqrt`. Input of any shape; the result has the same.
    pub unary Sqrt = SqrtFn("Sqrt") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::same_shape, kernel: e::SQRT,
    }
}

define_op! {
    /// One over the square root of every element.
    ///
    /// TensorFlow: `Rsqrt`. Input of any shape; the result has the same.
    pub unary Rsqrt = RsqrtFn("Rsqrt") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::same_shape, kernel: e::RSQRT,
    }
}

define_op! {
    /// e to the power of every element.
    ///
    /// TensorFlow: `Exp`. Input of any shape; the result has the same.
    pub unary Exp = ExpFn("Exp") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::same_shape, kernel: e::EXP,
    }
}

define_op! {
    /// `exp(x) - 1`, exact near zero.
    ///
    /// TensorFlow: `Expm1`. Input of any shape; the result has the same.
    pub unary Expm1 = Expm1Fn("Expm1") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::same_shape, kernel: e::EXPM1,
    }
}

define_op! {
    /// The natural logarithm of every element; NaN below zero.
    ///
    /// TensorFlow: `Log`. Input of any shape; the result has the same.
    pub unary Log = LogFn("Log") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::same_shape, kernel: e::LOG,
    }
}

define_op! {
    /// `log(1 + x)`, exact near zero.
    ///
    /// TensorFlow: `Log1p`. Input of any shape; the result has the same.
    pub unary Log1p = Log1pFn("Log1p") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::same_shape, kernel: e::LOG1P,
    }
}

define_op! {
    /// The sine of every element, in radians.
    ///
    /// TensorFlow: `Sin`. Input of any shape; the result has the same.
    pub unary Sin = SinFn("Sin") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::same_shape, kernel: e::SIN,
    }
}

define_op! {
    /// The cosine of every element, in radians.
    ///
    /// TensorFlow: `Cos`. Input of any shape; the result has the same.
    pub unary Cos = CosFn("Cos") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::same_shape, kernel: e::COS,
    }
}

define_op! {
    /// The tangent of every element, in radians.
    ///
    /// TensorFlow: `Tan`. Input of any shape; the result has the same.
    pub unary Tan = TanFn("Tan") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::same_shape, kernel: e::TAN,
    }
}

define_op! {
    /// The arc sine of every element, in radians.
    ///
    /// TensorFlow: `Asin`. Input of any shape; the result has the same.
    pub unary Asin = AsinFn("Asin") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::same_shape, kernel: e::ASIN,
    }
}

define_op! {
    /// The arc cosine of every element, in radians.
    ///
    /// TensorFlow: `Acos`. Input of any shape; the result has the same.
    pub unary Acos = AcosFn("Acos") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::same_shape, kernel: e::ACOS,
    }
}

define_op! {
    /// The arc tangent of every element, in radians.
    ///
    /// TensorFlow: `Atan`. Input of any shape; the result has the same.
    pub unary Atan = AtanFn("Atan") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::same_shape, kernel: e::ATAN,
    }
}

define_op! {
    /// The hyperbolic sine of every element.
    ///
    /// TensorFlow: `Sinh`. Input of any shape; the result has the same.
    pub unary Sinh = SinhFn("Sinh") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::same_shape, kernel: e::SINH,
    }
}

define_op! {
    /// The hyperbolic cosine of every element.
    ///
    /// TensorFlow: `Cosh`. Input of any shape; the result has the same.
    pub unary Cosh = CoshFn("Cosh") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::same_shape, kernel: e::COSH,
    }
}

define_op! {
    /// The hyperbolic tangent of every element.
    ///
    /// TensorFlow: `Tanh`. Input of any shape; the result has the same.
    pub unary Tanh = TanhFn("Tanh") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::same_shape, kernel: e::TANH,
    }
}

define_op! {
    /// The inverse hyperbolic sine of every element.
    ///
    /// TensorFlow: `Asinh`. Input of any shape; the result has the same.
    pub unary Asinh = AsinhFn("Asinh") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::same_shape, kernel: e::ASINH,
    }
}

define_op! {
    /// The inverse hyperbolic cosine of every element; NaN below one.
    ///
    /// TensorFlow: `Acosh`. Input of any shape; the result has the same.
    pub unary Acosh = AcoshFn("Acosh") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::same_shape, kernel: e::ACOSH,
    }
}

define_op! {
    /// The inverse hyperbolic tangent of every element.
    ///
    /// TensorFlow: `Atanh`. Input of any shape; the result has the same.
    pub unary Atanh = AtanhFn("Atanh") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::same_shape, kernel: e::ATANH,
    }
}

define_op! {
    /// `1 / (1 + exp(-x))`.
    ///
    /// TensorFlow: `Sigmoid`. Input of any shape; the result has the same.
    pub unary Sigmoid = SigmoidFn("Sigmoid") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::same_shape, kernel: e::SIGMOID,
    }
}

define_op! {
    /// `log(1 + exp(x))`.
    ///
    /// TensorFlow: `Softplus`. Input of any shape; the result has the same.
    pub unary Softplus = SoftplusFn("Softplus") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: e::SOFTPLUS,
    }
}

define_op! {
    /// `x / (1 + |x|)`.
    ///
    /// TensorFlow: `Softsign`. Input of any shape; the result has the same.
    pub unary Softsign = SoftsignFn("Softsign") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: e::SOFTSIGN,
    }
}

define_op! {
    /// `max(x, 0)`.
    ///
    /// TensorFlow: `Relu`. Input of any shape; the result has the same.
    pub unary Relu = ReluFn("Relu") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::REAL }, attrs: {},
        infer: infer::same_shape, kernel: e::RELU,
    }
}

define_op! {
    /// `min(max(x, 0), 6)`.
    ///
    /// TensorFlow: `Relu6`. Input of any shape; the result has the same.
    pub unary Relu6 = Relu6Fn("Relu6") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::REAL }, attrs: {},
        infer: infer::same_shape, kernel: e::RELU6,
    }
}

define_op! {
    /// `x` above zero, `exp(x) - 1` below.
    ///
    /// TensorFlow: `Elu`. Input of any shape; the result has the same.
    pub unary Elu = EluFn("Elu") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: e::ELU,
    }
}

define_op! {
    /// The scaled exponential linear unit (Klambauer et al., 2017).
    ///
    /// TensorFlow: `Selu`. Input of any shape; the result has the same.
    pub unary Selu = SeluFn("Selu") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: e::SELU,
    }
}

define_op! {
    /// The Gauss error function.
    ///
    /// TensorFlow: `Erf`. Input of any shape; the result has the same.
    pub unary Erf = ErfFn("Erf") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: e::erf,
    }
}

define_op! {
    /// One minus the Gauss error function.
    ///
    /// TensorFlow: `Erfc`. Input of any shape; the result has the same.
    pub unary Erfc = ErfcFn("Erfc") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: e::ERFC,
    }
}

define_op! {
    /// The largest integer not above every element.
    ///
    /// TensorFlow: `Floor`. Input of any shape; the result has the same.
    pub unary Floor = FloorFn("Floor") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::REAL }, attrs: {},
        infer: infer::same_shape, kernel: e::FLOOR,
    }
}

define_op! {
    /// The smallest integer not below every element.
    ///
    /// TensorFlow: `Ceil`. Input of any shape; the result has the same.
    pub unary Ceil = CeilFn("Ceil") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::REAL }, attrs: {},
        infer: infer::same_shape, kernel: e::CEIL,
    }
}

define_op! {
    /// The nearest integer, halves to even. (TensorFlow's `Round` does the same for floats, and
    /// answers zero for integers.)
    ///
    /// TensorFlow: `Rint`. Input of any shape; the result has the same.
    pub unary Rint = RintFn("Rint") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape, kernel: e::RINT,
    }
}

define_op! {
    /// One over every element.
    ///
    /// TensorFlow: `Reciprocal`. Input of any shape; the result has the same.
    pub unary Reciprocal = ReciprocalFn("Reciprocal") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::NUMERIC }, attrs: {},
        infer: infer::same_shape, kernel: e::reciprocal,
    }
}

define_op! {
    /// True where an element is NaN.
    ///
    /// TensorFlow: `IsNan`. Input of any shape; the result has the same.
    pub unary IsNan = IsNanFn("IsNan") {
        inputs: { x: T }, outputs: { y: {Bool} }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape_bool, kernel: e::IS_NAN,
    }
}

define_op! {
    /// True where an element is infinite.
    ///
    /// TensorFlow: `IsInf`. Input of any shape; the result has the same.
    pub unary IsInf = IsInfFn("IsInf") {
        inputs: { x: T }, outputs: { y: {Bool} }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape_bool, kernel: e::IS_INF,
    }
}

define_op! {
    /// True where an element is neither infinite nor NaN.
    ///
    /// TensorFlow: `IsFinite`. Input of any shape; the result has the same.
    pub unary IsFinite = IsFiniteFn("IsFinite") {
        inputs: { x: T }, outputs: { y: {Bool} }, types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::same_shape_bool, kernel: e::IS_FINITE,
    }
}

define_op! {
    /// Every bit flipped.
    ///
    /// TensorFlow: `Invert`. Input of any shape; the result has the same.
    pub unary Invert = InvertFn("Invert") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::INTEGER }, attrs: {},
        infer: infer::same_shape, kernel: e::INVERT,
    }
}

define_op! {
    /// The number of bits set in every element, as uint8.
    ///
    /// TensorFlow: `PopulationCount`. Input of any shape; the result has the same.
    pub unary PopulationCount = PopulationCountFn("PopulationCount") {
        inputs: { x: T }, outputs: { y: {U8} }, types: { T: DTypeSet::INTEGER }, attrs: {},
        infer: infer::same_shape_u8, kernel: e::POPULATION_COUNT,
    }
}

define_op! {
    /// Logical not.
    ///
    /// TensorFlow: `LogicalNot`. Bools of any shape; the result has the same.
    pub unary LogicalNot = LogicalNotFn("LogicalNot") {
        inputs: { x: {Bool} }, outputs: { y: {Bool} }, types: {}, attrs: {},
        infer: infer::same_shape, kernel: e::LOGICAL_NOT,
    }
}

define_op! {
    /// `x` above zero, `alpha * x` below.
    ///
    /// TensorFlow: `LeakyRelu`. Input of any shape; the result has the same.
    pub unary LeakyRelu = LeakyReluFn("LeakyRelu") {
        inputs: { features: T }, outputs: { activations: T }, types: { T: DTypeSet::FLOAT },
        attrs: { alpha: f32 = 0.2 },
        infer: infer::same_shape, kernel: e::leaky_relu,
    }
}

define_op! {
    /// Every element as another dtype: integers wrap, floats are cut to integers, anything but
    /// zero is true, complex numbers lose their imaginary part. `truncate` cuts floats to shorter
    /// floats instead of rounding them.
    ///
    /// TensorFlow: `Cast`. Input of any shape; the result has the same.
    pub unary Cast = CastFn("Cast") {
        inputs: { x: SrcT }, outputs: { y: DstT },
        types: { SrcT: DTypeSet::NUMERIC.or(DTypeSet::BOOL) },
        attrs: { dst as "DstT": DType = DType::F32, truncate as "Truncate": bool = false },
        infer: infer::cast, kernel: e::cast,
    }
}

define_op! {
    /// Zeros of the shape and dtype of a tensor; empty strings, false.
    ///
    /// TensorFlow: `ZerosLike`.
    pub unary ZerosLike = ZerosLikeFn("ZerosLike") {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::DATA }, attrs: {},
        infer: infer::same_shape, kernel: e::zeros_like,
    }
}

define_op! {
    /// Ones of the shape and dtype of a tensor; true.
    ///
    /// TensorFlow: `OnesLike`.
    pub unary OnesLike = OnesLikeFn("OnesLike") {
        inputs: { x: T }, outputs: { y: T },
        types: { T: DTypeSet::NUMERIC.or(DTypeSet::BOOL) }, attrs: {},
        infer: infer::same_shape, kernel: e::ones_like,
    }
}

define_op! {
    /// The same tensor; gradients pass.
    ///
    /// TensorFlow: `Identity`.
    pub unary Identity = IdentityFn("Identity") {
        inputs: { input: T }, outputs: { output: T }, types: { T: DTypeSet::ANY }, attrs: {},
        infer: infer::same_shape, kernel: crate::ops::kernel::other::identity,
    }
}

define_op! {
    /// The same tensor; gradients don't pass.
    ///
    /// TensorFlow: `StopGradient`.
    pub unary StopGradient = StopGradientFn("StopGradient") {
        inputs: { input: T }, outputs: { output: T }, types: { T: DTypeSet::ANY }, attrs: {},
        infer: infer::same_shape, kernel: crate::ops::kernel::other::identity,
    }
}

define_op! {
    /// The complex conjugate of every element.
    ///
    /// TensorFlow: `Conj`.
    pub unary Conj = ConjFn("Conj") {
        inputs: { input: T }, outputs: { output: T }, types: { T: DTypeSet::COMPLEX }, attrs: {},
        infer: infer::same_shape, kernel: e::CONJ,
    }
}

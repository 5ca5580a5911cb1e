//! Binary elementwise ops.

use crate::define_op;
use crate::ops::infer;
use crate::ops::kernel::elementwise as e;
use crate::types::{DType, DTypeSet};

define_op! {
    /// `x + y`; integers wrap, strings are joined.
    ///
    /// TensorFlow: `AddV2`. Operands of one dtype broadcast.
    pub binary AddV2 = AddV2Fn("AddV2") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::NUMERIC.or(DTypeSet::STRING) }, attrs: {},
        infer: infer::broadcast, kernel: e::add,
    }
}

define_op! {
    /// `x - y`; integers wrap.
    ///
    /// TensorFlow: `Sub`. Operands of one dtype broadcast.
    pub binary Sub = SubFn("Sub") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::NUMERIC }, attrs: {},
        infer: infer::broadcast, kernel: e::SUB,
    }
}

define_op! {
    /// `x * y`; integers wrap.
    ///
    /// TensorFlow: `Mul`. Operands of one dtype broadcast.
    pub binary Mul = MulFn("Mul") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::NUMERIC }, attrs: {},
        infer: infer::broadcast, kernel: e::MUL,
    }
}

define_op! {
    /// `x / y` of floats and complex numbers.
    ///
    /// TensorFlow: `RealDiv`. Operands of one dtype broadcast.
    pub binary RealDiv = RealDivFn("RealDiv") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::broadcast, kernel: e::REAL_DIV,
    }
}

define_op! {
    /// `x / y`; integers are cut towards zero.
    ///
    /// TensorFlow: `Div`. Operands of one dtype broadcast.
    pub binary Div = DivFn("Div") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::NUMERIC }, attrs: {},
        infer: infer::broadcast, kernel: e::div,
    }
}

define_op! {
    /// The floor of `x / y`.
    ///
    /// TensorFlow: `FloorDiv`. Operands of one dtype broadcast.
    pub binary FloorDiv = FloorDivFn("FloorDiv") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::REAL }, attrs: {},
        infer: infer::broadcast, kernel: e::floor_div,
    }
}

define_op! {
    /// The rest of the floor division; has the sign of `y`.
    ///
    /// TensorFlow: `FloorMod`. Operands of one dtype broadcast.
    pub binary FloorMod = FloorModFn("FloorMod") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::REAL }, attrs: {},
        infer: infer::broadcast, kernel: e::floor_mod,
    }
}

define_op! {
    /// `x / y`, cut towards zero.
    ///
    /// TensorFlow: `TruncateDiv`. Operands of one dtype broadcast.
    pub binary TruncateDiv = TruncateDivFn("TruncateDiv") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::REAL }, attrs: {},
        infer: infer::broadcast, kernel: e::trunc_div,
    }
}

define_op! {
    /// The rest of the division that cuts towards zero; has the sign of `x`.
    ///
    /// TensorFlow: `TruncateMod`. Operands of one dtype broadcast.
    pub binary TruncateMod = TruncateModFn("TruncateMod") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::of(&[DType::I32, DType::I64]).or(DTypeSet::FLOAT) }, attrs: {},
        infer: infer::broadcast, kernel: e::trunc_mod,
    }
}

define_op! {
    /// `x` to the power of `y`; integers wrap and take no negative power.
    ///
    /// TensorFlow: `Pow`. Operands of one dtype broadcast.
    pub binary Pow = PowFn("Pow") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::NUMERIC }, attrs: {},
        infer: infer::broadcast, kernel: e::pow,
    }
}

define_op! {
    /// The larger of two elements; NaN if either is.
    ///
    /// TensorFlow: `Maximum`. Operands of one dtype broadcast.
    pub binary Maximum = MaximumFn("Maximum") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::REAL }, attrs: {},
        infer: infer::broadcast, kernel: e::MAXIMUM,
    }
}

define_op! {
    /// The smaller of two elements; NaN if either is.
    ///
    /// TensorFlow: `Minimum`. Operands of one dtype broadcast.
    pub binary Minimum = MinimumFn("Minimum") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::REAL }, attrs: {},
        infer: infer::broadcast, kernel: e::MINIMUM,
    }
}

define_op! {
    /// `(x - y)²`; of complex numbers the squared norm.
    ///
    /// TensorFlow: `SquaredDifference`. Operands of one dtype broadcast.
    pub binary SquaredDifference = SquaredDifferenceFn("SquaredDifference") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::NUMERIC }, attrs: {},
        infer: infer::broadcast, kernel: e::squared_difference,
    }
}

define_op! {
    /// The angle of the point (`x`, `y`) given as (`y`, `x`), in radians.
    ///
    /// TensorFlow: `Atan2`. Operands of one dtype broadcast.
    pub binary Atan2 = Atan2Fn("Atan2") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::FLOAT }, attrs: {},
        infer: infer::broadcast, kernel: e::ATAN2,
    }
}

define_op! {
    /// `x * log(y)`, zero where `x` is.
    ///
    /// TensorFlow: `Xlogy`. Operands of one dtype broadcast.
    pub binary Xlogy = XlogyFn("Xlogy") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::broadcast, kernel: e::XLOGY,
    }
}

define_op! {
    /// `x * log(1 + y)`, zero where `x` is.
    ///
    /// TensorFlow: `Xlog1py`. Operands of one dtype broadcast.
    pub binary Xlog1py = Xlog1pyFn("Xlog1py") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::broadcast, kernel: e::XLOG1PY,
    }
}

define_op! {
    /// `x / y`, zero where `x` is.
    ///
    /// TensorFlow: `Xdivy`. Operands of one dtype broadcast.
    pub binary Xdivy = XdivyFn("Xdivy") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::broadcast, kernel: e::XDIVY,
    }
}

define_op! {
    /// `x / y`, zero where `y` is.
    ///
    /// TensorFlow: `DivNoNan`. Operands of one dtype broadcast.
    pub binary DivNoNan = DivNoNanFn("DivNoNan") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::broadcast, kernel: e::DIV_NO_NAN,
    }
}

define_op! {
    /// `x * y`, zero where `y` is, even if `x` is NaN or infinite.
    ///
    /// TensorFlow: `MulNoNan`. Operands of one dtype broadcast.
    pub binary MulNoNan = MulNoNanFn("MulNoNan") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::INEXACT }, attrs: {},
        infer: infer::broadcast, kernel: e::MUL_NO_NAN,
    }
}

define_op! {
    /// True where `x < y`.
    ///
    /// TensorFlow: `Less`. Operands of one dtype broadcast.
    pub binary Less = LessFn("Less") {
        inputs: { x: T, y: T }, outputs: { z: {Bool} },
        types: { T: DTypeSet::REAL }, attrs: {},
        infer: infer::broadcast_bool, kernel: e::less,
    }
}

define_op! {
    /// True where `x <= y`.
    ///
    /// TensorFlow: `LessEqual`. Operands of one dtype broadcast.
    pub binary LessEqual = LessEqualFn("LessEqual") {
        inputs: { x: T, y: T }, outputs: { z: {Bool} },
        types: { T: DTypeSet::REAL }, attrs: {},
        infer: infer::broadcast_bool, kernel: e::less_equal,
    }
}

define_op! {
    /// True where `x > y`.
    ///
    /// TensorFlow: `Greater`. Operands of one dtype broadcast.
    pub binary Greater = GreaterFn("Greater") {
        inputs: { x: T, y: T }, outputs: { z: {Bool} },
        types: { T: DTypeSet::REAL }, attrs: {},
        infer: infer::broadcast_bool, kernel: e::greater,
    }
}

define_op! {
    /// True where `x >= y`.
    ///
    /// TensorFlow: `GreaterEqual`. Operands of one dtype broadcast.
    pub binary GreaterEqual = GreaterEqualFn("GreaterEqual") {
        inputs: { x: T, y: T }, outputs: { z: {Bool} },
        types: { T: DTypeSet::REAL }, attrs: {},
        infer: infer::broadcast_bool, kernel: e::greater_equal,
    }
}

define_op! {
    /// Bitwise and.
    ///
    /// TensorFlow: `BitwiseAnd`. Operands of one dtype broadcast.
    pub binary BitwiseAnd = BitwiseAndFn("BitwiseAnd") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::INTEGER }, attrs: {},
        infer: infer::broadcast, kernel: e::BITWISE_AND,
    }
}

define_op! {
    /// Bitwise or.
    ///
    /// TensorFlow: `BitwiseOr`. Operands of one dtype broadcast.
    pub binary BitwiseOr = BitwiseOrFn("BitwiseOr") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::INTEGER }, attrs: {},
        infer: infer::broadcast, kernel: e::BITWISE_OR,
    }
}

define_op! {
    /// Bitwise exclusive or.
    ///
    /// TensorFlow: `BitwiseXor`. Operands of one dtype broadcast.
    pub binary BitwiseXor = BitwiseXorFn("BitwiseXor") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::INTEGER }, attrs: {},
        infer: infer::broadcast, kernel: e::BITWISE_XOR,
    }
}

define_op! {
    /// `x` shifted left by `y` bits.
    ///
    /// TensorFlow: `LeftShift`. Operands of one dtype broadcast.
    pub binary LeftShift = LeftShiftFn("LeftShift") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::INTEGER }, attrs: {},
        infer: infer::broadcast, kernel: e::LEFT_SHIFT,
    }
}

define_op! {
    /// `x` shifted right by `y` bits; signed numbers keep their sign.
    ///
    /// TensorFlow: `RightShift`. Operands of one dtype broadcast.
    pub binary RightShift = RightShiftFn("RightShift") {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::INTEGER }, attrs: {},
        infer: infer::broadcast, kernel: e::RIGHT_SHIFT,
    }
}

define_op! {
    /// True where `x == y`; NaN equals nothing.
    ///
    /// TensorFlow: `Equal`. Operands of one dtype broadcast; with `incompatible_shape_error` off,
    /// shapes that don't broadcast compare as one unequal pair.
    pub binary Equal = EqualFn("Equal") {
        inputs: { x: T, y: T }, outputs: { z: {Bool} }, types: { T: DTypeSet::DATA },
        attrs: { incompatible_shape_error: bool = true },
        infer: infer::equality, kernel: e::equal,
    }
}

define_op! {
    /// True where `x != y`; NaN differs from everything.
    ///
    /// TensorFlow: `NotEqual`. Operands of one dtype broadcast; with `incompatible_shape_error` off,
    /// shapes that don't broadcast compare as one unequal pair.
    pub binary NotEqual = NotEqualFn("NotEqual") {
        inputs: { x: T, y: T }, outputs: { z: {Bool} }, types: { T: DTypeSet::DATA },
        attrs: { incompatible_shape_error: bool = true },
        infer: infer::equality, kernel: e::not_equal,
    }
}

define_op! {
    /// Logical and.
    ///
    /// TensorFlow: `LogicalAnd`. Bools broadcast.
    pub binary LogicalAnd = LogicalAndFn("LogicalAnd") {
        inputs: { x: {Bool}, y: {Bool} }, outputs: { z: {Bool} }, types: {}, attrs: {},
        infer: infer::broadcast, kernel: e::LOGICAL_AND,
    }
}

define_op! {
    /// Logical or.
    ///
    /// TensorFlow: `LogicalOr`. Bools broadcast.
    pub binary LogicalOr = LogicalOrFn("LogicalOr") {
        inputs: { x: {Bool}, y: {Bool} }, outputs: { z: {Bool} }, types: {}, attrs: {},
        infer: infer::broadcast, kernel: e::LOGICAL_OR,
    }
}

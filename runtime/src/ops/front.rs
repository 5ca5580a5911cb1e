//! The typed front: a free function for each op, generic over its operands, and a method of
//! [`Tensor`].

use super::*;
use crate::tensor::{Tensor, call_site};
use crate::types::{DType, Result};

macro_rules! unary {
    ($($front:ident = $op:ident;)*) => {
        $(#[doc = concat!("[`", stringify!($op), "`] of any operand that supports it.")]
        ///
        /// # Errors
        /// `InvalidArgument` for a dtype that the op does not take.
        #[track_caller]
        pub fn $front<X: Operand>(x: X) -> Result<<X::Value as Apply1<$op>>::Output>
        where
            X::Value: Apply1<$op>,
        {
            let _site = call_site();
            X::Value::apply1(&$op::default(), &x.operand())
        })*

        impl Tensor {
            $(#[doc = concat!("[`", stringify!($op), "`]: see [`ops::", stringify!($front), "`](crate::ops::", stringify!($front), ").")]
            ///
            /// # Errors
            /// `InvalidArgument` for a dtype that the op does not take.
            #[track_caller]
            pub fn $front(&self) -> Result<Tensor> {
                $front(self)
            })*
        }
    };
}
unary! {
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

/// [`Neg`] of any operand that supports it; for tensors also `-x`.
///
/// # Errors
/// `InvalidArgument` for a dtype that the op does not take.
#[track_caller]
pub fn neg<X: Operand>(x: X) -> Result<<X::Value as Apply1<Neg>>::Output>
where
    X::Value: Apply1<Neg>,
{
    let _site = call_site();
    X::Value::apply1(&Neg::default(), &x.operand())
}

macro_rules! binary {
    ($($front:ident = $op:ident;)*) => {
        $(#[doc = concat!("[`", stringify!($op), "`] of any two operands that support it.")]
        ///
        /// # Errors
        /// `InvalidArgument` for dtypes that differ or that the op does not take, and for shapes
        /// that don't broadcast.
        #[track_caller]
        pub fn $front<X: Operand, Y: Operand>(
            x: X,
            y: Y,
        ) -> Result<<X::Value as Apply2<Y::Value, $op>>::Output>
        where
            X::Value: Apply2<Y::Value, $op>,
        {
            let _site = call_site();
            X::Value::apply2(&$op::default(), &x.operand(), &y.operand())
        })*
    };
}
binary! {
    add = AddV2;
    sub = Sub;
    mul = Mul;
    div = RealDiv;
    rem = FloorMod;
    floor_div = FloorDiv;
    truncate_div = TruncateDiv;
    truncate_mod = TruncateMod;
    pow = Pow;
    maximum = Maximum;
    minimum = Minimum;
    squared_difference = SquaredDifference;
    atan2 = Atan2;
    xlogy = Xlogy;
    xlog1py = Xlog1py;
    xdivy = Xdivy;
    div_no_nan = DivNoNan;
    mul_no_nan = MulNoNan;
    equal = Equal;
    not_equal = NotEqual;
    less = Less;
    less_equal = LessEqual;
    greater = Greater;
    greater_equal = GreaterEqual;
    logical_and = LogicalAnd;
    logical_or = LogicalOr;
    bitwise_and = BitwiseAnd;
    bitwise_or = BitwiseOr;
    bitwise_xor = BitwiseXor;
    left_shift = LeftShift;
    right_shift = RightShift;
}

/// Methods of the binary ops that have no operator.
macro_rules! binary_methods {
    ($($front:ident = $op:ident;)*) => {
        impl Tensor {
            $(#[doc = concat!("[`", stringify!($op), "`]: see [`ops::", stringify!($front), "`](crate::ops::", stringify!($front), ").")]
            ///
            /// # Errors
            /// As the function.
            #[track_caller]
            pub fn $front<Y: Operand>(
                &self,
                y: Y,
            ) -> Result<<Tensor as Apply2<Y::Value, $op>>::Output>
            where
                Tensor: Apply2<Y::Value, $op>,
            {
                $front(self, y)
            })*
        }
    };
}
binary_methods! {
    floor_div = FloorDiv;
    truncate_div = TruncateDiv;
    truncate_mod = TruncateMod;
    pow = Pow;
    maximum = Maximum;
    minimum = Minimum;
    squared_difference = SquaredDifference;
    atan2 = Atan2;
    xlogy = Xlogy;
    xlog1py = Xlog1py;
    xdivy = Xdivy;
    div_no_nan = DivNoNan;
    mul_no_nan = MulNoNan;
    equal = Equal;
    not_equal = NotEqual;
    less = Less;
    less_equal = LessEqual;
    greater = Greater;
    greater_equal = GreaterEqual;
    logical_and = LogicalAnd;
    logical_or = LogicalOr;
    bitwise_and = BitwiseAnd;
    bitwise_or = BitwiseOr;
    bitwise_xor = BitwiseXor;
    left_shift = LeftShift;
    right_shift = RightShift;
}

macro_rules! reductions {
    ($($front:ident = $op:ident;)*) => {
        $(#[doc = concat!("[`", stringify!($op), "`] of any operand that supports it: over `axes` (`..` for all, an axis, a list), kept with size 1 if `keep_dims`.")]
        ///
        /// # Errors
        /// `InvalidArgument` for a dtype that the op does not take, and for an axis that is out
        /// of range or given twice.
        #[track_caller]
        pub fn $front<X: Operand>(
            x: X,
            axes: impl Into<Axes>,
            keep_dims: impl KeepDimsArg,
        ) -> Result<<X::Value as Apply1<$op>>::Output>
        where
            X::Value: Apply1<$op>,
        {
            let _site = call_site();
            let op = $op::new(axes, keep_dims.keep_dims());
            X::Value::apply1(&op, &x.operand())
        })*

        impl Tensor {
            $(#[doc = concat!("[`", stringify!($op), "`]: see [`ops::", stringify!($front), "`](crate::ops::", stringify!($front), ").")]
            ///
            /// # Errors
            /// As the function.
            #[track_caller]
            pub fn $front(
                &self,
                axes: impl Into<Axes>,
                keep_dims: impl KeepDimsArg,
            ) -> Result<Tensor> {
                $front(self, axes, keep_dims)
            })*
        }
    };
}
reductions! {
    reduce_sum = ReduceSum;
    reduce_mean = ReduceMean;
    reduce_max = ReduceMax;
    reduce_min = ReduceMin;
    reduce_all = ReduceAll;
    reduce_any = ReduceAny;
}

/// [`Cast`] to a dtype.
///
/// # Errors
/// `InvalidArgument` for strings, resources and variants.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(ops::cast(&tensor![1.9f32, -1.9], i32)?.as_slice::<i32>()?, &[1, -1]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn cast<X: Operand>(x: X, dtype: DType) -> Result<<X::Value as Apply1<Cast>>::Output>
where
    X::Value: Apply1<Cast>,
{
    let _site = call_site();
    X::Value::apply1(&Unary(CastFn { dst: dtype }), &x.operand())
}

/// [`LeakyRelu`] with a slope below zero.
///
/// # Errors
/// `InvalidArgument` for a dtype that is no float.
#[track_caller]
pub fn leaky_relu<X: Operand>(x: X, alpha: f32) -> Result<<X::Value as Apply1<LeakyRelu>>::Output>
where
    X::Value: Apply1<LeakyRelu>,
{
    let _site = call_site();
    X::Value::apply1(&Unary(LeakyReluFn { alpha }), &x.operand())
}

/// [`Select`]: `t` where the condition is true, `e` elsewhere; the three broadcast.
///
/// # Errors
/// `InvalidArgument` if the condition is no bool, dtypes differ, or shapes don't broadcast.
///
/// ```
/// use extype::prelude::*;
/// let y = ops::select(&tensor![true, false], &tensor![1.0f32, 2.0], 0.0)?;
/// assert_eq!(y.as_slice::<f32>()?, &[1.0, 0.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn select<C: Operand, T: Operand, E: Operand>(
    condition: C,
    t: T,
    e: E,
) -> Result<<C::Value as Apply3<T::Value, E::Value, Select>>::Output>
where
    C::Value: Apply3<T::Value, E::Value, Select>,
{
    let _site = call_site();
    C::Value::apply3(&Select {}, &condition.operand(), &t.operand(), &e.operand())
}

/// [`MatMul`] of two matrices.
///
/// # Errors
/// `InvalidArgument` if a rank is not 2, inner dimensions or dtypes differ.
#[track_caller]
pub fn matmul<X: Operand, Y: Operand>(
    x: X,
    y: Y,
) -> Result<<X::Value as Apply2<Y::Value, MatMul>>::Output>
where
    X::Value: Apply2<Y::Value, MatMul>,
{
    let _site = call_site();
    let op = MatMul { transpose_a: false, transpose_b: false };
    X::Value::apply2(&op, &x.operand(), &y.operand())
}

/// [`BatchMatMul`] of two stacks of matrices.
///
/// # Errors
/// `InvalidArgument` if a rank is below 2, inner dimensions or dtypes differ, or the leading
/// axes don't broadcast.
#[track_caller]
pub fn batch_matmul<X: Operand, Y: Operand>(
    x: X,
    y: Y,
) -> Result<<X::Value as Apply2<Y::Value, BatchMatMul>>::Output>
where
    X::Value: Apply2<Y::Value, BatchMatMul>,
{
    let _site = call_site();
    let op = BatchMatMul { adj_x: false, adj_y: false };
    X::Value::apply2(&op, &x.operand(), &y.operand())
}

/// [`Gather`]: slices of `params` along `axis` at the indices.
///
/// # Errors
/// `InvalidArgument` for an axis out of range, `OutOfRange` for an index out of range.
#[track_caller]
pub fn gather<X: Operand, Y: Operand>(
    params: X,
    indices: Y,
    axis: impl Into<Axis>,
) -> Result<<X::Value as Apply2<Y::Value, Gather>>::Output>
where
    X::Value: Apply2<Y::Value, Gather>,
{
    let _site = call_site();
    let op = Gather { batch_dims: 0, axis: axis.into() };
    X::Value::apply2(&op, &params.operand(), &indices.operand())
}

/// [`Concat`]: values one after the other along `axis`.
///
/// # Errors
/// `InvalidArgument` for an empty list, an axis out of range, or shapes that differ elsewhere.
///
/// ```
/// use extype::prelude::*;
/// let (a, b) = (tensor![1, 2], tensor![3,]);
/// assert_eq!(ops::concat(&[&a, &b], 0)?.as_slice::<i32>()?, &[1, 2, 3]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn concat<X: Operand>(
    values: &[X],
    axis: impl Into<Axis>,
) -> Result<<X::Value as ApplySeq<Concat>>::Output>
where
    X::Value: ApplySeq<Concat>,
{
    let _site = call_site();
    sequence(values, &Concat { axis: axis.into() })
}

/// [`Stack`]: values of one shape along a new axis.
///
/// # Errors
/// `InvalidArgument` for an empty list, an axis out of range, or shapes that differ.
#[track_caller]
pub fn stack<X: Operand>(values: &[X], axis: i64) -> Result<<X::Value as ApplySeq<Stack>>::Output>
where
    X::Value: ApplySeq<Stack>,
{
    let _site = call_site();
    sequence(values, &Stack { axis })
}

/// Calls an op on a slice of operands.
fn sequence<X: Operand, O: Op>(values: &[X], op: &O) -> Result<<X::Value as ApplySeq<O>>::Output>
where
    X::Value: ApplySeq<O>,
{
    let lent: smallvec::SmallVec<[Lent<'_, X::Value>; 4]> =
        values.iter().map(Operand::operand).collect();
    let borrowed: smallvec::SmallVec<[&X::Value; 4]> = lent.iter().map(|x| &**x).collect();
    X::Value::apply_seq(op, &borrowed)
}

macro_rules! shaped {
    ($($(#[doc = $doc:literal])* $front:ident = $op:ident { $field:ident: $ty:ty };)*) => {
        $($(#[doc = $doc])*
        #[track_caller]
        pub fn $front<X: Operand>(
            x: X,
            $field: impl Into<$ty>,
        ) -> Result<<X::Value as Apply1<$op>>::Output>
        where
            X::Value: Apply1<$op>,
        {
            let _site = call_site();
            X::Value::apply1(&$op { $field: $field.into() }, &x.operand())
        })*

        impl Tensor {
            $($(#[doc = $doc])*
            #[track_caller]
            pub fn $front(&self, $field: impl Into<$ty>) -> Result<Tensor> {
                $front(self, $field)
            })*
        }
    };
}
shaped! {
    /// [`Reshape`]: the same elements under another shape; one size may be -1.
    ///
    /// # Errors
    /// `InvalidArgument` if the number of elements differs.
    reshape = Reshape { shape: Integers };
    /// [`Transpose`]: the axes in the order of a permutation.
    ///
    /// # Errors
    /// `InvalidArgument` if it is no permutation of the axes.
    transpose = Transpose { perm: Integers };
    /// [`BroadcastTo`] a shape.
    ///
    /// # Errors
    /// `InvalidArgument` if the shapes don't broadcast.
    broadcast_to = BroadcastTo { shape: Integers };
    /// [`ExpandDims`]: a new axis of size 1 before `axis`.
    ///
    /// # Errors
    /// `InvalidArgument` for an axis out of range.
    expand_dims = ExpandDims { axis: Axis };
    /// [`Squeeze`]: without the given axes of size 1; without all such axes for an empty list.
    ///
    /// # Errors
    /// `InvalidArgument` for an axis out of range or of another size.
    squeeze = Squeeze { squeeze_dims: Vec<i64> };
}

/// [`Slice`]: the block of `size` elements from `begin` along each axis; size -1 means to the end.
///
/// # Errors
/// `InvalidArgument` if the block does not lie within the tensor.
#[track_caller]
pub fn slice<X: Operand>(
    x: X,
    begin: impl Into<Integers>,
    size: impl Into<Integers>,
) -> Result<<X::Value as Apply1<Slice>>::Output>
where
    X::Value: Apply1<Slice>,
{
    let _site = call_site();
    X::Value::apply1(&Slice { begin: begin.into(), size: size.into() }, &x.operand())
}

/// [`ShapeOf`]: the sizes of a tensor as an int64 vector, also where they are unknown in a trace.
///
/// # Errors
/// None of its own.
#[track_caller]
pub fn shape_of<X: Operand>(x: X) -> Result<<X::Value as Apply1<ShapeOf>>::Output>
where
    X::Value: Apply1<ShapeOf>,
{
    let _site = call_site();
    X::Value::apply1(&ShapeOf { out_type: DType::I64 }, &x.operand())
}

/// [`Size`]: the number of elements of a tensor as an int64 scalar.
///
/// # Errors
/// None of its own.
#[track_caller]
pub fn size<X: Operand>(x: X) -> Result<<X::Value as Apply1<Size>>::Output>
where
    X::Value: Apply1<Size>,
{
    let _site = call_site();
    X::Value::apply1(&Size { out_type: DType::I64 }, &x.operand())
}

/// [`Range`]: `start, start + delta, …` up to and without `limit`, all scalars of one dtype.
///
/// # Errors
/// `InvalidArgument` for a step of zero or one that leads away from the limit.
#[track_caller]
pub fn range(start: &Tensor, limit: &Tensor, delta: &Tensor) -> Result<Tensor> {
    let _site = call_site();
    Range {}.run(&[start, limit, delta])
}

/// [`Fill`]: a scalar repeated to a shape.
///
/// # Errors
/// `InvalidArgument` if the value is no scalar or a size is negative.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(ops::fill([2, 2], &tensor!(0.5f32))?.shape(), shape![2, 2]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn fill(dims: impl Into<Integers>, value: &Tensor) -> Result<Tensor> {
    let _site = call_site();
    Fill {}.run(&[&dims.into().to_tensor(), value])
}

/// [`Pad`]: zeros before and after along each axis.
///
/// # Errors
/// `InvalidArgument` if there is not one pair for each axis, or a padding is negative.
#[track_caller]
pub fn pad(x: &Tensor, paddings: &[[i64; 2]]) -> Result<Tensor> {
    let _site = call_site();
    Pad {}.run(&[x, &Tensor::new(paddings)?])
}

/// [`UnsortedSegmentSum`]: sums of the rows that have the same id.
///
/// # Errors
/// `InvalidArgument` for an id that is not below `num_segments`.
#[track_caller]
pub fn unsorted_segment_sum(data: &Tensor, ids: &Tensor, num_segments: &Tensor) -> Result<Tensor> {
    let _site = call_site();
    UnsortedSegmentSum {}.run(&[data, ids, num_segments])
}

/// [`Print`]: writes a text with tensors in its `{}` places, in program order, to `stdout`,
/// `stderr` or `file://PATH`; in a traced function at each call.
///
/// # Errors
/// `Internal` if the stream can't be written to.
#[track_caller]
pub fn print(template: &str, tensors: &[&Tensor], stream: &str) -> Result<()> {
    let _site = call_site();
    let format =
        StringFormat { template: template.to_owned(), placeholder: "{}".to_owned(), summarize: 3 };
    let text = format.run(tensors)?;
    let op = Print { output_stream: stream.to_owned(), end: "\n".to_owned() };
    crate::tensor::execute(op.def(), op.attrs(), &[&text]).map(|_| ())
}

macro_rules! methods {
    ($($(#[doc = $doc:literal])* $name:ident($($arg:ident: $ty:ty),*);)*) => {
        impl Tensor {
            $($(#[doc = $doc])*
            ///
            /// # Errors
            /// As the function.
            #[track_caller]
            pub fn $name(&self, $($arg: $ty),*) -> Result<Tensor> {
                $name(self, $($arg),*)
            })*
        }
    };
}
methods! {
    /// [`Cast`]: see [`ops::cast`](crate::ops::cast).
    cast(dtype: DType);
    /// [`LeakyRelu`]: see [`ops::leaky_relu`](crate::ops::leaky_relu).
    leaky_relu(alpha: f32);
    /// [`Slice`]: see [`ops::slice`](crate::ops::slice).
    slice(begin: impl Into<Integers>, size: impl Into<Integers>);
    /// [`Gather`]: see [`ops::gather`](crate::ops::gather).
    gather(indices: &Tensor, axis: impl Into<Axis>);
    /// [`Pad`]: see [`ops::pad`](crate::ops::pad).
    pad(paddings: &[[i64; 2]]);
}

impl Tensor {
    /// [`MatMul`]: see [`ops::matmul`](crate::ops::matmul).
    ///
    /// # Errors
    /// As the function.
    #[track_caller]
    pub fn matmul<Y: Operand>(&self, y: Y) -> Result<<Tensor as Apply2<Y::Value, MatMul>>::Output>
    where
        Tensor: Apply2<Y::Value, MatMul>,
    {
        matmul(self, y)
    }
}

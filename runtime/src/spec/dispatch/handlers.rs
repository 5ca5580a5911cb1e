//! Handlers of run-time dispatch, made from the typed ones.

use super::Call;
use crate::ops::{
    Apply1, Apply2, Apply3, ApplyMixed, ApplySeq, Arg, Binary, BinaryElementwise, Dynamic, Op,
    Reduce, Reductions, StaticInput, Unary, UnaryElementwise,
};
use crate::spec::{AnyValue, ExtensionType, Structure};
use crate::tensor::Tensor;
use crate::types::Result;

type Answer = Result<Option<AnyValue>>;

fn dynamic(call: &Call<'_>) -> Dynamic {
    Dynamic { def: call.def, attrs: call.attrs.clone() }
}

fn answer<T: Structure>(value: Result<Option<T>>) -> Answer {
    Ok(value?.map(AnyValue::new))
}

/// The handler of a unary family, from its typed form.
///
/// # Errors
/// What the typed handler fails with.
///
/// ```
/// use extype::ir::OpKind;
/// use extype::prelude::*;
/// use extype::spec::dispatch::{
///     DispatchEntry, Invocation, Operands, Target, TypeRef, register_handler, unary,
/// };
///
/// #[derive(ExtensionType, Clone, Debug)]
/// struct Tagged<T> {
///     x: Tensor,
///     tag: T,
/// }
///
/// #[dispatch]
/// impl<T: Structure + Clone> Tagged<T> {
///     #[overrides(unary_elementwise)]
///     fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
///         Ok(Self { x: op.call(&x.x)?, tag: x.tag.clone() })
///     }
/// }
///
/// // The instances of a generic type are registered one by one.
/// const OWNER: TypeRef = TypeRef::of::<Tagged<i64>>();
/// let (target, operands) = (Target::Family(OpKind::UnaryElementwise), Operands::Each(&[OWNER]));
/// let handler = unary::<Tagged<i64>>;
/// register_handler(DispatchEntry { owner: OWNER, target, operands, handler })?;
/// let x = Tagged { x: tensor![1.0f32, 2.0], tag: 3i64 };
/// let y: Tagged<i64> = Invocation::new("Neg").arg(x).call()?.downcast()?;
/// assert_eq!(y.x.as_slice::<f32>()?, &[-1.0, -2.0]);
/// # Ok::<(), Error>(())
/// ```
pub fn unary<T>(call: &Call<'_>) -> Answer
where
    T: ExtensionType + UnaryElementwise<Output: Structure>,
{
    let x: T = call.operand(0)?;
    answer(T::try_unary(&Unary(dynamic(call)), &x))
}

/// The handler of a binary family, from its typed form.
///
/// # Errors
/// What the typed handler fails with.
///
/// ```
/// use extype::ir::OpKind;
/// use extype::prelude::*;
/// use extype::spec::dispatch::{
///     DispatchEntry, Invocation, Operands, Target, TypeRef, binary, register_handler,
/// };
///
/// #[derive(ExtensionType, Clone, Debug)]
/// struct Tagged<T> {
///     x: Tensor,
///     tag: T,
/// }
///
/// #[dispatch]
/// impl<T: Structure + Clone> Tagged<T> {
///     #[overrides(binary_elementwise)]
///     fn binary(op: impl BinaryOp, x: &Self, y: &Self) -> Result<Self> {
///         Ok(Self { x: op.call(&x.x, &y.x)?, tag: x.tag.clone() })
///     }
/// }
///
/// // The instances of a generic type are registered one by one.
/// const OWNER: TypeRef = TypeRef::of::<Tagged<i64>>();
/// let (target, operands) =
///     (Target::Family(OpKind::BinaryElementwise), Operands::Each(&[OWNER, OWNER]));
/// let handler = binary::<Tagged<i64>, Tagged<i64>>;
/// register_handler(DispatchEntry { owner: OWNER, target, operands, handler })?;
/// let x = Tagged { x: tensor![1.0f32, 2.0], tag: 3i64 };
/// let y: Tagged<i64> = Invocation::new("Mul").arg(x.clone()).arg(x).call()?.downcast()?;
/// assert_eq!(y.x.as_slice::<f32>()?, &[1.0, 4.0]);
/// # Ok::<(), Error>(())
/// ```
pub fn binary<X, Y>(call: &Call<'_>) -> Answer
where
    X: Structure + BinaryElementwise<Y, Output: Structure>,
    Y: Structure,
{
    let (x, y): (X, Y) = (call.operand(0)?, call.operand(1)?);
    answer(X::try_binary(&Binary(dynamic(call)), &x, &y))
}

/// The handler of a family of reductions, from its typed form. Without axes it reduces over all of them.
///
/// # Errors
/// What the typed handler fails with.
///
/// ```
/// use extype::ir::OpKind;
/// use extype::prelude::*;
/// use extype::spec::dispatch::{
///     DispatchEntry, Invocation, Operands, Target, TypeRef, reduce, register_handler,
/// };
///
/// #[derive(ExtensionType, Clone, Debug)]
/// struct Tagged<T> {
///     x: Tensor,
///     tag: T,
/// }
///
/// #[dispatch]
/// impl<T: Structure + Clone> Tagged<T> {
///     #[overrides(reduction)]
///     fn reduce(op: impl ReductionOp, x: &Self) -> Result<Self> {
///         Ok(Self { x: op.call(&x.x)?, tag: x.tag.clone() })
///     }
/// }
///
/// // The instances of a generic type are registered one by one.
/// const OWNER: TypeRef = TypeRef::of::<Tagged<i64>>();
/// let (target, operands) = (Target::Family(OpKind::Reduction), Operands::Each(&[OWNER]));
/// let handler = reduce::<Tagged<i64>>;
/// register_handler(DispatchEntry { owner: OWNER, target, operands, handler })?;
/// let x = Tagged { x: tensor![1.0f32, 2.0], tag: 3i64 };
/// let y: Tagged<i64> = Invocation::new("Sum").arg(x).call()?.downcast()?;
/// assert_eq!(y.x.item::<f32>()?, 3.0);
/// # Ok::<(), Error>(())
/// ```
pub fn reduce<T>(call: &Call<'_>) -> Answer
where
    T: ExtensionType + Reductions<Output: Structure>,
{
    let x: T = call.operand(0)?;
    let axes = StaticInput::from_input(call.statics.first())?;
    let keep_dims = call.attrs.get(crate::ir::KEEP_DIMS)?;
    let op = Reduce { axes, keep_dims, function: dynamic(call) };
    answer(T::try_reduce(&op, &x))
}

/// The handler of a single op on one operand, from its typed form.
///
/// # Errors
/// What the typed handler fails with.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::dispatch::{
///     DispatchEntry, Invocation, Operands, Target, TypeRef, apply1, register_handler,
/// };
///
/// #[derive(ExtensionType, Clone, Debug)]
/// struct Tagged<T> {
///     x: Tensor,
///     tag: T,
/// }
///
/// #[dispatch]
/// impl<T: Structure + Clone> Tagged<T> {
///     #[overrides(Neg)]
///     fn neg(x: &Self) -> Result<Self> {
///         Ok(Self { x: ops::neg(&x.x)?, tag: x.tag.clone() })
///     }
/// }
///
/// // The instances of a generic type are registered one by one.
/// const OWNER: TypeRef = TypeRef::of::<Tagged<i64>>();
/// let (target, operands) = (Target::Op(|| "Neg"), Operands::Each(&[OWNER]));
/// let handler = apply1::<Tagged<i64>, ops::Neg>;
/// register_handler(DispatchEntry { owner: OWNER, target, operands, handler })?;
/// let x = Tagged { x: tensor![1.0f32, 2.0], tag: 3i64 };
/// let y: Tagged<i64> = Invocation::new("Neg").arg(x).call()?.downcast()?;
/// assert_eq!(y.x.as_slice::<f32>()?, &[-1.0, -2.0]);
/// # Ok::<(), Error>(())
/// ```
pub fn apply1<X, O>(call: &Call<'_>) -> Answer
where
    X: Structure + Apply1<O, Output: Structure>,
    O: Op,
{
    let op: O = call.op()?;
    answer(X::try_apply1(&op, &call.operand(0)?))
}

/// The handler of a single op on two operands, from its typed form.
///
/// # Errors
/// What the typed handler fails with.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::dispatch::{
///     DispatchEntry, Invocation, Operands, Target, TypeRef, apply2, register_handler,
/// };
///
/// #[derive(ExtensionType, Clone, Debug)]
/// struct Tagged<T> {
///     x: Tensor,
///     tag: T,
/// }
///
/// #[dispatch]
/// impl<T: Structure + Clone> Tagged<T> {
///     #[overrides(Add)]
///     fn add(x: &Self, y: &Self) -> Result<Self> {
///         Ok(Self { x: ops::add(&x.x, &y.x)?, tag: x.tag.clone() })
///     }
/// }
///
/// // The instances of a generic type are registered one by one.
/// const OWNER: TypeRef = TypeRef::of::<Tagged<i64>>();
/// let (target, operands) = (Target::Op(|| "AddV2"), Operands::Each(&[OWNER, OWNER]));
/// let handler = apply2::<Tagged<i64>, Tagged<i64>, ops::Add>;
/// register_handler(DispatchEntry { owner: OWNER, target, operands, handler })?;
/// let x = Tagged { x: tensor![1.0f32, 2.0], tag: 3i64 };
/// let y: Tagged<i64> = Invocation::new("AddV2").arg(x.clone()).arg(x).call()?.downcast()?;
/// assert_eq!(y.x.as_slice::<f32>()?, &[2.0, 4.0]);
/// # Ok::<(), Error>(())
/// ```
pub fn apply2<X, Y, O>(call: &Call<'_>) -> Answer
where
    X: Structure + Apply2<Y, O, Output: Structure>,
    Y: Structure,
    O: Op,
{
    let op: O = call.op()?;
    answer(X::try_apply2(&op, &call.operand(0)?, &call.operand(1)?))
}

/// The handler of a single op on three operands, from its typed form.
///
/// # Errors
/// What the typed handler fails with.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::dispatch::{
///     DispatchEntry, Invocation, Operands, Target, TypeRef, apply3, register_handler,
/// };
///
/// #[derive(ExtensionType, Clone, Debug)]
/// struct Tagged<T> {
///     x: Tensor,
///     tag: T,
/// }
///
/// #[dispatch]
/// impl<T: Structure + Clone> Tagged<T> {
///     #[overrides(Select)]
///     fn select(condition: &Tensor, x: &Self, y: &Self) -> Result<Self> {
///         Ok(Self { x: ops::select(condition, &x.x, &y.x)?, tag: x.tag.clone() })
///     }
/// }
///
/// // The instances of a generic type are registered one by one.
/// const OWNER: TypeRef = TypeRef::of::<Tagged<i64>>();
/// const TENSOR: TypeRef = TypeRef::of::<Tensor>();
/// let (target, operands) = (Target::Op(|| "SelectV2"), Operands::Each(&[TENSOR, OWNER, OWNER]));
/// let handler = apply3::<Tensor, Tagged<i64>, Tagged<i64>, ops::Select>;
/// register_handler(DispatchEntry { owner: OWNER, target, operands, handler })?;
/// let x = Tagged { x: tensor![1.0f32, 2.0], tag: 3i64 };
/// let y: Tagged<i64> =
///     Invocation::new("SelectV2").arg(scalar(true)).arg(x.clone()).arg(x).call()?.downcast()?;
/// assert_eq!(y.x.as_slice::<f32>()?, &[1.0, 2.0]);
/// # Ok::<(), Error>(())
/// ```
pub fn apply3<X, Y, Z, O>(call: &Call<'_>) -> Answer
where
    X: Structure + Apply3<Y, Z, O, Output: Structure>,
    Y: Structure,
    Z: Structure,
    O: Op,
{
    let op: O = call.op()?;
    answer(X::try_apply3(&op, &call.operand(0)?, &call.operand(1)?, &call.operand(2)?))
}

/// The handler of a single op on a sequence, from its typed form.
///
/// # Errors
/// What the typed handler fails with.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::dispatch::{
///     DispatchEntry, Invocation, Operands, Target, TypeRef, apply_seq, register_handler,
/// };
///
/// #[derive(ExtensionType, Clone, Debug)]
/// struct Tagged<T> {
///     x: Tensor,
///     tag: T,
/// }
///
/// #[dispatch]
/// impl<T: Structure + Clone> Tagged<T> {
///     #[overrides(Stack)]
///     fn stack(xs: &[&Self], axis: i64) -> Result<Self> {
///         let all: Vec<&Tensor> = xs.iter().map(|x| &x.x).collect();
///         Ok(Self { x: ops::stack(&all, axis)?, tag: xs[0].tag.clone() })
///     }
/// }
///
/// // The instances of a generic type are registered one by one.
/// const OWNER: TypeRef = TypeRef::of::<Tagged<i64>>();
/// let (target, operands) = (Target::Op(|| "Pack"), Operands::Sequence(&[OWNER]));
/// let handler = apply_seq::<Tagged<i64>, ops::Stack>;
/// register_handler(DispatchEntry { owner: OWNER, target, operands, handler })?;
/// let x = Tagged { x: tensor![1.0f32, 2.0], tag: 3i64 };
/// let y: Tagged<i64> = Invocation::new("Pack").arg(x.clone()).arg(x).call()?.downcast()?;
/// assert_eq!(y.x.shape(), shape![2, 2]);
/// # Ok::<(), Error>(())
/// ```
pub fn apply_seq<X, O>(call: &Call<'_>) -> Answer
where
    X: Structure + ApplySeq<O, Output: Structure>,
    O: Op,
{
    let op: O = call.op()?;
    let xs = (0..call.operands.len()).map(|i| call.operand(i)).collect::<Result<Vec<X>>>()?;
    answer(X::try_apply_seq(&op, &xs.iter().collect::<Vec<_>>()))
}

/// The handler of a single op on a sequence with tensors in it, from its typed form.
///
/// # Errors
/// What the typed handler fails with.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::dispatch::{
///     DispatchEntry, Invocation, Operands, Target, TypeRef, apply_mixed, register_handler,
/// };
///
/// #[derive(ExtensionType, Clone, Debug)]
/// struct Tagged<T> {
///     x: Tensor,
///     tag: T,
/// }
///
/// #[dispatch]
/// impl<T: Structure + Clone> Tagged<T> {
///     #[overrides(Stack, with = Tensor)]
///     fn stack(xs: &[ops::Arg<'_, Self, Tensor>], axis: i64) -> Result<Self> {
///         let Some(ops::Arg::This(first)) = xs.first() else { return Err(Error::invalid("no tag")) };
///         let tensor = |x: &ops::Arg<'_, Self, Tensor>| match x {
///             ops::Arg::This(x) => x.x.clone(),
///             ops::Arg::Other(x) => (*x).clone(),
///         };
///         let all: Vec<Tensor> = xs.iter().map(tensor).collect();
///         Ok(Self { x: ops::stack(&all, axis)?, tag: first.tag.clone() })
///     }
/// }
///
/// // The instances of a generic type are registered one by one.
/// const OWNER: TypeRef = TypeRef::of::<Tagged<i64>>();
/// const TENSOR: TypeRef = TypeRef::of::<Tensor>();
/// let (target, operands) = (Target::Op(|| "Pack"), Operands::Sequence(&[OWNER, TENSOR]));
/// let handler = apply_mixed::<Tagged<i64>, ops::Stack>;
/// register_handler(DispatchEntry { owner: OWNER, target, operands, handler })?;
/// let x = Tagged { x: tensor![1.0f32, 2.0], tag: 3i64 };
/// let y: Tagged<i64> = Invocation::new("Pack").arg(x).arg(tensor![3.0f32, 4.0]).call()?.downcast()?;
/// assert_eq!(y.x.as_slice::<f32>()?, &[1.0, 2.0, 3.0, 4.0]);
/// # Ok::<(), Error>(())
/// ```
pub fn apply_mixed<X, O>(call: &Call<'_>) -> Answer
where
    X: ExtensionType + ApplyMixed<O, Output: Structure>,
    O: Op,
{
    enum Item<X> {
        Own(X),
        Tensor(Tensor),
    }
    let op: O = call.op()?;
    let item = |(i, value): (usize, &AnyValue)| match value.as_tensor() {
        Some(tensor) => Ok(Item::Tensor(tensor.clone())),
        None => call.operand(i).map(Item::Own),
    };
    let items = call.operands.iter().enumerate().map(item).collect::<Result<Vec<Item<X>>>>()?;
    let args = items.iter().map(|item| match item {
        Item::Own(x) => Arg::This(x),
        Item::Tensor(x) => Arg::Other(x),
    });
    answer(X::try_apply_mixed(&op, &args.collect::<Vec<_>>()))
}

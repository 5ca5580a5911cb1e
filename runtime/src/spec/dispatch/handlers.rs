//! Handlers of run-time dispatch made of the typed ones.

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
pub fn binary<X, Y>(call: &Call<'_>) -> Answer
where
    X: Structure + BinaryElementwise<Y, Output: Structure>,
    Y: Structure,
{
    let (x, y): (X, Y) = (call.operand(0)?, call.operand(1)?);
    answer(X::try_binary(&Binary(dynamic(call)), &x, &y))
}

/// The handler of a family of reductions, from its typed form. Without axes it is over all.
///
/// # Errors
/// What the typed handler fails with.
pub fn reduction<T>(call: &Call<'_>) -> Answer
where
    T: ExtensionType + Reductions<Output: Structure>,
{
    let x: T = call.operand(0)?;
    let axes = StaticInput::from_input(call.statics.first())?;
    let keep_dims = call.attrs.get(crate::op::KEEP_DIMS)?;
    let op = Reduce { axes, keep_dims, function: dynamic(call) };
    answer(T::try_reduce(&op, &x))
}

/// The handler of a single op on one operand, from its typed form.
///
/// # Errors
/// What the typed handler fails with.
pub fn apply1<X, O>(call: &Call<'_>) -> Answer
where
    X: Structure + Apply1<O, Output: Structure>,
    O: Op,
{
    let op = O::from_parts(call.attrs, call.statics)?;
    answer(X::try_apply1(&op, &call.operand(0)?))
}

/// The handler of a single op on two operands, from its typed form.
///
/// # Errors
/// What the typed handler fails with.
pub fn apply2<X, Y, O>(call: &Call<'_>) -> Answer
where
    X: Structure + Apply2<Y, O, Output: Structure>,
    Y: Structure,
    O: Op,
{
    let op = O::from_parts(call.attrs, call.statics)?;
    answer(X::try_apply2(&op, &call.operand(0)?, &call.operand(1)?))
}

/// The handler of a single op on three operands, from its typed form.
///
/// # Errors
/// What the typed handler fails with.
pub fn apply3<X, Y, Z, O>(call: &Call<'_>) -> Answer
where
    X: Structure + Apply3<Y, Z, O, Output: Structure>,
    Y: Structure,
    Z: Structure,
    O: Op,
{
    let op = O::from_parts(call.attrs, call.statics)?;
    answer(X::try_apply3(&op, &call.operand(0)?, &call.operand(1)?, &call.operand(2)?))
}

/// The handler of a single op on a sequence, from its typed form.
///
/// # Errors
/// What the typed handler fails with.
pub fn apply_seq<X, O>(call: &Call<'_>) -> Answer
where
    X: Structure + ApplySeq<O, Output: Structure>,
    O: Op,
{
    let op = O::from_parts(call.attrs, call.statics)?;
    let xs = (0..call.operands.len()).map(|i| call.operand(i)).collect::<Result<Vec<X>>>()?;
    answer(X::try_apply_seq(&op, &xs.iter().collect::<Vec<_>>()))
}

/// The handler of a single op on a sequence with tensors in it, from its typed form.
///
/// # Errors
/// What the typed handler fails with.
pub fn apply_mixed<X, O>(call: &Call<'_>) -> Answer
where
    X: ExtensionType + ApplyMixed<O, Output: Structure>,
    O: Op,
{
    enum Item<X> {
        Own(X),
        Tensor(Tensor),
    }
    let op = O::from_parts(call.attrs, call.statics)?;
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

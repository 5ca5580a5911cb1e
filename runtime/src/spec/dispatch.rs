//! Dispatch at run time: ops on [`AnyValue`]s, for loaded models and mixed containers.
//!
//! The handlers are the typed ones, seen through function pointers; `#[dispatch]` submits them at
//! link time. The rule is that of TensorFlow's extension-types RFC: the types among the operands
//! are asked in order, left to right, sequences in element order, each once; a type that does not
//! take these operand types is skipped; the first handler that does not decline answers; and if
//! all decline the original op runs, which needs tensors.

use std::any::TypeId;
use std::sync::{OnceLock, PoisonError, RwLock};

use super::{AnySpec, AnyValue, ExtensionType, Structure};
use crate::op::{Attrs, OpDef, OpKind, find_op};
use crate::ops::{
    Apply1, Apply2, Apply3, ApplySeq, Binary, BinaryElementwise, Dynamic, HostInput, Op, Reduce,
    Reductions, Unary, UnaryElementwise,
};
use crate::tensor::{Tensor, execute_one};
use crate::types::{Result, bail, err};

/// A call at run time: what a handler gets.
pub struct Call<'a> {
    /// The op.
    pub def: &'static OpDef,
    /// Its attributes.
    pub attrs: &'a Attrs,
    /// The operands.
    pub operands: &'a [AnyValue],
    /// Inputs after the operands, such as axes.
    pub host: &'a [Tensor],
}

impl Call<'_> {
    /// Operand `i` with its Rust type.
    ///
    /// # Errors
    /// `InvalidArgument` if it is missing or of another type.
    pub fn operand<T: Structure>(&self, i: usize) -> Result<T> {
        let value = self.operands.get(i).ok_or_else(|| err!("operand {i} is missing"))?;
        value.clone().downcast()
    }
}

/// A handler: a result, or `None` to decline (the RFC's `NotImplemented`).
pub type Handler = fn(&Call<'_>) -> Result<Option<AnyValue>>;

/// What a handler overrides.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// Every op of a family.
    Family(OpKind),
    /// The op with this graph name.
    Op(fn() -> &'static str),
}

/// The operand types that a handler takes.
#[derive(Clone, Copy)]
pub enum Operands {
    /// These, in this order.
    Each(&'static [fn() -> TypeId]),
    /// Any number of operands, each of one of these types.
    Sequence(&'static [fn() -> TypeId]),
}

/// A handler with what it is for; submitted by `#[dispatch]`, or registered at run time.
#[derive(Clone, Copy)]
pub struct DispatchEntry {
    /// The type that overrides.
    pub owner: fn() -> TypeId,
    /// What is overridden.
    pub target: Target,
    /// The operand types it takes.
    pub operands: Operands,
    /// The handler.
    pub handler: Handler,
}

inventory::collect!(DispatchEntry);

fn table() -> &'static RwLock<Vec<DispatchEntry>> {
    static TABLE: OnceLock<RwLock<Vec<DispatchEntry>>> = OnceLock::new();
    TABLE.get_or_init(|| {
        RwLock::new(inventory::iter::<DispatchEntry>.into_iter().copied().collect())
    })
}

/// Adds a handler at run time: for an instance of a generic type, or one that may decline.
pub fn register_handler(entry: DispatchEntry) {
    table().write().unwrap_or_else(PoisonError::into_inner).push(entry);
}

impl DispatchEntry {
    fn overrides(&self, def: &OpDef) -> bool {
        match self.target {
            Target::Family(kind) => kind == def.kind,
            Target::Op(name) => name() == def.name,
        }
    }

    /// True if the handler takes operands of these types.
    fn takes(&self, types: &[Option<TypeId>]) -> bool {
        match self.operands {
            Operands::Each(want) => {
                types.len() == want.len() && want.iter().zip(types).all(|(w, t)| Some(w()) == *t)
            }
            Operands::Sequence(any) => {
                types.iter().all(|t| t.is_some_and(|t| any.iter().any(|w| w() == t)))
            }
        }
    }
}

/// The Rust type that dispatch sees for a value.
fn type_of(value: &AnyValue) -> Option<TypeId> {
    match value.spec() {
        AnySpec::Tensor(_) => Some(TypeId::of::<Tensor>()),
        AnySpec::Composite(c) => c.class.type_id,
        _ => None,
    }
}

/// Calls an op by its graph name on values of any types.
///
/// # Errors
/// `NotFound` for an unknown op; `InvalidArgument` if no type's handler takes these operands and
/// they are not all tensors; what a handler or the op fails with.
pub fn call(op: &str, args: &[AnyValue], attrs: &Attrs) -> Result<AnyValue> {
    let def = find_op(op)?;
    if args.len() > def.inputs.len() && !def.inputs.iter().any(|a| a.list) {
        bail!("{op} takes {} inputs, {} given", def.inputs.len(), args.len());
    }
    let table = table().read().unwrap_or_else(PoisonError::into_inner).clone();
    // Host inputs, such as axes, are not looked at.
    let is_host = |i: usize| def.spread_inputs(args.len()).nth(i).is_some_and(|a| a.host);
    let (host, operands): (Vec<_>, Vec<_>) =
        args.iter().cloned().enumerate().partition(|(i, _)| is_host(*i));
    let operands: Vec<AnyValue> = operands.into_iter().map(|(_, a)| a).collect();
    let host: Option<Vec<Tensor>> = host.iter().map(|(_, a)| a.as_tensor().cloned()).collect();
    let Some(host) = host else { bail!("{op}: axes, sizes and other host inputs are tensors") };
    let types: Vec<Option<TypeId>> = operands.iter().map(type_of).collect();
    let call = Call { def, attrs, operands: &operands, host: &host };
    let mut asked = Vec::new();
    for owner in types.iter().flatten() {
        if *owner == TypeId::of::<Tensor>() || asked.contains(owner) {
            continue;
        }
        asked.push(*owner);
        if let Some(value) = ask(*owner, &call, &types, &table)? {
            return Ok(value);
        }
    }
    original(def, args, attrs)
}

/// Asks the handlers of one type: those of the single op first, then those of its family.
fn ask(
    owner: TypeId,
    call: &Call<'_>,
    types: &[Option<TypeId>],
    table: &[DispatchEntry],
) -> Result<Option<AnyValue>> {
    let own = |e: &&DispatchEntry| (e.owner)() == owner && e.overrides(call.def);
    let (single, family): (Vec<&DispatchEntry>, Vec<&DispatchEntry>) =
        table.iter().filter(own).partition(|e| matches!(e.target, Target::Op(_)));
    for entry in single.into_iter().chain(family) {
        if entry.takes(types)
            && let Some(value) = (entry.handler)(call)?
        {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

fn original(def: &'static OpDef, args: &[AnyValue], attrs: &Attrs) -> Result<AnyValue> {
    let mut tensors = Vec::with_capacity(args.len());
    for (i, arg) in args.iter().enumerate() {
        match arg.as_tensor() {
            Some(t) => tensors.push(t),
            None => {
                let given: Vec<String> = args.iter().map(|a| a.spec().to_string()).collect();
                bail!(
                    "{}: no handler takes ({}), and argument {i} is no tensor; add \
                     #[overrides(…)] for these types to a #[dispatch] impl",
                    def.name,
                    given.join(", ")
                )
            }
        }
    }
    execute_one(def, attrs.clone(), &tensors).map(AnyValue::new)
}

fn dynamic(call: &Call<'_>) -> Dynamic {
    Dynamic { def: call.def, attrs: call.attrs.clone() }
}

/// The handler of a unary family, from its typed form.
///
/// # Errors
/// What the typed handler fails with.
pub fn unary<T>(call: &Call<'_>) -> Result<Option<AnyValue>>
where
    T: ExtensionType + UnaryElementwise<Output: Structure>,
{
    let x: T = call.operand(0)?;
    T::unary(&Unary(dynamic(call)), &x).map(|v| Some(AnyValue::new(v)))
}

/// The handler of a binary family, from its typed form.
///
/// # Errors
/// What the typed handler fails with.
pub fn binary<X, Y>(call: &Call<'_>) -> Result<Option<AnyValue>>
where
    X: Structure + BinaryElementwise<Y, Output: Structure>,
    Y: Structure,
{
    let (x, y): (X, Y) = (call.operand(0)?, call.operand(1)?);
    X::binary(&Binary(dynamic(call)), &x, &y).map(|v| Some(AnyValue::new(v)))
}

/// The handler of a family of reductions, from its typed form.
///
/// # Errors
/// What the typed handler fails with.
pub fn reduction<T>(call: &Call<'_>) -> Result<Option<AnyValue>>
where
    T: ExtensionType + Reductions<Output: Structure>,
{
    let x: T = call.operand(0)?;
    let axes = HostInput::from_input(call.host.first())?;
    let keep_dims = call.attrs.get("keep_dims")?;
    let op = Reduce { axes, keep_dims, function: dynamic(call) };
    T::reduce(&op, &x).map(|v| Some(AnyValue::new(v)))
}

/// The handler of a single op on one operand, from its typed form.
///
/// # Errors
/// What the typed handler fails with.
pub fn apply1<X, O>(call: &Call<'_>) -> Result<Option<AnyValue>>
where
    X: Structure + Apply1<O, Output: Structure>,
    O: Op,
{
    let op = O::from_parts(call.attrs, call.host)?;
    X::apply1(&op, &call.operand(0)?).map(|v| Some(AnyValue::new(v)))
}

/// The handler of a single op on two operands, from its typed form.
///
/// # Errors
/// What the typed handler fails with.
pub fn apply2<X, Y, O>(call: &Call<'_>) -> Result<Option<AnyValue>>
where
    X: Structure + Apply2<Y, O, Output: Structure>,
    Y: Structure,
    O: Op,
{
    let op = O::from_parts(call.attrs, call.host)?;
    X::apply2(&op, &call.operand(0)?, &call.operand(1)?).map(|v| Some(AnyValue::new(v)))
}

/// The handler of a single op on three operands, from its typed form.
///
/// # Errors
/// What the typed handler fails with.
pub fn apply3<X, Y, Z, O>(call: &Call<'_>) -> Result<Option<AnyValue>>
where
    X: Structure + Apply3<Y, Z, O, Output: Structure>,
    Y: Structure,
    Z: Structure,
    O: Op,
{
    let op = O::from_parts(call.attrs, call.host)?;
    X::apply3(&op, &call.operand(0)?, &call.operand(1)?, &call.operand(2)?)
        .map(|v| Some(AnyValue::new(v)))
}

/// The handler of a single op on a sequence, from its typed form.
///
/// # Errors
/// What the typed handler fails with.
pub fn apply_seq<X, O>(call: &Call<'_>) -> Result<Option<AnyValue>>
where
    X: Structure + ApplySeq<O, Output: Structure>,
    O: Op,
{
    let op = O::from_parts(call.attrs, call.host)?;
    let xs = (0..call.operands.len()).map(|i| call.operand(i)).collect::<Result<Vec<X>>>()?;
    X::apply_seq(&op, &xs.iter().collect::<Vec<_>>()).map(|v| Some(AnyValue::new(v)))
}

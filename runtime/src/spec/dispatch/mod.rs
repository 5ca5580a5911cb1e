//! Run-time dispatch: ops on [`AnyValue`]s. It serves loaded models, mixed containers and values whose types
//! are not known at compile time.
//!
//! The handlers are the typed ones behind function pointers. `#[dispatch]` submits them at link time;
//! [`register_handler`] adds others. A call follows TensorFlow's extension-types RFC:
//!
//! 1. **Arguments are put in order**: named arguments go to their positions, lists are replaced by their
//!    elements, missing attributes get their defaults, and plain numbers and variables become tensors
//!    ([`Invocation`]). Attributes and plain numbers take no part in dispatch.
//! 2. **Each operand type is tried once**, left to right, sequences in element order. A declared subtype
//!    (`#[dispatch(subtype_of(Other))]`, [`declare_subtype`]) is tried before its supertypes. As in NumPy's
//!    protocol, it comes right before the first supertype to its left.
//! 3. **The type's handlers for the op are called first**, then those for the op's family. A handler whose
//!    operand types do not match the call is skipped.
//! 4. **The first handler that does not decline decides** the result or error. A handler declines by
//!    returning `Ok(None)`, the RFC's `NotImplemented`.
//! 5. If all decline, **the original op runs** on tensors. Extension types that declare a conversion
//!    ([`register_conversion`], or `#[overrides(to_tensor)]`) are converted; any other is an error that lists
//!    the handlers tried.
//!
//! A call costs a look-up for every distinct type among its operands, however many handlers the
//! program has.
//!
//! For typed calls the compiler does all of this, at no run-time cost. The impl for the operand types is the
//! handler. An impl for a single op is preferred to that for a family within which it is declared. Types
//! without a handler don't compile. A typed handler may decline too, by returning `Result<Option<…>>`. The
//! result type is then fixed, so no other handler is tried: the call fails with an error that names the op
//! and the types.

mod arguments;
mod compounds;
mod convert;
mod handlers;
mod order;
mod running;
mod table;

use std::any::{Any, TypeId};

pub use arguments::Invocation;
#[doc(hidden)]
pub use compounds::{Calls, asking};
pub use compounds::{StandIn, TensorTyped};
pub use convert::{ConversionEntry, register_conversion};
pub use handlers::{apply_mixed, apply_seq, apply1, apply2, apply3, binary, reduce, unary};
pub use order::{SubtypeEntry, declare_subtype};
#[doc(hidden)]
pub use running::handled;
pub(crate) use table::short_name;
pub use table::{DispatchEntry, Operands, Target, TypeRef, register_handler};
use table::{Handlers, Key};

use super::{AnySpec, AnyValue, Structure};
use crate::ir::{Attrs, OpDef, OpKind, find_op};
use crate::ops::{Axes, Op, StaticInput, settle_numbers};
use crate::tensor::{Tensor, execute};
use crate::types::{Error, Result, bail, err};

/// A run-time call, as a handler receives it.
pub struct Call<'a> {
    /// The op.
    pub def: &'static OpDef,
    /// Its attributes.
    pub attrs: &'a Attrs,
    /// The operands.
    pub operands: &'a [AnyValue],
    /// Inputs that take no part in dispatch, such as axes.
    pub statics: &'a [Tensor],
    /// The op as its type, if the caller has it. The arguments of a compound of its own type are nowhere else.
    pub op: Option<&'a dyn Any>,
}

impl Call<'_> {
    /// Operand `i` with its Rust type.
    ///
    /// # Errors
    /// `InvalidArgument` if it is missing or of another type.
    ///
    /// ```
    /// use extype::ir::{Attrs, find_op};
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    /// use extype::spec::dispatch::Call;
    /// let (attrs, operands) = (Attrs::new(), [AnyValue::new(scalar(2.0f32))]);
    /// let call = Call { def: find_op("Neg")?, attrs: &attrs, operands: &operands, statics: &[], op: None };
    /// assert_eq!(call.operand::<Tensor>(0)?.item::<f32>()?, 2.0);
    /// assert_eq!(call.operand::<Tensor>(1).unwrap_err().message(), "operand 1 is missing");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn operand<T: Structure>(&self, i: usize) -> Result<T> {
        let value = self.operands.get(i).ok_or_else(|| err!("operand {i} is missing"))?;
        value.clone().downcast()
    }

    /// The op with its Rust type.
    ///
    /// # Errors
    /// `InvalidArgument` if an attribute or input is missing or of another kind.
    ///
    /// ```
    /// use extype::ir::{Attrs, find_op};
    /// use extype::prelude::*;
    /// use extype::spec::dispatch::Call;
    /// let attrs = Attrs::new();
    /// let call = Call { def: find_op("Neg")?, attrs: &attrs, operands: &[], statics: &[], op: None };
    /// assert_eq!(call.op::<ops::Neg>()?.name(), "neg");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn op<O: Op>(&self) -> Result<O> {
        match self.op.and_then(|op| op.downcast_ref::<O>()) {
            Some(op) => Ok(op.clone()),
            None => O::from_parts(self.attrs, self.statics),
        }
    }
}

/// A handler: a result, or `None` to decline (the RFC's `NotImplemented`).
pub type Handler = fn(&Call<'_>) -> Result<Option<AnyValue>>;

/// Calls an op by its graph name on values of any types, given by position. Missing attributes
/// get their defaults; [`Invocation`] takes arguments by name as well.
///
/// An op with several results gives a tuple, an op without results `()`.
///
/// # Errors
/// `NotFound` for an unknown op; `InvalidArgument` if no type's handler takes these operands and
/// they don't all convert to tensors; what a handler or the op fails with.
///
/// ```
/// use extype::ir::Attrs;
/// use extype::prelude::*;
/// use extype::spec::AnyValue;
/// use extype::spec::dispatch;
///
/// let args = [AnyValue::from(tensor![3.0f32, 4.0]), AnyValue::new(1.0)];
/// let sum = dispatch::call("AddV2", &args, &Attrs::new())?;
/// assert_eq!(sum.downcast::<Tensor>()?.as_slice::<f32>()?, &[4.0, 5.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn call(op: &str, args: &[AnyValue], attrs: &Attrs) -> Result<AnyValue> {
    let def = find_op(op)?;
    let attrs = arguments::with_defaults(def, attrs.clone());
    let args = arguments::in_order(def, args.to_vec()).map_err(|e| e.with_op(def.rust_name))?;
    dispatched(def, &args, &attrs)
}

/// Dispatches a call whose arguments are in order.
#[track_caller]
fn dispatched(def: &'static OpDef, args: &[AnyValue], attrs: &Attrs) -> Result<AnyValue> {
    let (operands, statics) = apart(def, args)?;
    let call = Call { def, attrs, operands: &operands, statics: &statics, op: None };
    match answer(&call, &[])? {
        Some(value) => Ok(value),
        None => unanswered(&call, args),
    }
}

/// The operands of a call, and its static inputs, such as axes, which take no part in dispatch.
fn apart(def: &OpDef, args: &[AnyValue]) -> Result<(Vec<AnyValue>, Vec<Tensor>)> {
    let (mut operands, mut statics) = (Vec::new(), Vec::new());
    for (arg, value) in def.spread_inputs(args.len()).zip(args) {
        match (arg.is_static, value.as_tensor()) {
            (false, _) => operands.push(value.clone()),
            (true, Some(tensor)) => statics.push(tensor.clone()),
            (true, None) => {
                bail!(
                    "{}: axes, sizes and other static inputs are integers or tensors",
                    def.rust_name
                )
            }
        }
    }
    Ok((operands, statics))
}

/// The result of the first handler that takes the call, of `others` after those of the types.
#[track_caller]
fn answer(call: &Call<'_>, others: &[DispatchEntry]) -> Result<Option<AnyValue>> {
    let types: Vec<Option<TypeId>> = call.operands.iter().map(type_of).collect();
    let handlers = table::snapshot();
    let asked = order::asked(types.iter().flatten().copied(), &handlers.subtypes);
    let keys = [Key::Op(call.def.name), Key::Family(call.def.kind)];
    let of_types =
        asked.iter().flat_map(|owner| keys.iter().flat_map(|key| handlers.of(*owner, *key)));
    let others = others.iter().filter(|entry| keys.contains(&entry.key()));
    for entry in of_types.chain(others).filter(|entry| entry.operands.accept(&types)) {
        let name = || entry.owner.name();
        if let Some(value) = running::run(call.def, name, || (entry.handler)(call))? {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// A call that no handler takes: the op itself, if all arguments convert to tensors.
#[track_caller]
fn unanswered(call: &Call<'_>, args: &[AnyValue]) -> Result<AnyValue> {
    let handlers = table::snapshot();
    original(call.def, args, call.attrs, &handlers).map_err(|refused| match refused {
        Refused::ByOp(e) => e,
        Refused::NoTensor(i) => nobody(call, args, i, &handlers),
    })
}

/// The Rust type that dispatch sees for a value.
fn type_of(value: &AnyValue) -> Option<TypeId> {
    match value.spec() {
        AnySpec::Tensor(_) => Some(TypeId::of::<Tensor>()),
        AnySpec::Composite(c) => c.class.type_id,
        _ => None,
    }
}

enum Refused {
    ByOp(Error),
    /// The argument at this place does not convert to a tensor.
    NoTensor(usize),
}

impl From<Error> for Refused {
    fn from(e: Error) -> Self {
        Refused::ByOp(e)
    }
}

#[track_caller]
fn original(
    def: &'static OpDef,
    args: &[AnyValue],
    attrs: &Attrs,
    handlers: &Handlers,
) -> Result<AnyValue, Refused> {
    let mut tensors = Vec::with_capacity(args.len() + 1);
    for (i, arg) in args.iter().enumerate() {
        let tensor = convert::to_tensor(arg, handlers).ok_or(Refused::NoTensor(i))?;
        tensors.push(tensor.map_err(|e| e.with_op(def.rust_name))?);
    }
    if def.kind == OpKind::Reduction
        && let [x] = &tensors[..]
    {
        let all = Axes::All.to_input(x)?;
        tensors.push(all);
    }
    let tensors: Vec<&Tensor> = tensors.iter().collect();
    let mut results = match settle_numbers(def, &tensors, 0)? {
        Some(settled) => execute(def, attrs.clone(), &settled.iter().collect::<Vec<_>>())?,
        None => execute(def, attrs.clone(), &tensors)?,
    };
    Ok(match results.len() {
        0 => AnyValue::new(()),
        1 => AnyValue::new(results.remove(0)),
        _ => {
            let specs = results.iter().map(|t| AnySpec::Tensor(t.type_spec())).collect();
            AnyValue::from_parts(AnySpec::Tuple(specs), results.into_vec())?
        }
    })
}

/// The error if no handler answered and an argument does not convert to a tensor.
fn nobody(call: &Call<'_>, args: &[AnyValue], no_tensor: usize, handlers: &Handlers) -> Error {
    let def = call.def;
    let types: Vec<Option<TypeId>> = call.operands.iter().map(type_of).collect();
    let asked = order::asked(types.iter().flatten().copied(), &handlers.subtypes);
    let given: Vec<String> = args.iter().map(|a| a.spec().to_string()).collect();
    let mut text = format!("no handler takes ({})", given.join(", "));
    for owner in &asked {
        let own = || [Key::Op(def.name), Key::Family(def.kind)].map(|key| handlers.of(*owner, key));
        let Some(first) = own().into_iter().flatten().next() else { continue };
        let name = first.owner.short_name();
        match own().into_iter().flatten().any(|e| e.operands.accept(&types)) {
            true => text.push_str(&format!("; `{name}` declined")),
            false => {
                let lists: Vec<String> =
                    own().into_iter().flatten().map(|e| e.operands.to_string()).collect();
                text.push_str(&format!("; `{name}` takes {}", lists.join(", ")));
            }
        }
    }
    text.push_str(&format!(
        "; and argument {no_tensor} does not convert to a tensor: add #[overrides(…)] for these \
         types to a #[dispatch] impl"
    ));
    Error::invalid(text).with_op(def.rust_name)
}

/// True if the op of this name works on each element of its one operand, and an override of
/// `unary_elementwise` covers it (TensorFlow's `tf.dispatch.is_unary_elementwise_op`). For an op definition
/// see [`OpDef::is_unary_elementwise`].
///
/// # Errors
/// `NotFound` for an unknown op.
///
/// ```
/// use extype::spec::dispatch::is_unary_elementwise_op;
/// assert!(is_unary_elementwise_op("Tanh")? && !is_unary_elementwise_op("AddV2")?);
/// # Ok::<(), extype::Error>(())
/// ```
pub fn is_unary_elementwise_op(op: &str) -> Result<bool> {
    find_op(op).map(OpDef::is_unary_elementwise)
}

/// True if the op of this name works on the corresponding elements of its two operands, and an override of
/// `binary_elementwise` covers it (TensorFlow's `tf.dispatch.is_binary_elementwise_op`). For an op definition
/// see [`OpDef::is_binary_elementwise`].
///
/// # Errors
/// `NotFound` for an unknown op.
///
/// ```
/// use extype::spec::dispatch::is_binary_elementwise_op;
/// assert!(is_binary_elementwise_op("AddV2")? && !is_binary_elementwise_op("MatMul")?);
/// # Ok::<(), extype::Error>(())
/// ```
pub fn is_binary_elementwise_op(op: &str) -> Result<bool> {
    find_op(op).map(OpDef::is_binary_elementwise)
}

/// True if the op of this name reduces its one operand over axes, and an override of `reduction` covers it.
/// For an op definition see [`OpDef::is_reduction`].
///
/// # Errors
/// `NotFound` for an unknown op.
///
/// ```
/// use extype::spec::dispatch::is_reduction_op;
/// assert!(is_reduction_op("Sum")? && !is_reduction_op("Tanh")?);
/// # Ok::<(), extype::Error>(())
/// ```
pub fn is_reduction_op(op: &str) -> Result<bool> {
    find_op(op).map(OpDef::is_reduction)
}

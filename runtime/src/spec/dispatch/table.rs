//! The table of handlers, by type and op.

use std::any::{TypeId, type_name};
use std::fmt;
use std::sync::{Arc, OnceLock};

use arc_swap::{ArcSwap, Guard};
use rustc_hash::FxHashMap;

use super::Handler;
use super::convert::{ConversionEntry, Convert};
use super::order::{SubtypeEntry, Subtypes};
use crate::ir::{OpKind, find_op};
use crate::tensor::Tensor;
use crate::types::{Result, bail};

/// A Rust type as a constant: its identity and its name.
#[derive(Clone, Copy)]
pub struct TypeRef {
    id: fn() -> TypeId,
    name: fn() -> &'static str,
}

impl TypeRef {
    /// The type `T`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::dispatch::TypeRef;
    /// const TYPES: [TypeRef; 2] = [TypeRef::of::<Tensor>(), TypeRef::of::<Vec<Tensor>>()];
    /// assert!(TYPES[0] == TypeRef::of::<Tensor>() && TYPES[0] != TYPES[1]);
    /// ```
    pub const fn of<T: 'static>() -> Self {
        Self { id: TypeId::of::<T>, name: type_name::<T> }
    }

    /// The id of the type.
    ///
    /// ```
    /// use std::any::TypeId;
    /// use extype::prelude::*;
    /// use extype::spec::dispatch::TypeRef;
    /// assert_eq!(TypeRef::of::<Tensor>().id(), TypeId::of::<Tensor>());
    /// ```
    pub fn id(&self) -> TypeId {
        (self.id)()
    }

    /// The name of the type, with its module path.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::dispatch::TypeRef;
    /// assert_eq!(TypeRef::of::<Tensor>().name(), std::any::type_name::<Tensor>());
    /// ```
    pub fn name(&self) -> &'static str {
        (self.name)()
    }

    /// The name of the type, without module paths.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::dispatch::TypeRef;
    /// assert_eq!(TypeRef::of::<Vec<Tensor>>().short_name(), "Vec<Tensor>");
    /// assert_eq!(TypeRef::of::<[Tensor; 2]>().short_name(), "[Tensor; 2]");
    /// ```
    pub fn short_name(&self) -> String {
        short_name(self.name())
    }
}

/// The name of a type without module paths, also within `<…>`.
pub(crate) fn short_name(name: &str) -> String {
    name.split_inclusive(['<', '>', ',', ' ', '&', '(', ')', '['])
        .map(|part| part.rsplit_once("::").map_or(part, |(_, last)| last))
        .collect()
}

impl PartialEq for TypeRef {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl fmt::Debug for TypeRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a handler overrides.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// Every op of a family.
    Family(OpKind),
    /// The op with this graph name.
    Op(fn() -> &'static str),
}

/// The operand types that a handler takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operands {
    /// Exactly these types, in this order.
    Each(&'static [TypeRef]),
    /// Any number of operands, each of one of these types (the RFC's `__tf_dispatch_types__`).
    Sequence(&'static [TypeRef]),
}

impl Operands {
    /// True if the handler takes operands of these types.
    pub(super) fn accept(&self, types: &[Option<TypeId>]) -> bool {
        match self {
            Operands::Each(want) => {
                types.len() == want.len() && want.iter().zip(types).all(|(w, t)| Some(w.id()) == *t)
            }
            Operands::Sequence(any) => {
                types.iter().all(|t| t.is_some_and(|t| any.iter().any(|w| w.id() == t)))
            }
        }
    }

    fn types(&self) -> &'static [TypeRef] {
        match self {
            Operands::Each(types) | Operands::Sequence(types) => types,
        }
    }
}

impl fmt::Display for Operands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.types().iter().map(TypeRef::short_name).collect();
        match self {
            Operands::Each(_) => write!(f, "({})", names.join(", ")),
            Operands::Sequence(_) => write!(f, "[{}, …]", names.join(" | ")),
        }
    }
}

/// A handler with its owner, target and operand types; submitted by `#[dispatch]`, or registered at run time.
#[derive(Clone, Copy)]
pub struct DispatchEntry {
    /// The type that overrides.
    pub owner: TypeRef,
    /// What is overridden.
    pub target: Target,
    /// The operand types it takes.
    pub operands: Operands,
    /// The handler.
    pub handler: Handler,
}

inventory::collect!(DispatchEntry);

/// The key of a handler, besides its owner.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Family(OpKind),
    Op(&'static str),
}

impl DispatchEntry {
    pub(super) fn key(&self) -> Key {
        match self.target {
            Target::Family(kind) => Key::Family(kind),
            Target::Op(name) => Key::Op(name()),
        }
    }
}

/// All declared handlers, subtypes and conversions.
#[derive(Clone, Default)]
pub(super) struct Handlers {
    handlers: FxHashMap<(TypeId, Key), Vec<DispatchEntry>>,
    pub(super) subtypes: Subtypes,
    pub(super) conversions: FxHashMap<TypeId, Convert>,
}

impl Handlers {
    /// The handlers of a type for an op or a family.
    pub(super) fn of(&self, owner: TypeId, key: Key) -> &[DispatchEntry] {
        self.handlers.get(&(owner, key)).map_or(&[], Vec::as_slice)
    }

    fn add(&mut self, entry: DispatchEntry) {
        self.handlers.entry((entry.owner.id(), entry.key())).or_default().push(entry);
    }
}

fn table() -> &'static ArcSwap<Handlers> {
    static TABLE: OnceLock<ArcSwap<Handlers>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut handlers = Handlers::default();
        for entry in inventory::iter::<DispatchEntry> {
            handlers.add(*entry);
        }
        for entry in inventory::iter::<SubtypeEntry> {
            // A declaration that closes a cycle is ignored.
            let _ = handlers.subtypes.declare(entry.subtype, entry.supertype);
        }
        for entry in inventory::iter::<ConversionEntry> {
            handlers.conversions.insert(entry.owner.id(), Arc::new(entry.convert));
        }
        ArcSwap::from_pointee(handlers)
    })
}

/// The handlers as they are now.
pub(super) fn snapshot() -> Guard<Arc<Handlers>> {
    table().load()
}

/// Changes the table of handlers. If `change` fails, it stays as it was.
pub(super) fn change(change: impl Fn(&mut Handlers) -> Result<()>) -> Result<()> {
    let mut result = Ok(());
    table().rcu(|old| {
        let mut new = Handlers::clone(old);
        result = change(&mut new);
        if result.is_ok() { Arc::new(new) } else { old.clone() }
    });
    result
}

/// Adds a handler at run time: for an instance of a generic type, or one without a typed form.
/// It covers ops that are registered later, too.
///
/// # Errors
/// `AlreadyExists` if the type has a handler for this target and these operands;
/// `InvalidArgument` if its type is not among the operands, or the op has another number of
/// operands.
///
/// ```
/// use extype::ir::Attrs;
/// use extype::prelude::*;
/// use extype::spec::AnyValue;
/// use extype::spec::dispatch::{
///     Call, DispatchEntry, Operands, Target, TypeRef, call, register_handler,
/// };
/// #[derive(ExtensionType, Clone, Debug)]
/// struct Tagged {
///     x: Tensor,
/// }
/// fn negated(c: &Call<'_>) -> Result<Option<AnyValue>> {
///     let x = ops::neg(&c.operand::<Tagged>(0)?.x)?;
///     Ok(Some(AnyValue::new(Tagged { x })))
/// }
/// const OWNER: TypeRef = TypeRef::of::<Tagged>();
/// let (target, operands) = (Target::Op(|| "Neg"), Operands::Each(&[OWNER]));
/// register_handler(DispatchEntry { owner: OWNER, target, operands, handler: negated })?;
/// let x = AnyValue::new(Tagged { x: scalar(2.0f32) });
/// let y: Tagged = call("Neg", &[x], &Attrs::new())?.downcast()?;
/// assert_eq!(y.x.item::<f32>()?, -2.0);
/// # Ok::<(), Error>(())
/// ```
pub fn register_handler(entry: DispatchEntry) -> Result<()> {
    let (key, operands) = (entry.key(), entry.operands);
    let what = match key {
        Key::Op(name) => format!("the op `{name}`"),
        Key::Family(kind) => format!("the family {kind:?}"),
    };
    let owner = entry.owner.short_name();
    if !operands.types().contains(&entry.owner) || entry.owner == TypeRef::of::<Tensor>() {
        bail!(
            "a handler of `{owner}` for {what} that takes {operands} is never asked: name \
             `{owner}`, which can't be Tensor, among its operands"
        );
    }
    let inputs = match key {
        Key::Op(name) => find_op(name).ok().map(|def| def.inputs),
        Key::Family(_) => None,
    };
    if let Some(inputs) = inputs.filter(|inputs| !inputs.iter().any(|a| a.list))
        && let Operands::Each(types) = operands
        && types.len() != inputs.iter().filter(|a| !a.is_static).count()
    {
        let names: Vec<&str> = inputs.iter().filter(|a| !a.is_static).map(|a| a.name).collect();
        bail!("the handler of `{owner}` takes {operands}, but {what} has ({})", names.join(", "));
    }
    change(|handlers| {
        if handlers.of(entry.owner.id(), key).iter().any(|e| e.operands == operands) {
            bail!(
                AlreadyExists,
                "`{owner}` has a handler for {what} that takes {operands} already"
            );
        }
        handlers.add(entry);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_lose_their_paths() {
        assert_eq!(super::short_name("a::b::C<d::E, &f::G>"), "C<E, &G>");
        assert_eq!(super::short_name("(x::Y, z::W)"), "(Y, W)");
    }
}

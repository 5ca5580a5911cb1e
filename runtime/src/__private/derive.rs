//! Functions that derived code calls.

use std::any::{TypeId, type_name};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::panic::Location;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use crate::function::{FunctionOptions, FunctionState};
use crate::ops::{NamedOp, Op};
use crate::spec::{
    AnySpec, AnyValue, Class, Composite, ExtensionType, Fingerprint, Hooks, Literal, ModuleState,
    StaticData, Structure, TypeSpec, dispatch, register_instance,
};
use crate::sync::Snapshot;
use crate::tensor::{Tensor, TensorLike};
use crate::types::{DType, Error, Result, Shape, bail, err};

// --- assertions: named by path with the span of the user's type ---
macro_rules! assertions {
    ($($(#[$attr:meta])* $name:ident: $bound:path;)*) => {
        $(#[doc = concat!("Holds where [`", stringify!($bound), "`] does; says so in other words.")]
        $(#[$attr])*
        pub trait $name {
            /// Named by the expansion.
            const CHECK: () = ();
        }

        #[diagnostic::do_not_recommend]
        impl<T: $bound> $name for T {})*
    };
}
assertions! {
    #[diagnostic::on_unimplemented(
        message = "`{Self}` can't be a field of an extension type",
        label = "neither a tensor, an extension type, nor static data",
        note = "derive `ExtensionType` for it, or `StaticData` and mark the field `#[static_data]`"
    )]
    Component: Structure;
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is not static data",
        label = "neither a number, a text, a dtype, a shape, nor made of these",
        note = "derive it: `#[derive(StaticData, Clone, PartialEq)]`"
    )]
    StaticField: StaticData;
    #[diagnostic::on_unimplemented(
        message = "`{Self}` can't be a field of a module",
        label = "neither a variable, a cell for one, nor a module",
        note = "derive `Module` for it, or mark the field `#[plain]`: its value is then part of a trace's key"
    )]
    State: ModuleState;
}

// --- #[derive(ExtensionType)] ---
/// The spec of a component out of a composite.
pub fn component_spec<S: TypeSpec>(composite: &Composite, name: &str) -> Result<S> {
    S::from_any(field(composite, name)?).map_err(|e| e.prefixed(format!("field `{name}`")))
}

/// A static field out of a composite.
pub fn static_field<T: StaticData>(composite: &Composite, name: &str) -> Result<T> {
    match field(composite, name)? {
        AnySpec::Literal(literal) => T::from_literal(literal),
        other => bail!("field `{name}`: expected a literal, got {other}"),
    }
}

fn field<'a>(composite: &'a Composite, name: &str) -> Result<&'a AnySpec> {
    composite
        .field(name)
        .ok_or_else(|| err!("field `{name}` of `{}` is missing", composite.class.short_name))
}

/// Static data as a field of a composite.
pub fn literal<T: StaticData>(value: &T) -> AnySpec {
    AnySpec::Literal(value.to_literal())
}

/// The name of the variant as a field of a composite.
pub fn variant(name: &'static str) -> AnySpec {
    AnySpec::Literal(Literal::Str(name.into()))
}

/// The literal that stands for a variant (`#[derive(StaticData)]`).
pub fn variant_literal(name: &'static str) -> Literal {
    Literal::Str(name.into())
}

/// The name of the variant that a composite is the spec of.
pub fn variant_of(composite: &Composite) -> Result<&str> {
    match field(composite, "variant")? {
        AnySpec::Literal(Literal::Str(name)) => Ok(name),
        other => bail!("field `variant`: expected a string, got {other}"),
    }
}

/// The error for a name that is no variant.
#[cold]
pub fn unknown_variant(ty: &str, name: &str) -> Error {
    err!("`{ty}` has no variant `{name}`")
}

// --- #[derive(StaticData)] ---
/// A field as a literal.
pub fn static_literal<T: StaticData>(value: &T) -> Literal {
    value.to_literal()
}

/// Equality as literals have it.
pub fn same_static<T: StaticData>(a: &T, b: &T) -> bool {
    a.same(b)
}

/// Adds a value to a fingerprint.
#[inline]
pub fn mix_static<T: StaticData>(value: &T, fingerprint: &mut Fingerprint) {
    value.mix_literal(fingerprint);
}

/// Named fields.
pub fn literal_map<const N: usize>(fields: [(&'static str, Literal); N]) -> Literal {
    Literal::Map(fields.into_iter().map(|(name, l)| (name.to_string(), l)).collect())
}

/// Fields by position.
pub fn literal_list<const N: usize>(fields: [Literal; N]) -> Literal {
    Literal::List(fields.into())
}

/// A variant with fields: its name, and the fields.
pub fn variant_with(name: &'static str, fields: Literal) -> Literal {
    Literal::List([variant_literal(name), fields].into())
}

/// The name of a variant, and its fields.
pub fn literal_variant<'a>(literal: &'a Literal, ty: &str) -> Result<(&'a str, &'a Literal)> {
    match literal {
        Literal::Str(name) => Ok((name, &Literal::None)),
        Literal::List(items) => match &items[..] {
            [Literal::Str(name), fields] => Ok((name, fields)),
            _ => bail!("expected a variant of `{ty}`, got {literal}"),
        },
        other => bail!("expected a variant of `{ty}`, got {other}"),
    }
}

/// A named field.
pub fn map_entry<T: StaticData>(fields: &Literal, ty: &str, name: &str) -> Result<T> {
    let Literal::Map(map) = fields else { bail!("expected the fields of a `{ty}`, got {fields}") };
    let Some(literal) = map.get(name) else { bail!("`{ty}` without field `{name}`: {fields}") };
    T::from_literal(literal).map_err(|e| e.prefixed(format!("field `{name}`")))
}

/// A field by position.
pub fn list_entry<T: StaticData>(fields: &Literal, ty: &str, i: usize) -> Result<T> {
    let Literal::List(list) = fields else {
        bail!("expected the fields of a `{ty}`, got {fields}")
    };
    let Some(literal) = list.get(i) else { bail!("`{ty}` without field `{i}`: {fields}") };
    T::from_literal(literal).map_err(|e| e.prefixed(format!("field `{i}`")))
}

/// The tensor for a field of a constructor.
#[track_caller]
pub fn tensor_field(name: &'static str, value: impl TensorLike) -> Result<Tensor> {
    Tensor::new(value).map_err(|e| e.prefixed(format!("field `{name}`")))
}

/// Checks every tensor in a field against the constraints of the field. Unknown dimensions pass.
pub fn check_field<T: Structure>(
    name: &str,
    value: &T,
    dtypes: &[DType],
    shape: Option<&Shape>,
) -> Result<()> {
    check_leaves(&format!("`{name}`"), &value.type_spec().to_any(), dtypes, shape)
}

fn check_leaves(path: &str, spec: &AnySpec, dtypes: &[DType], shape: Option<&Shape>) -> Result<()> {
    let (found_dtype, found_shape) = match spec {
        AnySpec::Tensor(t) => (t.dtype, &t.shape),
        AnySpec::Variable(v) => (v.dtype, &v.shape),
        _ => {
            let mut parts = spec.named_components().into_iter();
            let inner = |part: &str| format!("{}{part}`", path.trim_end_matches('`'));
            return parts
                .try_for_each(|(part, spec)| check_leaves(&inner(&part), &spec, dtypes, shape));
        }
    };
    if !dtypes.is_empty() && !dtypes.contains(&found_dtype) {
        let wanted: Vec<String> = dtypes.iter().map(ToString::to_string).collect();
        bail!("field {path}: expected dtype {}, got {found_dtype}", wanted.join(" or "));
    }
    match shape {
        Some(wanted) if !wanted.is_compatible_with(found_shape) => {
            bail!("field {path}: expected shape {wanted}, got {found_shape}")
        }
        _ => Ok(()),
    }
}

/// The class of a type without parameters.
pub fn new_class<T: ExtensionType>(
    name: &'static str,
    short_name: &'static str,
    own_spec: bool,
) -> Arc<Class> {
    Arc::new(Class {
        name: Cow::Borrowed(name),
        short_name: Cow::Borrowed(short_name),
        type_id: Some(TypeId::of::<T>()),
        hooks: hooks::<T>(own_spec),
    })
}

/// The laws of a derived type: those of its fields, or of a spec that the user writes.
fn hooks<T: ExtensionType>(own_spec: bool) -> Hooks {
    let derived = Hooks::derived::<T>();
    match own_spec {
        true => Hooks { admit: derived.admit, ..Hooks::of::<T::Spec>() },
        false => derived,
    }
}

/// Finds the class of a type if it is an extension type, which after errors in its fields it is not:
/// the inherent constant is taken where its bound holds, that of [`NoClass`] elsewhere.
pub struct ClassOf<T>(PhantomData<T>);
impl<T: ExtensionType> ClassOf<T> {
    /// The class.
    pub const CLASS: fn() -> Arc<Class> = T::class;
}

/// See [`ClassOf`].
pub trait NoClass {
    /// Never called: the program does not compile.
    const CLASS: fn() -> Arc<Class> = || unreachable!();
}
impl<T> NoClass for ClassOf<T> {}

/// The class of one instance of a generic type: named with the type arguments, kept by `TypeId`,
/// and registered.
#[track_caller]
pub fn generic_class<T: ExtensionType>(
    name: &'static str,
    short_name: &'static str,
    own_spec: bool,
) -> Arc<Class> {
    static CLASSES: RwLock<BTreeMap<TypeId, Arc<Class>>> = RwLock::new(BTreeMap::new());
    let id = TypeId::of::<T>();
    if let Some(class) = CLASSES.read().unwrap_or_else(PoisonError::into_inner).get(&id) {
        return class.clone();
    }
    let full = type_name::<T>();
    let arguments = full.find('<').map_or("", |i| &full[i..]);
    let class = Class {
        name: Cow::Owned(format!("{name}{arguments}")),
        short_name: Cow::Borrowed(short_name),
        type_id: Some(id),
        hooks: hooks::<T>(own_spec),
    };
    let mut classes = CLASSES.write().unwrap_or_else(PoisonError::into_inner);
    let class = classes.entry(id).or_insert_with(|| Arc::new(class)).clone();
    drop(classes);
    register_instance(&class, Location::caller());
    class
}

/// The spec of a type whose derive failed: nothing of it is ever called.
pub struct StandIn<T>(PhantomData<fn() -> T>);
impl<T> Clone for StandIn<T> {
    fn clone(&self) -> Self {
        StandIn(PhantomData)
    }
}
impl<T> std::fmt::Debug for StandIn<T> {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Ok(())
    }
}
impl<T: Structure<Spec = StandIn<T>>> TypeSpec for StandIn<T> {
    type Value = T;
    fn to_any(&self) -> AnySpec {
        AnySpec::Literal(Literal::None)
    }
    fn from_any(_: &AnySpec) -> Result<Self> {
        Ok(StandIn(PhantomData))
    }
}

// --- #[tf_function] on generic functions: a static in a generic fn is one for all instances ---
/// The states of the instances of one generic function.
pub struct GenericStates {
    states: OnceLock<Snapshot<States>>,
    adding: Mutex<()>,
}

type States = FxHashMap<TypeId, &'static FunctionState>;

impl GenericStates {
    /// No instance was called yet.
    #[expect(clippy::new_without_default, reason = "it stands in a static")]
    pub const fn new() -> Self {
        Self { states: OnceLock::new(), adding: Mutex::new(()) }
    }

    /// The state of one instance, which is found without locks; `Twin` tells the instances apart.
    #[inline]
    pub fn of<Twin: 'static>(&self, options: FunctionOptions) -> &'static FunctionState {
        let states = self.states.get_or_init(Snapshot::default);
        let id = TypeId::of::<Twin>();
        let known = states.load().get(&id).copied();
        known.unwrap_or_else(|| self.add(states, id, options))
    }

    #[cold]
    fn add(
        &self,
        states: &Snapshot<States>,
        id: TypeId,
        options: FunctionOptions,
    ) -> &'static FunctionState {
        let _adding = self.adding.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = States::clone(&states.load());
        let new = || &*Box::leak(Box::new(FunctionState::new(options)));
        let state = *all.entry(id).or_insert_with(new);
        states.store(Arc::new(all));
        state
    }
}

// --- #[dispatch] ---
/// An op under a name of the expansion's own.
pub trait Overridden {
    /// The op.
    type Op: Op;
}

/// The op as the single op `T`, in a family's method. (Op: 'static)
pub fn downcast_op<T: Op, O: Op>(op: &O) -> Option<&T> {
    (op as &dyn std::any::Any).downcast_ref()
}

/// The value of a typed handler that may decline.
///
/// # Errors
/// `InvalidArgument` naming the op and the types if it declined.
pub fn unless_declined<T>(answer: Option<T>, op: &impl Op, types: &[&str]) -> Result<T> {
    answer.ok_or_else(|| declined(op.def().name, types))
}

#[cold]
fn declined(op: &str, types: &[&str]) -> Error {
    let types: Vec<String> = types.iter().map(|t| dispatch::short_name(t)).collect();
    err!(
        "the handler for ({}) declined these values; convert them to tensors, or to types that \
         the op takes",
        types.join(", ")
    )
    .with_op(op)
}

/// The original op on operands that were converted to tensors, for a handler that declined.
///
/// # Errors
/// What the op refuses.
#[track_caller]
pub fn original<T: From<Tensor>>(op: &impl Op, operands: &[&Tensor]) -> Result<T> {
    op.run(operands).map(T::from)
}

/// A value of a type that says how it converts, as a tensor.
///
/// # Errors
/// What the conversion fails with.
pub fn converted<T: Structure>(
    value: &AnyValue,
    convert: impl FnOnce(&T) -> Result<Tensor>,
) -> Result<Tensor> {
    convert(&value.clone().downcast()?)
}

/// The graph name of an op.
pub fn op_name<O: NamedOp>() -> &'static str {
    O::NAME
}

//! Functions that derived code calls.

use std::any::{TypeId, type_name};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::panic::Location;
use std::sync::{Arc, PoisonError, RwLock};

use crate::function::{FunctionOptions, FunctionState};
use crate::ops::{NamedOp, Op};
use crate::spec::{
    AnySpec, Class, Composite, ExtensionType, Hooks, Literal, ModuleState, StaticData, Structure,
    TypeSpec, register_instance,
};
use crate::tensor::{Tensor, TensorLike};
use crate::trace::Argument;
use crate::types::{Error, Result, bail, err};

// --- assertions: called in a const context with the span of the user's type ---
pub const fn component<T: Structure>() {} // a field of an extension type
pub const fn static_data<T: StaticData>() {} // a #[static_data] field
pub const fn module_state<T: ModuleState>() {} // a field of a module
pub const fn argument<T: Argument>() {} // an argument of a traced function
pub const fn result<T: Structure>() {} // the result of a traced function

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

/// The text of a literal that stands for a variant (`#[derive(StaticData)]`).
pub fn literal_text<'a>(literal: &'a Literal, ty: &str) -> Result<&'a str> {
    match literal {
        Literal::Str(name) => Ok(name),
        other => bail!("expected a variant of `{ty}`, got {other}"),
    }
}

/// The tensor for a field of a constructor.
#[track_caller]
pub fn tensor_field(name: &'static str, value: impl TensorLike) -> Result<Tensor> {
    Tensor::new(value).map_err(|e| e.prefixed(format!("field `{name}`")))
}

/// The class of a type without parameters.
pub fn new_class<T: ExtensionType>(name: &'static str, short_name: &'static str) -> Arc<Class> {
    Arc::new(Class {
        name: Cow::Borrowed(name),
        short_name: Cow::Borrowed(short_name),
        type_id: Some(TypeId::of::<T>()),
        hooks: Hooks::derived::<T>(),
    })
}

/// The class of one instance of a generic type: named with the type arguments, kept by `TypeId`,
/// and registered.
#[track_caller]
pub fn generic_class<T: ExtensionType>(name: &'static str, short_name: &'static str) -> Arc<Class> {
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
        hooks: Hooks::derived::<T>(),
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
/// The state of one instance of a generic function; `Twin` tells the instances apart.
pub fn generic_state<Twin: 'static>(options: FunctionOptions) -> &'static FunctionState {
    static STATES: RwLock<BTreeMap<TypeId, &'static FunctionState>> = RwLock::new(BTreeMap::new());
    let id = TypeId::of::<Twin>();
    if let Some(state) = STATES.read().unwrap_or_else(PoisonError::into_inner).get(&id) {
        return state;
    }
    let mut states = STATES.write().unwrap_or_else(PoisonError::into_inner);
    states.entry(id).or_insert_with(|| Box::leak(Box::new(FunctionState::new(options))))
}

// --- #[dispatch] ---
/// The op as the single op `T`, in a family's method. (Op: 'static)
pub fn downcast_op<T: Op, O: Op>(op: &O) -> Option<&T> {
    (op as &dyn std::any::Any).downcast_ref()
}

/// The graph name of an op.
pub fn op_name<O: NamedOp>() -> &'static str {
    O::NAME
}

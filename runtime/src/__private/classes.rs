//! Classes of derived types, and the spec of a type whose derive failed.

use std::any::{TypeId, type_name};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::panic::Location;
use std::sync::{Arc, PoisonError, RwLock};

use super::overrides::Message;
use crate::spec::{
    AnySpec, AnyValue, Class, ExtensionType, Hooks, Literal, Structure, TypeSpec, Validate,
    register_instance,
};
use crate::types::{Result, bail};

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

/// The hooks of a derived type, made from its fields or from a spec that the user writes.
fn hooks<T: ExtensionType>(own_spec: bool) -> Hooks {
    let derived = Hooks::derived::<T>();
    match own_spec {
        true => Hooks {
            version: derived.version,
            upgrade: derived.upgrade,
            admit: derived.admit,
            ..Hooks::of::<T::Spec>()
        },
        false => derived,
    }
}

/// A value from one of an older version, by a function from a type with its fields.
pub fn upgraded<Old: ExtensionType, T>(
    old: AnyValue,
    function: impl FnOnce(Old) -> Result<T>,
) -> Result<T> {
    function(old.reinterpret_as::<Old>()?)
}

/// The error for a version that no function reads.
pub fn not_upgraded<T: ExtensionType>(version: u32) -> Result<T> {
    bail!("values that version {version} wrote are not read; the type has version {}", T::VERSION)
}

/// Finds the class of a type if it is an extension type; after errors in its fields it is not. The
/// inherent constant is taken where its bound holds, otherwise that of [`NoClass`].
pub struct ClassOf<T>(PhantomData<T>);
impl<T: ExtensionType> ClassOf<T> {
    /// The class.
    pub const CLASS: fn() -> Arc<Class> = T::class;
}

impl<T: Validate> ClassOf<T> {
    /// The type has a `Validate`.
    pub const VALIDATES: bool = true;
}

/// See [`ClassOf`].
pub trait NoClass {
    /// Never called: the program does not compile.
    const CLASS: fn() -> Arc<Class> = || unreachable!();
    /// The type has no `Validate`.
    const VALIDATES: bool = false;
}
impl<T> NoClass for ClassOf<T> {}

/// Refuses a type that has a `Validate`, where its constructor does not call it.
#[track_caller]
pub const fn not_validated(validates: bool, name: &str) {
    if validates {
        Message::new("`")
            .then(name)
            .then("` has a `Validate` that its constructor does not call\nhelp: add `#[extension_type(validate)]`")
            .refuse();
    }
}

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

/// The spec of a type whose derive failed. None of its methods is ever called.
pub struct Broken<T>(PhantomData<fn() -> T>);
impl<T> Clone for Broken<T> {
    fn clone(&self) -> Self {
        Broken(PhantomData)
    }
}
impl<T> std::fmt::Debug for Broken<T> {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Ok(())
    }
}
impl<T> std::fmt::Display for Broken<T> {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Ok(())
    }
}
impl<T: Structure<Spec = Broken<T>>> TypeSpec for Broken<T> {
    type Value = T;
    fn to_any(&self) -> AnySpec {
        AnySpec::Literal(Literal::None)
    }
    fn from_any(_: &AnySpec) -> Result<Self> {
        Ok(Broken(PhantomData))
    }
}

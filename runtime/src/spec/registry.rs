//! Extension types by their globally unique names.
//!
//! Derived types are collected at link time, without a call. The name is the one given by
//! `name = "project.Type"`, or else the module path and the name of the type. Types declared inside functions
//! may share a default name; only looking up that name is an error. Explicit names must be unique, which
//! [`check_names`] checks.

use std::collections::BTreeMap;
use std::panic::Location;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::{Class, ExtensionType};
use crate::types::{Error, Result, bail, err};

/// A type collected at link time; submitted by `#[derive(ExtensionType)]`.
pub struct SpecEntry {
    /// The class of the type.
    pub class: fn() -> Arc<Class>,
    /// Where the type is declared.
    pub location: fn() -> &'static Location<'static>,
}

inventory::collect!(SpecEntry);

struct Registered {
    class: Arc<Class>,
    location: &'static Location<'static>,
    /// True if the first use of a generic instance registered it. It may still be registered explicitly.
    by_use: bool,
}

type TypesByName = BTreeMap<String, Vec<Registered>>;

fn table() -> &'static RwLock<TypesByName> {
    static TABLE: OnceLock<RwLock<TypesByName>> = OnceLock::new();
    // Built outside of the cell, since classes are user code.
    TABLE.get().unwrap_or_else(|| {
        let made = collected();
        TABLE.get_or_init(|| RwLock::new(made))
    })
}

fn collected() -> TypesByName {
    let mut table = TypesByName::new();
    for entry in inventory::iter::<SpecEntry> {
        let class = (entry.class)();
        let slot = table.entry(class.name.to_string()).or_default();
        slot.push(Registered { class, location: (entry.location)(), by_use: false });
    }
    // Link order is arbitrary, so the locations in messages are sorted.
    for slot in table.values_mut() {
        slot.sort_by_key(|r| (r.location.file(), r.location.line()));
    }
    table
}

/// Instances of generic types that were used and are not in the table yet. They are kept here because their
/// classes may be made while the table is being built.
static USED: Mutex<Vec<Registered>> = Mutex::new(Vec::new());

fn read() -> RwLockReadGuard<'static, TypesByName> {
    drop(write());
    table().read().unwrap_or_else(PoisonError::into_inner)
}

fn write() -> RwLockWriteGuard<'static, TypesByName> {
    let mut table = table().write().unwrap_or_else(PoisonError::into_inner);
    for used in USED.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        let slot = table.entry(used.class.name.to_string()).or_default();
        if !slot.iter().any(|r| r.class == used.class) {
            slot.push(used);
        }
    }
    table
}

/// Registers a type at run time: one whose [`ExtensionType`] is written by hand, or an instance
/// of a generic type before its first use (which registers it too).
///
/// # Errors
/// `AlreadyExists` if the type is registered already, or its name is taken by another type; the
/// message names both places. `InvalidArgument` for a name that is not of the form
/// `project.Type`.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::register_spec;
/// #[derive(ExtensionType, Clone, Debug)]
/// struct Labelled<T> {
///     value: T,
///     label: Tensor,
/// }
/// register_spec::<Labelled<Tensor>>()?;
/// let again = register_spec::<Labelled<Tensor>>();
/// assert_eq!(again.unwrap_err().kind(), ErrorKind::AlreadyExists);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn register_spec<T: ExtensionType>() -> Result<()> {
    register_class(T::class())
}

/// [`register_spec`] for a class without a Rust type.
///
/// # Errors
/// As [`register_spec`].
///
/// ```
/// use std::sync::Arc;
/// use extype::ErrorKind;
/// use extype::spec::{Class, Hooks, find_spec, register_class};
///
/// let class = |name: &'static str| {
///     let (name, short_name) = (name.into(), "Couple".into());
///     Arc::new(Class { name, short_name, type_id: None, hooks: Hooks::STRUCTURAL })
/// };
/// register_class(class("doc.Couple"))?;
/// assert_eq!(find_spec("doc.Couple")?.short_name, "Couple");
/// assert_eq!(register_class(class("doc.Couple")).unwrap_err().kind(), ErrorKind::AlreadyExists);
/// assert_eq!(register_class(class("Couple")).unwrap_err().kind(), ErrorKind::InvalidArgument);
/// # Ok::<(), extype::Error>(())
/// ```
#[track_caller]
pub fn register_class(class: Arc<Class>) -> Result<()> {
    let location = Location::caller();
    if !is_name(&class.name) {
        bail!(
            "`{}` is not a name that can be registered; give the project and the type: \
             `project.{}`",
            class.name,
            class.short_name
        );
    }
    let mut table = write();
    for (name, slot) in &mut *table {
        let Some(known) = slot.iter_mut().find(|r| r.class == class) else { continue };
        if std::mem::take(&mut known.by_use) {
            known.location = location;
            return Ok(());
        }
        bail!(
            AlreadyExists,
            "`{}` is registered as `{name}` already, at {}",
            class.short_name,
            known.location
        );
    }
    let slot = table.entry(class.name.to_string()).or_default();
    if let Some(other) = slot.first() {
        bail!(
            AlreadyExists,
            "the name `{}` is taken by the type registered at {}; give one of them another with \
             #[extension_type(name = \"…\")]",
            class.name,
            other.location
        );
    }
    slot.push(Registered { class, location, by_use: false });
    Ok(())
}

/// Registers an instance of a generic type when its class is first made.
pub(crate) fn register_instance(class: &Arc<Class>, location: &'static Location<'static>) {
    let used = Registered { class: class.clone(), location, by_use: true };
    USED.lock().unwrap_or_else(PoisonError::into_inner).push(used);
}

/// True for at least two parts of word characters, separated by dots (or by `::`, in default names). Generic
/// arguments, from `<` on, are not checked: the compiler names them.
fn is_name(name: &str) -> bool {
    let path = name.split('<').next().unwrap_or_default().replace("::", ".");
    let word = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || "_#".contains(c))
    };
    path.contains('.') && path.split('.').all(word)
}

/// The class registered under a name.
///
/// # Errors
/// `NotFound` if there is none; `AlreadyExists` naming both places if two types have it.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::find_spec;
///
/// #[derive(ExtensionType, Clone, Debug)]
/// #[extension_type(name = "doc.Found")]
/// struct Found {
///     x: Tensor,
/// }
///
/// assert_eq!(find_spec("doc.Found")?.short_name, "Found");
/// assert_eq!(find_spec("doc.Lost").unwrap_err().kind(), ErrorKind::NotFound);
/// # Ok::<(), Error>(())
/// ```
pub fn find_spec(name: &str) -> Result<Arc<Class>> {
    match read().get(name).map(Vec::as_slice) {
        None | Some([]) => bail!(NotFound, "no extension type is registered as `{name}`"),
        Some([one]) => Ok(one.class.clone()),
        Some([one, two, ..]) => Err(ambiguous(name, one, two)),
    }
}

/// The extension types of this name, without the project that they belong to.
#[cfg(feature = "formats")]
pub(crate) fn classes_named(short_name: &str) -> Vec<Arc<Class>> {
    let table = read();
    let named = table.values().flatten().filter(|r| r.class.short_name == short_name);
    named.map(|r| r.class.clone()).collect()
}

#[cold]
fn ambiguous(name: &str, one: &Registered, two: &Registered) -> Error {
    err!(
        AlreadyExists,
        "the name `{name}` stands for the types declared at {} and {}; give one of them another \
         with #[extension_type(name = \"…\")]",
        one.location,
        two.location
    )
}

/// The names of all registered types, sorted.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::registered_specs;
/// #[derive(ExtensionType, Clone, Debug)]
/// #[extension_type(name = "doc.Listed")]
/// struct Listed {
///     x: Tensor,
/// }
/// assert!(registered_specs().iter().any(|name| name == "doc.Listed"));
/// ```
pub fn registered_specs() -> Vec<String> {
    read().keys().cloned().collect()
}

/// Checks that every explicit name is well formed and belongs to one type only. Call it in a test or at the
/// start of a program. It also runs before the first trace.
///
/// Default names, which are the paths of types, may be shared. Looking up a shared name is an error.
///
/// # Errors
/// `AlreadyExists` naming both places; `InvalidArgument` for a malformed name.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::check_names;
/// #[derive(ExtensionType, Clone, Debug)]
/// #[extension_type(name = "doc.Checked")]
/// struct Checked {
///     x: Tensor,
/// }
/// check_names()?;
/// # Ok::<(), Error>(())
/// ```
pub fn check_names() -> Result<()> {
    for (name, slot) in &*read() {
        if !is_name(name) {
            bail!("`{name}` is not a name that can be registered; write `project.Type`");
        }
        if let [one, two, ..] = &slot[..]
            && !name.contains("::")
        {
            return Err(ambiguous(name, one, two));
        }
    }
    Ok(())
}

/// Checks once, before the first trace, that no two ops share a name and no two types an explicit one.
pub(crate) fn check_program() -> Result<()> {
    static CHECKED: AtomicBool = AtomicBool::new(false);
    if !CHECKED.load(Ordering::Relaxed) {
        crate::ir::check_names()?;
        check_names()?;
        CHECKED.store(true, Ordering::Relaxed);
    }
    Ok(())
}

impl Class {
    /// The registered name of this class, if no other class has it.
    ///
    /// # Errors
    /// `NotFound` if it is not registered; `AlreadyExists` naming both places if another class
    /// has the same name.
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// #[extension_type(name = "doc.Registered")]
    /// struct Registered {
    ///     x: Tensor,
    /// }
    ///
    /// assert_eq!(Registered::class().registered_name()?, "doc.Registered");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn registered_name(&self) -> Result<&str> {
        match find_spec(&self.name) {
            Ok(class) if *class == *self => Ok(&self.name),
            Err(e) if e.kind() == crate::types::ErrorKind::AlreadyExists => Err(e),
            _ => bail!(
                NotFound,
                "the type `{}` has no registered name; derive `ExtensionType`, or call \
                 `register_spec` for it",
                self.short_name
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_two_parts() {
        for name in ["a.B", "my_crate::types::B", "3d.P", "a::B<f32, b::C>", "a.b.C"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["B", "", ".", "a.", ".B", "a..B", "a-b.C", "a b.C", "B<c::D>", "a:B"] {
            assert!(!is_name(name), "{name}");
        }
    }
}

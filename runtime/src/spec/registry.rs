//! Extension types by their globally unique names.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::panic::Location;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use super::{Class, ExtensionType};
use crate::types::{Result, bail};

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
}

type Table = BTreeMap<String, Vec<Registered>>;

fn table() -> &'static RwLock<Table> {
    static TABLE: OnceLock<RwLock<Table>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table::new();
        for entry in inventory::iter::<SpecEntry> {
            let class = (entry.class)();
            let slot = table.entry(class.name.to_string()).or_default();
            slot.push(Registered { class, location: (entry.location)() });
        }
        RwLock::new(table)
    })
}

/// Registers a type at run time: an instance of a generic type, or any type where link-time
/// collection does not work.
///
/// # Errors
/// `AlreadyExists` if the type is registered already, or its name is taken by another type;
/// the message names both places.
#[track_caller]
pub fn register_spec<T: ExtensionType>() -> Result<()> {
    let class = T::class();
    let location = Location::caller();
    let mut table = table().write().unwrap_or_else(PoisonError::into_inner);
    let same = |c: &Class| c.type_id == Some(TypeId::of::<T>());
    if let Some((name, slot)) = table.iter().find(|(_, slot)| slot.iter().any(|r| same(&r.class))) {
        bail!(AlreadyExists, "the type is registered as `{name}` already, at {}", slot[0].location);
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
    slot.push(Registered { class, location });
    Ok(())
}

/// The class registered under a name.
///
/// # Errors
/// `NotFound` if there is none; `AlreadyExists` naming both places if two types have it.
pub fn find_spec(name: &str) -> Result<Arc<Class>> {
    let table = table().read().unwrap_or_else(PoisonError::into_inner);
    match table.get(name).map(Vec::as_slice) {
        None => bail!(NotFound, "no extension type is registered as `{name}`"),
        Some([one]) => Ok(one.class.clone()),
        Some(many) => bail!(
            AlreadyExists,
            "the name `{name}` stands for the types declared at {} and {}; give one of them \
             another with #[extension_type(name = \"…\")]",
            many[0].location,
            many[1].location
        ),
    }
}

/// The names of all registered types, sorted.
pub fn registered_specs() -> Vec<String> {
    table().read().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
}

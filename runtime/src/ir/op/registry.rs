//! All ops by name: those collected at link time and those registered at run time.

use std::collections::BTreeMap;
use std::sync::{OnceLock, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::OpDef;
use crate::types::{Error, Result, bail, err};

/// A definition collected at link time; made by [`define_op!`](crate::define_op).
pub struct OpEntry(pub &'static OpDef);

inventory::collect!(OpEntry);

/// Values by op that rows give besides the definition, such as gradient rules.
pub(crate) struct ByOp<T>(OnceLock<FxHashMap<usize, T>>);

impl<T> ByOp<T> {
    pub(crate) const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// The value for the op among `entries`, which the first call collects.
    pub(crate) fn get<E: Iterator<Item = (&'static OpDef, T)>>(
        &self,
        op: &'static OpDef,
        entries: impl FnOnce() -> E,
    ) -> Option<&T> {
        // Definitions are statics: their addresses identify them.
        let key = |op: &'static OpDef| std::ptr::from_ref(op).addr();
        self.0.get_or_init(|| entries().map(|(op, said)| (key(op), said)).collect()).get(&key(op))
    }
}

type OpsByName = BTreeMap<&'static str, Vec<&'static OpDef>>;

fn table() -> &'static RwLock<OpsByName> {
    static TABLE: OnceLock<RwLock<OpsByName>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = OpsByName::new();
        for entry in inventory::iter::<OpEntry> {
            for name in names(entry.0) {
                table.entry(name).or_default().push(entry.0);
            }
        }
        RwLock::new(table)
    })
}

/// The GraphDef names of an op.
fn names(def: &'static OpDef) -> impl Iterator<Item = &'static str> {
    std::iter::once(def.name).chain(def.stateful_name)
}

/// The definition of the op with this GraphDef name.
///
/// # Errors
/// `NotFound` if there is none, `AlreadyExists` naming the places if two rows of the program define it.
///
/// ```
/// use extype::ir::find_op;
/// use extype::prelude::*;
/// assert_eq!(find_op("AddV2")?.rust_name, "add");
/// assert!(find_op("Nothing").is_err());
/// # Ok::<(), Error>(())
/// ```
pub fn find_op(name: &str) -> Result<&'static OpDef> {
    let table = table().read().unwrap_or_else(PoisonError::into_inner);
    match table.get(name).map(Vec::as_slice) {
        None => bail!(NotFound, "no op is named `{name}`"),
        Some([def]) => Ok(def),
        Some(all) => Err(ambiguous(name, all)),
    }
}

#[cold]
fn ambiguous(name: &str, all: &[&'static OpDef]) -> Error {
    // Sort the places: the link order is arbitrary.
    let place = |def: &&OpDef| match def.module {
        "" => def.location.to_string(),
        module => format!("{} (in `{module}`)", def.location),
    };
    let mut places: Vec<String> = all.iter().map(place).collect();
    places.sort();
    let places = places.join(" and ");
    err!(
        AlreadyExists,
        "the name `{name}` stands for the ops defined at {places}; give one of them another, such as `Project>Op`"
    )
}

/// Checks that every name stands for one op only. Every trace begins with this.
///
/// # Errors
/// `AlreadyExists` naming the places if two rows have one name.
///
/// ```
/// extype::ir::check_names()?;
/// # Ok::<(), extype::Error>(())
/// ```
pub fn check_names() -> Result<()> {
    let table = table().read().unwrap_or_else(PoisonError::into_inner);
    match table.iter().find(|(_, defs)| defs.len() > 1) {
        Some((name, defs)) => Err(ambiguous(name, defs)),
        None => Ok(()),
    }
}

/// Adds an op at run time, on platforms without link-time collection or for made-up ops.
///
/// # Errors
/// `AlreadyExists` if the name is taken.
///
/// ```
/// use extype::ir::{ArgDef, ArgType, Kernel, KernelContext, OpDef, Outputs, find_op, register_op};
/// use extype::prelude::*;
/// fn copy(c: &KernelContext<'_>) -> Result<Outputs> {
///     Ok([c.input(0).clone()].into_iter().collect())
/// }
/// static COPY: OpDef = OpDef::new("DocCopy", "copy", ops::rules::same_shape, Kernel::General(copy))
///     .with_inputs(&[ArgDef::one("x", ArgType::Fixed(DType::F32))])
///     .with_outputs(&[ArgDef::one("y", ArgType::Fixed(DType::F32))]);
/// register_op(&COPY)?;
/// assert_eq!(find_op("DocCopy")?.rust_name, "copy");
/// assert_eq!(register_op(&COPY).unwrap_err().kind(), ErrorKind::AlreadyExists);
/// # Ok::<(), Error>(())
/// ```
pub fn register_op(def: &'static OpDef) -> Result<()> {
    let mut table = table().write().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names(def).find_map(|name| table.get(name)?.first()) {
        let name = def.name;
        bail!(
            AlreadyExists,
            "the op `{name}` is registered already, defined at {}",
            known.location
        );
    }
    for name in names(def) {
        table.entry(name).or_default().push(def);
    }
    Ok(())
}

/// Every op, sorted by name.
///
/// ```
/// use extype::ir::all_ops;
/// let all = all_ops();
/// assert!(all.is_sorted_by_key(|op| op.name));
/// assert!(all.iter().any(|op| op.name == "MatMul"));
/// ```
pub fn all_ops() -> Vec<&'static OpDef> {
    let table = table().read().unwrap_or_else(PoisonError::into_inner);
    let named = table.iter().filter_map(|(name, defs)| Some((*name, *defs.first()?)));
    named.filter(|(name, def)| *name == def.name).map(|(_, def)| def).collect()
}

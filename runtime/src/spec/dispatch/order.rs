//! The order in which the types of a call are tried.

use std::any::TypeId;

use rustc_hash::FxHashMap;

use super::table::{TypeRef, change};
use crate::spec::ExtensionType;
use crate::types::{Result, bail};

/// A declared subtype; submitted by `#[dispatch(subtype_of(…))]`.
#[derive(Clone, Copy)]
pub struct SubtypeEntry {
    /// The type that is tried first.
    pub subtype: TypeRef,
    /// The type that is tried after it.
    pub supertype: TypeRef,
}

inventory::collect!(SubtypeEntry);

/// Declares that run-time dispatch tries `Sub` before `Super`, whatever the order of the operands. `Sub` also
/// becomes a subtype of every supertype of `Super`. A handler for `Super` still does not accept a `Sub`.
/// `#[dispatch(subtype_of(Super))]` does the same.
///
/// # Errors
/// `InvalidArgument` if `Super` is `Sub` itself or declared a subtype of it.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::dispatch::declare_subtype;
/// #[derive(ExtensionType, Clone, Debug)]
/// struct Length {
///     metres: Tensor,
/// }
/// #[derive(ExtensionType, Clone, Debug)]
/// struct Depth {
///     metres: Tensor,
/// }
/// declare_subtype::<Depth, Length>()?;
/// assert!(declare_subtype::<Length, Depth>().is_err());
/// # Ok::<(), Error>(())
/// ```
pub fn declare_subtype<Sub: ExtensionType, Super: ExtensionType>() -> Result<()> {
    change(|handlers| handlers.subtypes.declare(TypeRef::of::<Sub>(), TypeRef::of::<Super>()))
}

/// The declared subtype relation with its transitive closure.
#[derive(Clone, Default)]
pub(super) struct Subtypes {
    supertypes: FxHashMap<TypeId, Vec<TypeId>>,
}

impl Subtypes {
    pub(super) fn declare(&mut self, subtype: TypeRef, supertype: TypeRef) -> Result<()> {
        let (sub, sup) = (subtype.id(), supertype.id());
        if sub == sup || self.is_subtype(sup, sub) {
            bail!(
                "`{}` can't be a subtype of `{}`, which is a subtype of it",
                subtype.short_name(),
                supertype.short_name()
            );
        }
        let mut above = vec![sup];
        above.extend(self.supertypes.get(&sup).into_iter().flatten());
        let below: Vec<TypeId> =
            self.supertypes.iter().filter(|(_, s)| s.contains(&sub)).map(|(t, _)| *t).collect();
        for t in below.into_iter().chain([sub]) {
            let known = self.supertypes.entry(t).or_default();
            for s in &above {
                if !known.contains(s) {
                    known.push(*s);
                }
            }
        }
        Ok(())
    }

    fn is_subtype(&self, sub: TypeId, sup: TypeId) -> bool {
        self.supertypes.get(&sub).is_some_and(|s| s.contains(&sup))
    }
}

/// The distinct types in the order in which they are tried: left to right, and each type before the first of
/// its supertypes. Tensors are left out.
pub(super) fn asked(types: impl Iterator<Item = TypeId>, subtypes: &Subtypes) -> Vec<TypeId> {
    let tensor = TypeId::of::<crate::tensor::Tensor>();
    let mut order: Vec<TypeId> = Vec::new();
    for t in types {
        if t == tensor || order.contains(&t) {
            continue;
        }
        let at = order.iter().position(|other| subtypes.is_subtype(t, *other));
        order.insert(at.unwrap_or(order.len()), t);
    }
    order
}

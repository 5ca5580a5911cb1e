//! Values with types known only at run time: the common type of two, and casts to it.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::arm::{OpenArm, branch, condition, here};
use super::join::Join;
use super::rows::IF;
use super::state::difference;
use crate::function::{flat, trace};
use crate::ir::decision;
use crate::spec::{AnySpec, AnyValue, Nested, Structure};
use crate::tensor::{Tensor, is_tracing};
use crate::types::{Error, Result, bail, deep};

/// A registered [`Join`] of two types; submitted by [`join_both_ways!`](crate::join_both_ways).
pub struct JoinEntry {
    types: fn() -> [TypeId; 2],
    casts: [Cast; 2],
}

type Cast = fn(AnyValue) -> Result<AnyValue>;

impl JoinEntry {
    /// The entry for `A` and `B`.
    pub const fn of<A: Structure + Join<B>, B: Structure>() -> Self {
        Self {
            types: || [TypeId::of::<A>(), TypeId::of::<B>()],
            casts: [
                |own| Ok(AnyValue::new(own.downcast::<A>()?.join_self()?)),
                |other| Ok(AnyValue::new(A::join_other(other.downcast::<B>()?)?)),
            ],
        }
    }
}

inventory::collect!(JoinEntry);

/// The Rust type of a spec's values, if the type may have a [`Join`].
fn type_of(spec: &AnySpec) -> Option<TypeId> {
    match spec {
        AnySpec::Tensor(_) => Some(TypeId::of::<Tensor>()),
        AnySpec::Composite(c) => c.class.type_id,
        _ => None,
    }
}

/// The casts from two different types to their common type.
fn casts(a: &AnySpec, b: &AnySpec) -> Option<[Cast; 2]> {
    static TABLE: OnceLock<BTreeMap<[TypeId; 2], [Cast; 2]>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let entries = inventory::iter::<JoinEntry>.into_iter();
        let both = entries.flat_map(|entry| {
            let ([a, b], [of_a, of_b]) = ((entry.types)(), entry.casts);
            [([a, b], [of_a, of_b]), ([b, a], [of_b, of_a])]
        });
        both.collect()
    });
    table.get(&[type_of(a)?, type_of(b)?]).copied()
}

/// The cast from values of `own` to values of `wanted`.
fn cast_between(own: &AnySpec, wanted: &AnySpec) -> Result<Cast> {
    let of = type_of(own);
    let mut refused = None;
    for entry in inventory::iter::<JoinEntry> {
        let casts = (entry.types)().into_iter().zip(entry.casts);
        for (_, cast) in casts.filter(|(ty, _)| Some(*ty) == of) {
            match spec_after(cast, own) {
                Ok(found) if found.is_compatible_with(wanted) => return Ok(cast),
                Ok(_) => {}
                Err(e) => refused = Some(e),
            }
        }
    }
    match refused {
        Some(e) => {
            Err(Error::new(e.kind(), format!("{own} can't be cast to {wanted}: {}", e.message())))
        }
        None => bail!("{own} can't be cast to {wanted}"),
    }
}

/// The spec that a cast returns for values of `spec`, found by tracing the cast.
fn spec_after(cast: Cast, spec: &AnySpec) -> Result<AnySpec> {
    let mut after = None;
    trace("cast", &["x"], std::slice::from_ref(spec), &[], &mut |leaves| {
        let leaves = spec.leaves().iter().map(|_| leaves.take()).collect::<Result<_>>()?;
        let value = cast(AnyValue::from_parts(spec.clone(), leaves)?)?;
        after = Some(value.spec().clone());
        flat(value.leaves().to_vec())
    })?;
    after.ok_or_else(|| crate::types::err!(Internal, "a cast was not traced"))
}

/// The pairs of parts of two containers with the same form; `None` if the forms differ.
fn parts(a: &AnySpec, b: &AnySpec) -> Option<Vec<(AnySpec, AnySpec)>> {
    let alike = match (a, b) {
        (AnySpec::Tuple(a), AnySpec::Tuple(b)) | (AnySpec::List(a), AnySpec::List(b)) => {
            return (a.len() == b.len())
                .then(|| a.iter().cloned().zip(b.iter().cloned()).collect());
        }
        (AnySpec::Map(a), AnySpec::Map(b)) => a.keys().eq(b.keys()),
        (AnySpec::Optional(Some(_)), AnySpec::Optional(Some(_))) => true,
        _ => false,
    };
    alike.then(|| a.component_specs().into_iter().zip(b.component_specs()).collect())
}

/// A container of the form of `like` with these parts.
fn container(like: &AnySpec, parts: Vec<AnySpec>) -> Result<AnySpec> {
    Ok(match like {
        AnySpec::Tuple(_) => AnySpec::Tuple(Nested::try_new(parts)?),
        AnySpec::List(_) => AnySpec::List(Nested::try_new(parts)?),
        AnySpec::Map(m) => {
            let all: BTreeMap<String, AnySpec> = m.keys().cloned().zip(parts).collect();
            AnySpec::Map(Nested::try_new(all)?)
        }
        AnySpec::Optional(_) => {
            AnySpec::Optional(parts.into_iter().next().map(Nested::try_new).transpose()?)
        }
        other => other.clone(),
    })
}

/// Casts of values with Rust types that are not known statically. They use the [`Join`]s registered by
/// [`join_both_ways!`](crate::join_both_ways), also within tuples, lists, maps and options.
impl AnySpec {
    /// The type that values of both specs can be cast to: the common supertype, or the joined type if one type has a
    /// [`Join`] with the other. `None` if there is none.
    ///
    /// The extension-types RFC: `castable_type`.
    ///
    /// # Errors
    /// What the casts fail with when they are traced; a type's own law that panics.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (a, b) = (TensorSpec::of::<f32>([2, 3]).to_any(), TensorSpec::of::<f32>([2, 5]).to_any());
    /// assert_eq!(a.castable_type(&b)?, Some(TensorSpec::of::<f32>(shape![2, ?]).to_any()));
    /// assert_eq!(a.castable_type(&TensorSpec::of::<i64>([2, 3]).to_any())?, None);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn castable_type(&self, other: &AnySpec) -> Result<Option<AnySpec>> {
        deep(|| {
            if let Some(joined) = self.joined(other)? {
                return Ok(Some(joined));
            }
            if let Some(parts) = parts(self, other) {
                let mut joined = Vec::with_capacity(parts.len());
                for (a, b) in parts {
                    let Some(part) = a.castable_type(&b)? else { return Ok(None) };
                    joined.push(part);
                }
                return container(self, joined).map(Some);
            }
            let Some([own, theirs]) = casts(self, other) else { return Ok(None) };
            spec_after(own, self)?.joined(&spec_after(theirs, other)?)
        })
    }

    /// The value cast to this type.
    ///
    /// The extension-types RFC: `cast`.
    ///
    /// # Errors
    /// `InvalidArgument` if there is no cast to this type; what the cast fails with.
    ///
    /// ```
    /// use extype::control::Join;
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    /// /// A number that is known exactly.
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Exact {
    ///     value: Tensor,
    /// }
    ///
    /// impl Join<Tensor> for Exact {
    ///     type Joined = Tensor;
    ///
    ///     fn join_self(self) -> Result<Tensor> {
    ///         Ok(self.value)
    ///     }
    ///
    ///     fn join_other(other: Tensor) -> Result<Tensor> {
    ///         Ok(other)
    ///     }
    /// }
    /// extype::join_both_ways!(Exact, Tensor);
    ///
    /// let plain = TensorSpec::of::<f32>([]).to_any();
    /// let value = plain.cast(AnyValue::new(Exact::new(2.0f32)?))?;
    /// assert_eq!(value.downcast::<Tensor>()?.item::<f32>()?, 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn cast(&self, value: AnyValue) -> Result<AnyValue> {
        deep(|| {
            if value.spec().is_subtype_of(self) {
                return Ok(value);
            }
            if parts(self, value.spec()).is_some() {
                let own = match (self, value.spec()) {
                    (AnySpec::Tuple(own), _) | (AnySpec::List(own), _) => own.to_vec(),
                    _ => self.component_specs(),
                };
                let theirs = match value.spec() {
                    AnySpec::Tuple(c) | AnySpec::List(c) => c.to_vec(),
                    other => other.component_specs(),
                };
                let parts = own.iter().zip(value.split_leaves(theirs));
                let parts = parts.map(|(own, part)| own.cast(part)).collect::<Result<Vec<_>>>()?;
                let specs = parts.iter().map(|part| part.spec().clone()).collect();
                return Ok(AnyValue::joined(container(self, specs)?, parts));
            }
            let found = cast_between(value.spec(), self)?(value)?;
            match found.spec().is_compatible_with(self) {
                true => Ok(found),
                false => bail!("a value is cast to {}, which is no {self}", found.spec()),
            }
        })
    }
}

/// [`cond`](super::cond) for arms with types known only at run time.
///
/// In a traced function the results must have one structure, or types with a common type
/// ([`AnySpec::castable_type`]); each arm casts its own result. Eagerly the result of the selected arm is returned
/// without a cast.
///
/// # Errors
/// As [`cond`](super::cond).
///
/// ```
/// use extype::control::cond_values;
/// use extype::prelude::*;
/// use extype::spec::AnyValue;
/// let f = function(|p: &Tensor, x: &Tensor| {
///     let one = || Ok(AnyValue::new((x.clone(), ops::neg(x)?)));
///     cond_values(p, one, || Ok(AnyValue::new((x.exp()?, x.clone()))))?.downcast::<(Tensor, Tensor)>()
/// });
/// assert_eq!(f.call(&scalar(true), &scalar(1.0f32))?.1.item::<f32>()?, -1.0);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn cond_values(
    pred: &Tensor,
    yes: impl FnOnce() -> Result<AnyValue>,
    no: impl FnOnce() -> Result<AnyValue>,
) -> Result<AnyValue> {
    let site = here("cond_values");
    let pred = condition(&site, pred)?;
    if !is_tracing() {
        return if site.located(pred.data().and_then(decision))? { yes() } else { no() };
    }
    let within = |name: &str, e: Error| e.in_context(format!("the arm `{name}` of {site}"));
    let then = OpenArm::open("then")?;
    let own = yes().map_err(|e| within("then", e))?;
    let then = then.pause()?;
    let other = OpenArm::open("else")?;
    let theirs = no().map_err(|e| within("else", e))?;
    let joined = site.located(own.spec().castable_type(theirs.spec()))?.ok_or_else(|| {
        let places = ["the arm `then`", "the arm `else`"];
        site.locate(difference(&site, "result", [own.spec(), theirs.spec()], places))
    })?;
    let cast = |value| joined.cast(value).map(|value| value.leaves().to_vec());
    let other = other.close(cast(theirs).map_err(|e| within("else", e))?)?;
    let then = then.resume();
    let then = then.close(cast(own).map_err(|e| within("then", e))?)?;
    let leaves = branch(&site, &IF, &pred, vec![then, other])?;
    AnyValue::from_parts(joined, leaves)
}

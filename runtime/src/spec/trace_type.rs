//! Types of arguments that are no tensor structures of the library: what the cache of traces must know of them.

use std::any::{Any, type_name};
use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;

use super::{AnySpec, Fingerprint, TypeSpec};
use crate::types::{Result, err, named};

/// The type of a value for tracing: it decides which trace serves a call.
///
/// A trace for type `t` serves a value whose type is a subtype of `t`. Equality is required, the other laws follow from
/// it unless they are written. They must agree: a type equals itself and is its own subtype, equal types mix the same,
/// a common supertype is a supertype of both.
///
/// All types of arguments are [`AnySpec`]s. A `TraceType` is a node of that tree ([`AnySpec::Custom`]); the other nodes
/// are the library's own types: tensors, variables, plain data, containers, extension types. For a type of your own,
/// there are three ways, from the shortest to the most general:
///
/// 1. `#[derive(TraceType)]` on a struct or an enum that is compared by value.
/// 2. [`TypeSpec`] and [`Structure`](super::Structure) by hand. `to_any` returns [`AnySpec::custom`], and a trace sees
///    the value that `from_leaves` makes. The example shows it.
/// 3. This trait, and [`Argument`](crate::trace::Argument) for the values.
///
/// TensorFlow: `tf.types.experimental.TraceType`, `__tf_tracing_type__`.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::{AnySpec, LeafIter, Leaves, SpecContext};
///
/// /// All apples have one flavor, and so have all mangos: a trace depends on the kind only.
/// #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
/// enum Kind {
///     Apple,
///     Mango,
/// }
///
/// struct Fruit {
///     kind: Kind,
///     weight: f32,
/// }
///
/// impl TypeSpec for Kind {
///     type Value = Fruit;
///
///     fn to_any(&self) -> AnySpec {
///         AnySpec::custom(self, [])
///     }
///
///     fn from_any(any: &AnySpec) -> Result<Self> {
///         any.as_custom().copied()
///     }
/// }
///
/// impl Structure for Fruit {
///     type Spec = Kind;
///
///     fn spec_in(&self, _: &mut SpecContext) -> Kind {
///         self.kind
///     }
///
///     fn has_spec(&self, spec: &Kind, _: &mut SpecContext) -> bool {
///         self.kind == *spec
///     }
///
///     fn leaves<'a>(&'a self, _: &mut Leaves<'a>) {}
///
///     fn into_leaves(self, _: &mut Vec<Tensor>) {}
///
///     /// What a trace sees: a fruit of this kind.
///     fn from_leaves(kind: &Kind, _: &mut LeafIter) -> Result<Self> {
///         Ok(Fruit { kind: *kind, weight: 0.0 })
///     }
/// }
///
/// #[tf_function]
/// fn mixed_flavor(a: &Fruit, b: &Fruit) -> Result<Tensor> {
///     let flavor = |fruit: &Fruit| match fruit.kind {
///         Kind::Apple => tensor![1, 2],
///         Kind::Mango => tensor![3, 4],
///     };
///     ops::add(flavor(a), flavor(b))
/// }
///
/// let apple = |weight| Fruit { kind: Kind::Apple, weight };
/// let mango = Fruit { kind: Kind::Mango, weight: 0.3 };
/// assert_eq!(mixed_flavor(&apple(0.1), &mango)?.as_slice::<i32>()?, &[4, 6]);
/// assert_eq!(mixed_flavor(&apple(0.2), &mango)?.as_slice::<i32>()?, &[4, 6]);
/// assert_eq!(mixed_flavor::trace_count(), 1);
/// mixed_flavor(&mango, &mango)?;
/// assert_eq!(mixed_flavor::trace_count(), 2);
/// # Ok::<(), Error>(())
/// ```
pub trait TraceType: Any + Debug + Send + Sync {
    /// True if the types are equal. Types of different Rust types are not.
    fn equals(&self, other: &dyn TraceType) -> bool;

    /// Adds the type to a fingerprint. Equal types must add the same; the more others differ, the faster is a call.
    fn mix(&self, fingerprint: &mut Fingerprint);

    /// True if a trace for `other` serves values of this type.
    fn is_subtype_of(&self, other: &dyn TraceType) -> bool {
        self.equals(other)
    }

    /// The most specific type of which both are subtypes. It is not asked for equal types.
    fn most_specific_common_supertype(&self, other: &dyn TraceType) -> Option<AnySpec> {
        let _ = other;
        None
    }

    /// True if some type has values of both. The types are asked in both orders.
    fn is_compatible_with(&self, other: &dyn TraceType) -> bool {
        self.is_subtype_of(other)
    }

    /// The types of the tensors that a value is fed as.
    fn flatten(&self) -> Vec<AnySpec> {
        Vec::new()
    }

    /// True if no value of this type can come any more. Traces for it are dropped.
    fn is_dead(&self) -> bool {
        false
    }

    /// What values of this type are, for messages.
    fn kind(&self) -> &'static str {
        "value"
    }
}

impl dyn TraceType {
    /// The type as the Rust type `T`, if it is one.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::{AnySpec, ModuleSpec};
    /// #[derive(Module)]
    /// struct Scale {
    ///     by: Variable,
    /// }
    /// let any = AnySpec::from(ModuleSpec::of(&Scale { by: Variable::new(1.0f32)? }));
    /// let AnySpec::Custom(custom) = &any else { unreachable!() };
    /// assert!(custom.downcast_ref::<ModuleSpec>().is_some());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn downcast_ref<T: 'static>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }

    /// Asks a law, such that a panic in it is told with its name.
    pub(super) fn law<R>(&self, law: &str, ask: impl FnOnce(&dyn TraceType) -> R) -> R {
        named(|| format!("`{law}` of `{self:?}`"), || ask(self))
    }
}

impl PartialEq for dyn TraceType {
    fn eq(&self, other: &Self) -> bool {
        self.law("equals", |a| a.equals(other))
    }
}

impl Eq for dyn TraceType {}

impl Hash for dyn TraceType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut fingerprint = Fingerprint::default();
        self.law("mix", |a| a.mix(&mut fingerprint));
        state.write_u64(fingerprint.get());
    }
}

/// A spec as a trace type.
struct Typed<S> {
    spec: S,
    leaves: Vec<AnySpec>,
}

impl<S: Debug> Debug for Typed<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.spec.fmt(f)
    }
}

impl<S: TypeSpec + Eq + Hash> TraceType for Typed<S> {
    fn equals(&self, other: &dyn TraceType) -> bool {
        other.downcast_ref::<Self>().is_some_and(|other| self.spec == other.spec)
    }

    fn mix(&self, fingerprint: &mut Fingerprint) {
        mix_hash(&self.spec, fingerprint);
    }

    fn is_subtype_of(&self, other: &dyn TraceType) -> bool {
        other.downcast_ref::<Self>().is_some_and(|other| self.spec.is_subtype_of(&other.spec))
    }

    fn most_specific_common_supertype(&self, other: &dyn TraceType) -> Option<AnySpec> {
        let other = other.downcast_ref::<Self>()?;
        Some(self.spec.most_specific_common_supertype(&other.spec)?.to_any())
    }

    fn is_compatible_with(&self, other: &dyn TraceType) -> bool {
        other.downcast_ref::<Self>().is_some_and(|other| self.spec.is_compatible_with(&other.spec))
    }

    fn flatten(&self) -> Vec<AnySpec> {
        self.leaves.clone()
    }
}

/// Adds the hash of a value to a fingerprint.
#[doc(hidden)]
pub fn mix_hash<T: Hash>(value: &T, fingerprint: &mut Fingerprint) {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    fingerprint.add(hasher.finish());
}

impl AnySpec {
    /// The tree of a spec whose type the library doesn't know: a single node. `leaves` are the types of the tensors that
    /// a value is fed as, in the order of [`Structure::leaves`](super::Structure::leaves).
    ///
    /// The laws of the spec hold in the tree too: equality, [`TypeSpec::is_subtype_of`] and the others.
    ///
    /// See [`TraceType`] for an example.
    pub fn custom<S: TypeSpec + Eq + Hash>(
        spec: &S,
        leaves: impl IntoIterator<Item = AnySpec>,
    ) -> AnySpec {
        let leaves = leaves.into_iter().collect();
        AnySpec::Custom(Arc::new(Typed { spec: spec.clone(), leaves }))
    }

    /// The spec that [`custom`](Self::custom) took, or a [`TraceType`] of this Rust type.
    ///
    /// # Errors
    /// `InvalidArgument` if it is a spec of something else.
    ///
    /// ```
    /// use extype::TraceType;
    /// use extype::prelude::*;
    /// #[derive(TraceType, Clone, Debug, PartialEq, Eq, Hash)]
    /// struct Window {
    ///     size: usize,
    /// }
    /// let any = Window { size: 3 }.type_spec().to_any();
    /// assert_eq!(any.as_custom::<Window>()?.size, 3);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn as_custom<T: 'static>(&self) -> Result<&T> {
        let found = self.find_custom();
        found.ok_or_else(|| err!("expected a `{}`, got {self}", type_name::<T>()))
    }

    /// [`as_custom`](Self::as_custom), or `None`.
    pub(super) fn find_custom<T: 'static>(&self) -> Option<&T> {
        let AnySpec::Custom(custom) = self else { return None };
        let typed = custom.downcast_ref::<Typed<T>>().map(|typed| &typed.spec);
        typed.or_else(|| custom.downcast_ref())
    }

    /// True if no value of this type can come any more.
    pub(crate) fn is_dead(&self) -> bool {
        match self {
            AnySpec::Custom(custom) => custom.law("is_dead", TraceType::is_dead),
            other => other.component_specs().iter().any(AnySpec::is_dead),
        }
    }
}

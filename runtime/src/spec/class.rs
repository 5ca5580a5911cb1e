//! Extension types seen without their Rust type.

use std::any::TypeId;
use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::{AnySpec, AnyValue, ExtensionType, Nested, Stacking, TypeSpec};
use crate::tensor::Tensor;
use crate::types::{Dim, Result, bail, caught, named};

/// The data that all specs of one extension type share.
pub struct Class {
    /// The registered name: `module::path::Type`, or the one given by `name = "…"`.
    pub name: Cow<'static, str>,
    /// The name that specs print: `MaskedTensor`.
    pub short_name: Cow<'static, str>,
    /// The Rust type of the values; `None` for types known from a file only.
    pub type_id: Option<TypeId>,
    /// The laws, where the type has its own.
    pub hooks: Hooks,
}

impl PartialEq for Class {
    fn eq(&self, other: &Self) -> bool {
        match (self.type_id, other.type_id) {
            (Some(a), Some(b)) => a == b,
            (None, None) => self.name == other.name,
            _ => false,
        }
    }
}

impl std::fmt::Debug for Class {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Class({})", self.name)
    }
}

impl Class {
    /// Calls one of the laws. A law may be user code, so a panic in it is reported with its name.
    pub(crate) fn law<R>(&self, law: &str, ask: impl FnOnce(&Hooks) -> R) -> R {
        named(|| format!("`{law}` of `{}`", self.short_name), || ask(&self.hooks))
    }

    /// [`law`](Self::law) for laws that return a `Result`.
    pub(crate) fn fallible_law<R>(
        &self,
        law: &str,
        ask: impl FnOnce(&Hooks) -> Result<R>,
    ) -> Result<R> {
        caught(|| format!("`{law}` of `{}`", self.short_name), || ask(&self.hooks))
    }
}

/// The laws of a class as functions on specs.
#[derive(Clone, Copy)]
pub struct Hooks {
    /// See [`TypeSpec::is_subtype_of`].
    pub is_subtype_of: fn(&AnySpec, &AnySpec) -> bool,
    /// See [`TypeSpec::most_specific_common_supertype`].
    pub supertype: fn(&AnySpec, &AnySpec) -> Option<AnySpec>,
    /// See [`TypeSpec::is_compatible_with`].
    pub is_compatible_with: fn(&AnySpec, &AnySpec) -> bool,
    /// See [`TypeSpec::stacked`].
    pub stacked: fn(&AnySpec, Dim) -> Result<AnySpec>,
    /// See [`TypeSpec::unstacked`].
    pub unstacked: fn(&AnySpec) -> Result<AnySpec>,
    /// See [`TypeSpec::stacking`].
    pub stacking: fn() -> Option<Stacking>,
    /// Recomputes the components after the fields have changed.
    pub rebuild: fn(Composite) -> Result<AnySpec>,
    /// True if the type may override the laws of subtypes, supertypes and compatibility.
    pub own_laws: bool,
    /// See [`ExtensionType::VERSION`].
    pub version: u32,
    /// See [`ExtensionType::upgrade`].
    pub upgrade: fn(u32, AnyValue) -> Result<AnyValue>,
    /// Checks that the tensors are a value of the type and, for a derived type, that validation accepts it.
    pub admit: fn(&AnySpec, &[Tensor]) -> Result<()>,
}

impl Hooks {
    /// The laws that follow from the fields.
    pub const STRUCTURAL: Hooks = Hooks {
        is_subtype_of: AnySpec::default_is_subtype_of,
        supertype: AnySpec::default_supertype,
        is_compatible_with: AnySpec::default_is_compatible_with,
        stacked: AnySpec::default_stacked,
        unstacked: AnySpec::default_unstacked,
        stacking: || None,
        rebuild: |c| Ok(AnySpec::Composite(Nested::try_new(c)?)),
        own_laws: false,
        version: 1,
        upgrade: |version, _| bail!("its version {version} is not read"),
        admit: |_, _| Ok(()),
    };

    /// The laws that follow from the fields, for a derived type. Rebuilding checks that the fields are those
    /// of the type.
    pub(crate) const fn derived<T: ExtensionType>() -> Hooks {
        Hooks {
            stacked: |a, n| Ok(T::Spec::from_any(a)?.stacked(n)?.to_any()),
            unstacked: |a| Ok(T::Spec::from_any(a)?.unstacked()?.to_any()),
            stacking: T::Spec::stacking,
            rebuild: |c| Ok(T::Spec::from_any(&AnySpec::Composite(Nested::try_new(c)?))?.to_any()),
            version: T::VERSION,
            upgrade: |version, old| {
                let value = T::upgrade(version, old)?;
                value.check()?;
                Ok(AnyValue::new(value))
            },
            admit: |spec, leaves| {
                AnyValue::from_parts(spec.clone(), leaves.to_vec())?.downcast::<T>()?.check()
            },
            ..Hooks::STRUCTURAL
        }
    }

    /// The laws of the typed spec `S`, overrides included, for hand-written specs.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::Hooks;
    /// let hooks = Hooks::of::<TensorSpec>();
    /// let (known, wide) =
    ///     (TensorSpec::of::<f32>([2]).to_any(), TensorSpec::of::<f32>(shape![?]).to_any());
    /// assert!((hooks.is_subtype_of)(&known, &wide));
    /// assert!(hooks.own_laws && !Hooks::STRUCTURAL.own_laws);
    /// ```
    pub const fn of<S: TypeSpec>() -> Hooks {
        Hooks {
            is_subtype_of: |a, b| match (S::from_any(a), S::from_any(b)) {
                (Ok(a), Ok(b)) => a.is_subtype_of(&b),
                _ => false,
            },
            supertype: |a, b| {
                let (a, b) = (S::from_any(a).ok()?, S::from_any(b).ok()?);
                Some(a.most_specific_common_supertype(&b)?.to_any())
            },
            is_compatible_with: |a, b| match (S::from_any(a), S::from_any(b)) {
                (Ok(a), Ok(b)) => a.is_compatible_with(&b),
                _ => false,
            },
            stacked: |a, n| Ok(S::from_any(a)?.stacked(n)?.to_any()),
            unstacked: |a| Ok(S::from_any(a)?.unstacked()?.to_any()),
            stacking: S::stacking,
            own_laws: true,
            admit: |spec, leaves| {
                AnyValue::from_parts(spec.clone(), leaves.to_vec())?.downcast::<S::Value>()?;
                Ok(())
            },
            rebuild: |c| Ok(S::from_any(&AnySpec::Composite(Nested::try_new(c)?))?.to_any()),
            ..Hooks::STRUCTURAL
        }
    }
}

/// The spec of an extension type as a tree: its class and its fields.
#[derive(Clone)]
pub struct Composite {
    /// The class.
    pub class: Arc<Class>,
    /// Every field: specs of components and literals of static data, in order.
    pub fields: Vec<(Cow<'static, str>, AnySpec)>,
    /// The specs of the components, if these are not the fields themselves.
    pub components: Option<Vec<AnySpec>>,
}

impl Composite {
    /// A field by name.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnySpec;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Labelled {
    ///     x: Tensor,
    ///     label: String,
    /// }
    ///
    /// let AnySpec::Composite(c) = Labelled::new(1.0f32, "a".to_string())?.type_spec().to_any() else {
    ///     panic!()
    /// };
    /// assert_eq!(c.field("label").unwrap().to_string(), "\"a\"");
    /// assert!(c.field("y").is_none());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn field(&self, name: &str) -> Option<&AnySpec> {
        self.fields.iter().find(|(n, _)| n == name).map(|(_, s)| s)
    }

    /// The spec, rebuilt after the fields have changed.
    pub(crate) fn rebuilt(self) -> Result<AnySpec> {
        self.class.clone().fallible_law("from_any", |hooks| (hooks.rebuild)(self))
    }

    /// The specs of the components into which values are flattened.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnySpec;
    /// use extype::spec::Composite;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Point {
    ///     x: Tensor,
    ///     y: Tensor,
    /// }
    ///
    /// let x = TensorSpec::of::<f32>([]).to_any();
    /// let AnySpec::Composite(c) = Composite::of::<Point>([("x", x.clone()), ("y", x.clone())]) else {
    ///     panic!()
    /// };
    /// assert_eq!(&*c.components(), [x.clone(), x]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn components(&self) -> Cow<'_, [AnySpec]> {
        match &self.components {
            Some(components) => Cow::Borrowed(components),
            None => self.fields.iter().map(|(_, s)| s.clone()).collect::<Vec<_>>().into(),
        }
    }
}

impl PartialEq for Composite {
    fn eq(&self, other: &Self) -> bool {
        self.class == other.class && self.fields == other.fields
    }
}

impl Eq for Composite {}

impl Hash for Composite {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.class.name.hash(state);
        self.fields.hash(state);
    }
}

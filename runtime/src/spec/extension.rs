//! Extension types.

use std::borrow::Cow;
use std::sync::Arc;

use super::{AnySpec, Class, Composite, Structure};
use crate::types::Result;

/// A user's type of tensors and static data, usable wherever a tensor is.
///
/// Derived by `#[derive(ExtensionType)]`, or written by hand together with [`Structure`] and
/// [`TypeSpec`](super::TypeSpec) (TensorFlow's `tf.ExtensionType`).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an extension type",
    note = "derive it: `#[derive(ExtensionType)]`"
)]
pub trait ExtensionType: Structure {
    /// What its specs share: name, identity, laws.
    fn class() -> Arc<Class>;

    /// Runs the validation hook, if the type has one: for values that came another way than
    /// through the constructor.
    ///
    /// # Errors
    /// What [`Validate::validate`] refuses.
    fn check(&self) -> Result<()> {
        Ok(())
    }
}

/// The hook of `#[extension_type(validate)]`: called by the constructor, and by you whenever a
/// value came another way. Values that traced functions, loops and files rebuild are not
/// validated, and in a trace shapes may be partly unknown: check compatibility, not equality.
///
/// ```
/// use extype::prelude::*;
///
/// #[derive(ExtensionType, Clone, Debug)]
/// #[extension_type(validate)]
/// struct Masked {
///     values: Tensor,
///     mask: Tensor,
/// }
///
/// impl Validate for Masked {
///     fn validate(&self) -> Result<()> {
///         self.values.shape().assert_compatible(&self.mask.shape())
///     }
/// }
///
/// assert!(Masked::new([1.0f32, 2.0], [true, false]).is_ok());
/// let e = Masked::new([1.0f32, 2.0], [true]).unwrap_err();
/// assert!(e.message().contains("axis 0 differs (2 ≠ 1)"));
/// ```
pub trait Validate {
    /// Refuses a value that breaks the type's invariants.
    ///
    /// # Errors
    /// What the implementer refuses.
    fn validate(&self) -> Result<()>;
}

impl Composite {
    /// The spec of a type whose fields are its components and static data: what a hand-written
    /// [`TypeSpec::to_any`](super::TypeSpec::to_any) returns.
    pub fn of<T: ExtensionType>(
        fields: impl IntoIterator<Item = (&'static str, AnySpec)>,
    ) -> AnySpec {
        let fields = fields.into_iter().map(|(n, s)| (Cow::Borrowed(n), s)).collect();
        AnySpec::Composite(Arc::new(Composite { class: T::class(), fields, components: None }))
    }

    /// The spec of a type whose components follow from its fields in another way, as the row
    /// partitions of a ragged tensor do from its ragged rank.
    pub fn with_components<T: ExtensionType>(
        fields: impl IntoIterator<Item = (&'static str, AnySpec)>,
        components: Vec<AnySpec>,
    ) -> AnySpec {
        let fields = fields.into_iter().map(|(n, s)| (Cow::Borrowed(n), s)).collect();
        let components = Some(components);
        AnySpec::Composite(Arc::new(Composite { class: T::class(), fields, components }))
    }
}

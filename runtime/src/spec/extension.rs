//! Extension types.

use std::borrow::Cow;
use std::sync::Arc;

use super::{AnySpec, Class, Composite, Structure};
use crate::ops::{Arg, Beside, Item};
use crate::tensor::Tensor;
use crate::types::Result;

/// A user's type of tensors and static data, usable wherever a tensor is.
///
/// Derived by `#[derive(ExtensionType)]`, or written by hand together with [`Structure`] and
/// [`TypeSpec`](super::TypeSpec) (TensorFlow's `tf.ExtensionType`).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an extension type",
    label = "not an extension type",
    note = "for a type of your own derive it: `#[derive(ExtensionType)]`"
)]
pub trait ExtensionType: Structure {
    /// What its specs share: name, identity, laws.
    fn class() -> Arc<Class>;

    /// What the constructor checks: the constraints of the fields
    /// (`#[extension_type(dtype = f32, shape = [?, 3])]`), then [`Validate`]. Call it on a value
    /// that came another way: traced functions, loops and files rebuild values unchecked.
    ///
    /// # Errors
    /// `InvalidArgument` naming the field, what it holds and what it must hold; what `validate`
    /// refuses.
    fn check(&self) -> Result<()> {
        Ok(())
    }

    /// Whether two values are equal in static data, dtypes, shapes and elements: a bool tensor of
    /// rank 0, symbolic in a trace. See [`nest::equal`](super::nest::equal).
    ///
    /// # Errors
    /// As [`nest::equal`](super::nest::equal).
    #[track_caller]
    fn equals(&self, other: &Self) -> Result<Tensor> {
        super::nest::equal(self, other)
    }
}

/// The hook of `#[extension_type(validate)]`: called by the constructor and by
/// [`ExtensionType::check`]. In a trace shapes may be partly unknown: check compatibility, not
/// equality.
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
#[diagnostic::on_unimplemented(
    message = "`{Self}` has the option `validate`, but no `Validate`",
    label = "nothing to validate it with",
    note = "write `impl Validate for {Self} {{ fn validate(&self) -> Result<()> {{ … }} }}`"
)]
pub trait Validate {
    /// Refuses a value that breaks the type's invariants.
    ///
    /// # Errors
    /// What the implementer refuses.
    fn validate(&self) -> Result<()>;
}

// Sequences of operands: values of one extension type, with tensors among them.

#[diagnostic::do_not_recommend]
impl<T: ExtensionType> Beside<T> for T {
    type Own = T;
}

#[diagnostic::do_not_recommend]
impl<T: ExtensionType> Beside<Tensor> for T {
    type Own = T;
}

#[diagnostic::do_not_recommend]
impl<T: ExtensionType> Beside<T> for Tensor {
    type Own = T;
}

#[diagnostic::do_not_recommend]
impl<T: ExtensionType> Item<T> for T {
    fn item(&self) -> Arg<'_, T, Tensor> {
        Arg::This(self)
    }
}

impl Composite {
    /// The spec of a type whose fields are its components and static data: what a hand-written
    /// [`TypeSpec::to_any`](super::TypeSpec::to_any) returns.
    pub fn of<T: ExtensionType>(
        fields: impl IntoIterator<Item = (&'static str, AnySpec)>,
    ) -> AnySpec {
        let fields = fields.into_iter().map(|(n, s)| (Cow::Borrowed(n), s)).collect();
        AnySpec::Composite(Composite { class: T::class(), fields, components: None }.into())
    }

    /// The spec of a type whose components follow from its fields in another way, as the row
    /// partitions of a ragged tensor do from its ragged rank.
    pub fn with_components<T: ExtensionType>(
        fields: impl IntoIterator<Item = (&'static str, AnySpec)>,
        components: Vec<AnySpec>,
    ) -> AnySpec {
        let fields = fields.into_iter().map(|(n, s)| (Cow::Borrowed(n), s)).collect();
        let components = Some(components);
        AnySpec::Composite(Composite { class: T::class(), fields, components }.into())
    }
}

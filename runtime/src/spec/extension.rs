//! Extension types.

use std::borrow::Cow;
use std::sync::Arc;

use super::{AnySpec, AnyValue, Class, Composite, Structure};
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
    /// The data that all its specs share: name, identity, laws.
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// #[extension_type(name = "doc.Point")]
    /// struct Point {
    ///     x: Tensor,
    /// }
    ///
    /// let class = Point::class();
    /// assert_eq!((&*class.name, &*class.short_name), ("doc.Point", "Point"));
    /// ```
    fn class() -> Arc<Class>;

    /// Runs the checks of the constructor: the constraints of the fields
    /// (`#[extension_type(dtype = f32, shape = [?, 3])]`), then [`Validate`].
    ///
    /// The constraints are also checked on arguments and results of traced functions, operands, the state of
    /// loops and sources of gradients ([`Structure::check_fields`]). `Validate` is called by constructors
    /// only. So call this on a value made another way: by a struct literal, a traced function, a loop or a
    /// file.
    ///
    /// # Errors
    /// `InvalidArgument` naming the field, what it holds and what it must hold; what `validate`
    /// refuses.
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Points {
    ///     #[extension_type(dtype = f32, shape = [?, 2])]
    ///     xy: Tensor,
    /// }
    ///
    /// assert!(Points { xy: tensor![[1.0f32, 2.0]] }.check().is_ok());
    /// let e = Points { xy: tensor![1.0f32, 2.0] }.check().unwrap_err();
    /// assert!(e.message().contains("xy"));
    /// ```
    fn check(&self) -> Result<()> {
        Ok(())
    }

    /// The version of the fields, which is written with the specs of the type. It counts from 1.
    const VERSION: u32 = 1;

    /// A value from one that an older version of the type wrote, whose fields are given without a Rust type.
    /// [`AnyValue::deserialize`] calls it. Written by the derive from the option `upgrade(1 = function)`.
    ///
    /// # Errors
    /// `InvalidArgument` for a version that is not read.
    fn upgrade(version: u32, old: AnyValue) -> Result<Self> {
        let _ = old;
        crate::__private::not_upgraded(version)
    }

    /// Whether two values are equal in static data, dtypes, shapes and elements: a bool tensor of
    /// rank 0, symbolic in a trace. See [`nest::equal`](super::nest::equal).
    ///
    /// # Errors
    /// As [`nest::equal`](super::nest::equal).
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Labelled {
    ///     x: Tensor,
    ///     label: String,
    /// }
    ///
    /// let of = |label: &str| Labelled::new(tensor![1.0f32, 2.0], label.to_string());
    /// assert!(of("a")?.equals(&of("a")?)?.item::<bool>()?);
    /// assert!(!of("a")?.equals(&of("b")?)?.item::<bool>()?);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    fn equals(&self, other: &Self) -> Result<Tensor> {
        super::nest::equal(self, other)
    }
}

/// The hook of `#[extension_type(validate)]`: called by the constructor and by [`ExtensionType::check`], but
/// not when a value is passed on. In a trace shapes may be partly unknown: check compatibility, not equality.
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
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// #[extension_type(validate)]
    /// struct Row {
    ///     values: Tensor,
    /// }
    ///
    /// impl Validate for Row {
    ///     fn validate(&self) -> Result<()> {
    ///         match self.values.shape().rank() {
    ///             Some(1) | None => Ok(()),
    ///             _ => Err(Error::invalid("a row has one axis")),
    ///         }
    ///     }
    /// }
    ///
    /// assert_eq!(Row { values: scalar(1.0f32) }.validate().unwrap_err().message(), "a row has one axis");
    /// ```
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
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::Composite;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Scaled {
    ///     x: Tensor,
    ///     scale: i64,
    /// }
    ///
    /// let x = TensorSpec::of::<f32>([2]).to_any();
    /// let spec = Composite::of::<Scaled>([("x", x), ("scale", 3i64.type_spec().to_any())]);
    /// assert_eq!(spec, Scaled::new([1.0f32, 2.0], 3)?.type_spec().to_any());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn of<T: ExtensionType>(
        fields: impl IntoIterator<Item = (&'static str, AnySpec)>,
    ) -> AnySpec {
        let fields = fields.into_iter().map(|(n, s)| (Cow::Borrowed(n), s)).collect();
        AnySpec::Composite(Composite { class: T::class(), fields, components: None }.into())
    }

    /// The spec of a type with components other than its fields. The row partitions of a ragged tensor, for
    /// example, follow from its ragged rank.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::Composite;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Layers {
    ///     count: i64,
    /// }
    ///
    /// // A hand-written spec would say so: the number of layers is a field, the tensors follow from it.
    /// let count = ("count", 2i64.type_spec().to_any());
    /// let spec =
    ///     Composite::with_components::<Layers>([count], vec![TensorSpec::of::<f32>([]).to_any(); 2]);
    /// assert_eq!(spec.to_string(), "LayersSpec(count=2)");
    /// assert_eq!(spec.leaves().len(), 2);
    /// ```
    pub fn with_components<T: ExtensionType>(
        fields: impl IntoIterator<Item = (&'static str, AnySpec)>,
        components: Vec<AnySpec>,
    ) -> AnySpec {
        let fields = fields.into_iter().map(|(n, s)| (Cow::Borrowed(n), s)).collect();
        let components = Some(components);
        AnySpec::Composite(Composite { class: T::class(), fields, components }.into())
    }
}

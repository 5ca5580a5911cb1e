//! Conditionals whose arms return different types: the common type that the author of one type defines.

use crate::spec::Structure;
use crate::types::Result;

/// Types whose values may be the results of two arms of one conditional.
///
/// Every structure joins itself. For two different types, the author of one of them defines the result type of the
/// conditional, usually the more general of the two. Each arm converts its own result to it. The first arm returns
/// `Self`, the second `Other`; [`join_both_ways!`](crate::join_both_ways) adds the other order.
///
/// `Join` does not help for differences within one type, such as the length of a list or an absent field: those are
/// errors when the conditional is traced.
///
/// ```
/// use extype::control::Join;
/// use extype::prelude::*;
///
/// /// A number with what it may be wrong by.
/// #[derive(ExtensionType, Clone, Debug)]
/// struct Measured {
///     value: Tensor,
///     error: Tensor,
/// }
///
/// /// A plain number is exact.
/// impl Join<Tensor> for Measured {
///     type Joined = Measured;
///
///     fn join_self(self) -> Result<Measured> {
///         Ok(self)
///     }
///
///     fn join_other(value: Tensor) -> Result<Measured> {
///         Measured::new(&value, value.zeros_like()?)
///     }
/// }
/// extype::join_both_ways!(Measured, Tensor);
///
/// #[tf_function]
/// fn rounded(m: &Measured, exact: &Tensor) -> Result<Measured> {
///     cond(exact, || m.value.round(), || Ok(m.clone()))
/// }
///
/// let m = Measured::new([1.4f32], [0.2f32])?;
/// assert_eq!(rounded(&m, &scalar(true))?.error.as_slice::<f32>()?, &[0.0]);
/// assert_eq!(rounded(&m, &scalar(false))?.error.as_slice::<f32>()?, &[0.2]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a `{Self}` and a `{Other}` have no common type",
    label = "the arms of this conditional return a `{Self}` and a `{Other}`",
    note = "turn the result of one arm into the type of the other, in that arm",
    note = "for a type of your own: implement `Join<{Other}>` for `{Self}`; if `Join<{Self}>` is implemented for \
            `{Other}`, `join_both_ways!({Other}, {Self})` adds this order"
)]
pub trait Join<Other>: Sized {
    /// The result type of the conditional.
    type Joined: Structure;

    /// Converts the result of the first arm to the common type. In a traced function this is part of the arm.
    ///
    /// # Errors
    /// If this value can't be converted.
    ///
    /// ```
    /// use extype::control::Join;
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Celsius {
    ///     degrees: Tensor,
    /// }
    ///
    /// /// With plain numbers it is a plain number.
    /// impl Join<Tensor> for Celsius {
    ///     type Joined = Tensor;
    ///
    ///     fn join_self(self) -> Result<Tensor> {
    ///         Ok(self.degrees)
    ///     }
    ///
    ///     fn join_other(other: Tensor) -> Result<Tensor> {
    ///         Ok(other)
    ///     }
    /// }
    ///
    /// let x = cond(&scalar(true), || Celsius::new(20.0f32), || Ok(scalar(0.0f32)))?;
    /// assert_eq!(x.item::<f32>()?, 20.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn join_self(self) -> Result<Self::Joined>;

    /// Converts the result of the second arm to the common type.
    ///
    /// # Errors
    /// As [`join_self`](Self::join_self).
    ///
    /// ```
    /// use extype::control::Join;
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Celsius {
    ///     degrees: Tensor,
    /// }
    ///
    /// /// A plain number is one of degrees.
    /// impl Join<Tensor> for Celsius {
    ///     type Joined = Celsius;
    ///
    ///     fn join_self(self) -> Result<Celsius> {
    ///         Ok(self)
    ///     }
    ///
    ///     fn join_other(other: Tensor) -> Result<Celsius> {
    ///         Celsius::new(other)
    ///     }
    /// }
    ///
    /// let x = cond(&scalar(false), || Celsius::new(20.0f32), || Ok(scalar(5.0f32)))?;
    /// assert_eq!(x.degrees.item::<f32>()?, 5.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn join_other(other: Other) -> Result<Self::Joined>;
}

impl<T: Structure> Join<T> for T {
    type Joined = T;

    fn join_self(self) -> Result<T> {
        Ok(self)
    }

    fn join_other(other: T) -> Result<T> {
        Ok(other)
    }
}

/// An empty type that every structure joins. If a type had only one `Join` impl, the compiler would infer that the other
/// arm has the same type, and report a type mismatch instead of the message above. Inference would also depend on the
/// crates in the build.
#[doc(hidden)]
#[derive(Debug)]
pub enum Unjoined {}

impl<T: Structure> Join<Unjoined> for T {
    type Joined = T;

    fn join_self(self) -> Result<T> {
        Ok(self)
    }

    fn join_other(other: Unjoined) -> Result<T> {
        match other {}
    }
}

/// Implements the other order, `impl Join<A> for B`, for an `impl Join<B> for A` of types without generic parameters. It
/// also registers the casts for values with types known only at run time.
///
/// See [`Join`](crate::control::Join).
#[macro_export]
macro_rules! join_both_ways {
    ($own:ty, $other:ty) => {
        $crate::__private::inventory::submit!($crate::__private::JoinEntry::of::<$own, $other>());

        impl $crate::control::Join<$own> for $other {
            type Joined = <$own as $crate::control::Join<$other>>::Joined;

            fn join_self(self) -> $crate::Result<Self::Joined> {
                <$own as $crate::control::Join<$other>>::join_other(self)
            }

            fn join_other(other: $own) -> $crate::Result<Self::Joined> {
                <$own as $crate::control::Join<$other>>::join_self(other)
            }
        }
    };
}

//! What the functions take, said so that the compiler's message is short.
//!
//! `T: Structure` would be shown with the definition of the user's type, the call and the bound, in
//! nineteen lines. A bound on another type than the user's is shown by itself, and on one line where
//! it stands on the line of the function's name, which rustfmt would not leave there.

use crate::spec::Structure;

/// The functions of [`nest`](super), in their bounds: `Nest: Takes<T>` for every [`Structure`] `T`.
pub enum Nest {}

/// Says that the functions of [`nest`](super) take `T`: they take every [`Structure`].
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::nest::{Nest, Takes};
///
/// /// The number of tensors in a value.
/// fn tensors<T>(value: &T) -> usize
/// where
///     Nest: Takes<T>,
/// {
///     nest::flatten(value).len()
/// }
///
/// assert_eq!(tensors(&(scalar(1.0f32), vec![scalar(2.0f32)])), 2);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{T}` is not a tensor structure",
    label = "not made of tensors: derive `ExtensionType`, or `StaticData` for what holds none"
)]
pub trait Takes<T> {
    /// `T`, known to be a structure.
    type Structure: Structure;

    /// The value as what it is.
    fn lent(value: &T) -> &Self::Structure;

    /// The value as what it is.
    fn owned(value: Self::Structure) -> T;
}

#[diagnostic::do_not_recommend]
impl<T: Structure> Takes<T> for Nest {
    type Structure = T;

    #[inline]
    fn lent(value: &T) -> &T {
        value
    }

    #[inline]
    fn owned(value: T) -> T {
        value
    }
}

//! The bound of the functions, written so that the compiler's message is short.
//!
//! For an unmet `T: Structure` the compiler shows the definition of the user's type, the call and the bound,
//! in nineteen lines. A bound on a type other than the user's is shown by itself. It takes one line if it is
//! on the line of the function's name, which rustfmt would change: hence the `rustfmt::skip`.

use crate::spec::Structure;

/// Stands for the functions of [`nest`](super) in their bounds: `Nest: Takes<T>` for every [`Structure`] `T`.
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

    /// The value as a structure.
    fn lent(value: &T) -> &Self::Structure;

    /// The structure as a `T`.
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

//! What the functions take, said so that the compiler's message is short.
//!
//! `T: Structure` would be shown with the definition of the user's type, the call and the bound, in
//! nineteen lines. A bound on another type than the user's is shown by itself.

use crate::spec::Structure;

/// The functions of [`nest`](super), in their bounds: `Nest: Takes<T>` for every [`Structure`] `T`.
pub enum Nest {}

/// Says that the functions of [`nest`](super) take `T`: they take every [`Structure`].
#[diagnostic::on_unimplemented(
    message = "`{T}` is not a tensor structure",
    label = "not made of tensors, extension types and static data: derive `ExtensionType` for a \
             type of your own, or `StaticData` if it holds no tensors"
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

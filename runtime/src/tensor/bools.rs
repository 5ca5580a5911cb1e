//! Error messages for Rust operators that tensors and variables can't have. Comparisons must return a `bool`, indexing
//! must return a reference, and compound assignment can't fail. The impls here never apply, since nothing implements the
//! traits in their bounds. The compiler shows the messages of these traits when a user tries such an operator.

use std::cmp::Ordering;
use std::ops::{AddAssign, DivAssign, Index, MulAssign, RemAssign, SubAssign};

use super::{Tensor, Variable};

/// Comparisons of tensors that return a `bool`; nothing implements it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a comparison of tensors gives no `bool`",
    label = "write `x.equal(y)?`, `x.less(y)?`, … for a tensor of bools; `x.array_equal(y)?` and `x.allclose(y, ..)?` compare whole tensors",
    note = "in a function with `#[tf_function]` operators compare tensors, and `if` and `while` take them"
)]
pub trait Decides<Rhs: ?Sized> {}

/// The type in the bound. With `Tensor` itself in the bound the compiler would show its own message.
#[doc(hidden)]
#[derive(Debug)]
pub enum Comparison {}

/// Operand types that no value has. With these impls the compiler checks the bound once it knows the other operand,
/// and shows the message above; without any impl it shows its own message.
#[doc(hidden)]
#[derive(Debug)]
pub enum NoSide<const N: usize> {}

#[diagnostic::do_not_recommend]
impl Decides<NoSide<0>> for Comparison {}

#[diagnostic::do_not_recommend]
impl Decides<NoSide<1>> for Comparison {}

impl<Rhs: ?Sized> PartialEq<Rhs> for Tensor
where
    Comparison: Decides<Rhs>,
{
    fn eq(&self, _: &Rhs) -> bool {
        false
    }
}

impl<Rhs: ?Sized> PartialOrd<Rhs> for Tensor
where
    Comparison: Decides<Rhs>,
{
    fn partial_cmp(&self, _: &Rhs) -> Option<Ordering> {
        None
    }
}

/// The same for a reference on the left. Rust's own impls require a reference on the right. If they were the only ones,
/// the compiler would ask for one and say nothing else, so these impls add other right sides. Of the number types
/// they include only those of literals: with one more type the compiler would not reach the bound with our message.
macro_rules! by_reference {
    ($($(#[$attr:meta])* $side:ty $(where $bound:ty)?;)*) => {$(
        $(#[$attr])*
        impl PartialEq<$side> for &Tensor
        $(where for<'any> $bound: Decides<$side>)?
        {
            fn eq(&self, _: &$side) -> bool {
                false
            }
        }

        $(#[$attr])*
        impl PartialOrd<$side> for &Tensor
        $(where for<'any> $bound: Decides<$side>)?
        {
            fn partial_cmp(&self, _: &$side) -> Option<Ordering> {
                None
            }
        }
    )*};
}
by_reference! {
    #[diagnostic::do_not_recommend]
    NoSide<0>;
    #[expect(unused_lifetimes, reason = "without one the compiler refuses a bound that nothing can meet")]
    f64 where Comparison;
    #[expect(unused_lifetimes, reason = "without one the compiler refuses a bound that nothing can meet")]
    i32 where Comparison;
    #[expect(unused_lifetimes, reason = "without one the compiler refuses a bound that nothing can meet")]
    Tensor where Comparison;
}

/// Indexing by reference; no tensor has it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a tensor has no `[…]`, which in Rust is a reference to a part",
    label = "write `x.index(0)?`, or `x.index((0, 1..3))?`: a tensor of its own"
)]
pub trait HasPart<I> {}

impl<I> Index<I> for Tensor
where
    Tensor: HasPart<I>,
{
    type Output = Tensor;

    fn index(&self, _: I) -> &Tensor {
        self
    }
}

/// Compound assignment to variables by operators; nothing implements it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a variable is assigned by methods, which may fail",
    label = "write `v.assign_add(y)?`, `v.assign_sub(y)?`, or as of `*=`, `v.assign(&v * y)?`"
)]
pub trait AssignedBy<Rhs> {}

/// The type in the bound.
#[doc(hidden)]
#[derive(Debug)]
pub enum Assignment {}

#[diagnostic::do_not_recommend]
impl AssignedBy<NoSide<0>> for Assignment {}

#[diagnostic::do_not_recommend]
impl AssignedBy<NoSide<1>> for Assignment {}

macro_rules! assigned_by {
    ($($trait:ident $method:ident),*) => {
        $(impl<Rhs> $trait<Rhs> for Variable
        where
            Assignment: AssignedBy<Rhs>,
        {
            fn $method(&mut self, _: Rhs) {}
        })*
    };
}
assigned_by!(
    AddAssign add_assign,
    SubAssign sub_assign,
    MulAssign mul_assign,
    DivAssign div_assign,
    RemAssign rem_assign
);

//! Operators that Rust defines to give a `bool` or a reference, which tensors can't, or to change their
//! left side, which variables do by fallible methods: what to write instead. The impls here apply to nothing, since nothing has the traits of their bounds; the
//! compiler shows those where somebody tries.

use std::cmp::Ordering;
use std::ops::{AddAssign, DivAssign, Index, MulAssign, RemAssign, SubAssign};

use super::{Tensor, Variable};

/// Comparisons of tensors that decide; none does.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a comparison of tensors gives no `bool`",
    label = "write `x.equal(y)?`, `x.less(y)?`, … for a tensor of bools; `x.array_equal(y)?` and `x.allclose(y, ..)?` compare whole tensors",
    note = "in a function with `#[tf_function]` operators compare tensors, and `if` and `while` take them"
)]
pub trait Decides<Rhs: ?Sized> {}

/// What the compiler asks the trait of: of tensors it would show its own words.
#[doc(hidden)]
#[derive(Debug)]
pub enum Comparison {}

/// Sides that nobody has: with these the compiler asks for the trait when it knows the other side,
/// and shows the words above; it has its own where no side is possible.
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

/// The same of a reference. Rust's own impls want a reference on the other side; where they are the only ones, the
/// compiler asks for one and says nothing else, so this impl is for a side that no other has. Of the numbers it takes
/// the types of literals only: with one more type the compiler would not reach the bound that has our message.
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

/// Parts of a tensor by reference; it has none.
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

/// Variables that operators assign; none is.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a variable is assigned by methods, which may fail",
    label = "write `v.assign_add(y)?`, `v.assign_sub(y)?`, or as of `*=`, `v.assign(&v * y)?`"
)]
pub trait AssignedBy<Rhs> {}

/// What the compiler asks the trait of.
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

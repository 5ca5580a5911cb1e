//! Conditions that are `bool`s or tensors: `!`, `&&`, `||`, `match` and ranges on either.
//!
//! The macro can't see types, so the compiler picks the code by autoref specialization. The macro wraps the operands
//! and calls a method behind several `&`, as in `(&&&Single(&x)).not()`. The compiler tries the impl with the most
//! references first. So the impls for tensors come before those for plain values.

use std::iter::{Empty, empty};
use std::ops::Range;
use std::panic::Location;

use super::join::{Variables, Way, bool_spec, join_ways};
use super::kind::{Kind, OfKind, OnTensors, Plain};
use super::slots::LocalSlot;
use super::state::Flat;
use crate::ops::{self, Operand, operator};
use crate::tensor::{Tensor, TensorLike, Variable, host_number_of, is_tracing};
use crate::types::{Error, Result, err};

/// The value of a condition.
#[derive(Clone, Debug)]
pub enum Fact {
    /// A plain value, known while tracing.
    Bool(bool),
    /// A tensor, whose value a trace does not know.
    Tensor(Tensor),
}

/// A type that can stand after `if` and `while`, and beside `&&` and `||`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a condition",
    label = "neither a `bool` nor a tensor",
    note = "for a number, or a tensor of numbers, write a comparison: `x != 0`; for a `Result`, take its value: `x?`"
)]
pub trait Condition {
    /// The kind of the code that the condition controls: `Plain` if Rust decides, `OnTensors` if a tensor does.
    type Kind: Kind;
    /// The type of `a && self` for a `bool` `a`.
    type Truth: Truth;

    #[doc(hidden)]
    fn fact(&self) -> Result<Fact>;
}

#[diagnostic::do_not_recommend]
impl Condition for bool {
    type Kind = Plain;
    type Truth = bool;

    #[inline]
    fn fact(&self) -> Result<Fact> {
        Ok(Fact::Bool(*self))
    }
}

#[diagnostic::do_not_recommend]
impl Condition for Tensor {
    type Kind = OnTensors;
    type Truth = Tensor;

    fn fact(&self) -> Result<Fact> {
        Ok(Fact::Tensor(self.clone()))
    }
}

#[diagnostic::do_not_recommend]
impl Condition for Variable {
    type Kind = OnTensors;
    type Truth = Tensor;

    #[track_caller]
    fn fact(&self) -> Result<Fact> {
        self.to_tensor().map(Fact::Tensor)
    }
}

#[diagnostic::do_not_recommend]
impl<C: Condition + ?Sized> Condition for &C {
    type Kind = C::Kind;
    type Truth = C::Truth;

    #[inline]
    fn fact(&self) -> Result<Fact> {
        (**self).fact()
    }
}

#[diagnostic::do_not_recommend]
impl<C: Condition + ?Sized> Condition for &mut C {
    type Kind = C::Kind;
    type Truth = C::Truth;

    #[inline]
    fn fact(&self) -> Result<Fact> {
        (**self).fact()
    }
}

/// The result of `&&` and `||`: a `bool` or a tensor.
pub trait Truth: Sized {
    #[doc(hidden)]
    fn of(fact: Fact) -> Self;
}

impl Truth for bool {
    fn of(fact: Fact) -> bool {
        // The fact of a plain condition is always a `Bool`.
        matches!(fact, Fact::Bool(true))
    }
}

impl Truth for Tensor {
    fn of(fact: Fact) -> Tensor {
        match fact {
            Fact::Bool(value) => Tensor::scalar(value),
            Fact::Tensor(t) => t,
        }
    }
}

/// A condition that only Rust can decide: a `match` guard, or a condition in a chain with `let`.
#[diagnostic::on_unimplemented(
    message = "a tensor can't decide here",
    label = "a tensor in a guard of `match` or in a chain with `let`",
    note = "what patterns bind is plain Rust: write a nested `if` in the arm"
)]
pub trait PlainCondition {
    #[doc(hidden)]
    fn decided(&self) -> bool;
}

#[diagnostic::do_not_recommend]
impl PlainCondition for bool {
    #[inline]
    fn decided(&self) -> bool {
        *self
    }
}

/// The types of tensors. An operand of such a type turns a comparison, a `!` or a range into one on tensors.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to be a tensor here",
    label = "the type of this operand was not known where it is compared",
    note = "write the type of the variable, or of the closure's argument"
)]
pub trait TensorSide: TensorLike {}

impl TensorSide for Tensor {}
impl TensorSide for Variable {}
#[diagnostic::do_not_recommend]
impl<T: TensorSide + ?Sized> TensorSide for &T {}
#[diagnostic::do_not_recommend]
impl<T: TensorSide + ?Sized> TensorSide for &mut T {}

/// The operand of `!`, borrowed.
#[derive(Debug)]
pub struct Single<'a, T: ?Sized>(pub &'a T);

/// `!` of a tensor.
pub trait NotTensor {
    #[doc(hidden)]
    fn not(&self) -> Tensor;
}

impl<T: TensorSide + ?Sized> NotTensor for &&Single<'_, T> {
    #[track_caller]
    fn not(&self) -> Tensor {
        let x = operator(self.0.operand());
        operator(ops::logical_not(&*x))
    }
}

/// Rust's own `!`.
pub trait NotPlain {
    #[doc(hidden)]
    type Output;
    #[doc(hidden)]
    fn not(&self) -> Self::Output;
}

impl<T: std::ops::Not + Copy> NotPlain for &Single<'_, T> {
    type Output = T::Output;

    #[inline]
    fn not(&self) -> T::Output {
        !*self.0
    }
}

/// The scrutinee of a `match` on numbers.
#[derive(Debug)]
pub struct Matched<'a, T: ?Sized>(pub &'a T);

/// A tensor as the scrutinee of a `match` on numbers, which is a compile error: `T: Patterns` never holds. `R` fits any
/// arms, so that this bound is the only error.
pub trait MatchedTensor<T: ?Sized> {
    #[doc(hidden)]
    #[rustfmt::skip]
    fn number<R>(&self) -> R where T: Patterns;
}

impl<T: TensorSide + ?Sized> MatchedTensor<T> for &Matched<'_, T> {
    fn number<R>(&self) -> R
    where
        T: Patterns,
    {
        unreachable!("no tensor is matched")
    }
}

/// Types that a `match` can compare with number patterns; tensors do not implement it.
#[diagnostic::on_unimplemented(
    message = "a tensor can't be looked at by `match`",
    label = "a tensor has no patterns of numbers",
    note = "write `if x == 0 {{ … }} else if x == 1 {{ … }} else {{ … }}`"
)]
pub trait Patterns {}

/// The scrutinee of a `match` on numbers that is not a tensor.
pub trait MatchedPlain {
    #[doc(hidden)]
    type Value;
    #[doc(hidden)]
    fn number(&self) -> Self::Value;
}

impl<T: Copy> MatchedPlain for Matched<'_, T> {
    type Value = T;

    #[inline]
    fn number(&self) -> T {
        *self.0
    }
}

/// The ends of a range, borrowed.
#[derive(Debug)]
pub struct Ends<'a, A: ?Sized, B: ?Sized>(pub &'a A, pub &'a B);

/// A range of which at least one end was a tensor. `T` is always `Tensor`. It is a parameter
/// because the compiler would refuse the false bound `Tensor: Adaptors` where the methods below are declared.
#[derive(Debug)]
pub struct TensorRange<T = Tensor> {
    pub(super) start: T,
    pub(super) end: T,
    pub(super) inclusive: bool,
}

#[track_caller]
fn tensor_range<A, B>(a: &A, b: &B, inclusive: bool) -> Result<TensorRange>
where
    A: Operand<Value = Tensor> + ?Sized,
    B: Operand<Value = Tensor> + ?Sized,
{
    let (a, b) = (a.operand()?, b.operand()?);
    // A plain number takes the dtype of the other end: the addition of zeros converts it.
    let fit = |x: &Tensor, other: &Tensor| match host_number_of(x) {
        Some(_) => ops::add(x, &ops::zeros_like(other)?),
        None => Ok(x.clone()),
    };
    let (start, end) = (fit(&a, &b)?, fit(&b, &a)?);
    if start.dtype() != end.dtype() || !start.dtype().is_integer() {
        let e = err!(
            "a range goes over integers of one dtype, not from {} to {}",
            start.dtype(),
            end.dtype()
        );
        return Err(e.with_location(Location::caller()));
    }
    Ok(TensorRange { start, end, inclusive })
}

// Declares a trait for ranges whose end `$tensor` is a tensor; `$other` is the type of the other end. `$refs` are the
// references that put its impl in the compiler's order.
macro_rules! ranges {
    ($($end:ident [$($refs:tt)*] $tensor:ident $other:ident)*) => {
        $(/// A range with a tensor at this end, and an operand of type `T` at the other.
        pub trait $end<T: ?Sized> {
            #[doc(hidden)]
            fn range(&self) -> TensorRange where T: Operand<Value = Tensor>;
            #[doc(hidden)]
            fn inclusive(&self) -> TensorRange where T: Operand<Value = Tensor>;
        }

        impl<A: ?Sized, B: ?Sized> $end<$other> for $($refs)* Ends<'_, A, B>
        where
            $tensor: TensorSide,
        {
            #[track_caller]
            fn range(&self) -> TensorRange where $other: Operand<Value = Tensor> {
                operator(tensor_range(self.0, self.1, false))
            }

            #[track_caller]
            fn inclusive(&self) -> TensorRange where $other: Operand<Value = Tensor> {
                operator(tensor_range(self.0, self.1, true))
            }
        })*
    };
}
ranges! {
    LeftEnd [&&] A B
    RightEnd [&] B A
}

/// A range of plain Rust values.
pub trait PlainEnds<T> {
    #[doc(hidden)]
    fn range(&self) -> Range<T>;
    #[doc(hidden)]
    fn inclusive(&self) -> std::ops::RangeInclusive<T>;
}

impl<T: Clone> PlainEnds<T> for Ends<'_, T, T> {
    #[inline]
    fn range(&self) -> Range<T> {
        self.0.clone()..self.1.clone()
    }

    #[inline]
    fn inclusive(&self) -> std::ops::RangeInclusive<T> {
        self.0.clone()..=self.1.clone()
    }
}

/// The bound of iterator adaptors on a range with a tensor end. Nothing implements it, so a call of an adaptor gives
/// the error message below.
#[diagnostic::on_unimplemented(
    message = "a range with a tensor end has no `rev`, `map` and the like: it is no iterator",
    label = "how often it runs is not known before the graph runs",
    note = "write `for i in a..b` and compute what is meant (`b - 1 - i` for `rev`), or a `while`"
)]
pub trait Adaptors {}

/// Each method is written out on a line of its own, since error messages show the line with the bound.
#[rustfmt::skip]
#[doc(hidden)]
impl<T> TensorRange<T> {
    pub fn rev(self) -> Empty<T> where T: Adaptors { empty() }
    pub fn step_by<A>(self, _: A) -> Empty<T> where T: Adaptors { empty() }
    pub fn map<A>(self, _: A) -> Empty<T> where T: Adaptors { empty() }
    pub fn filter<A>(self, _: A) -> Empty<T> where T: Adaptors { empty() }
    pub fn enumerate(self) -> Empty<T> where T: Adaptors { empty() }
    pub fn zip<A>(self, _: A) -> Empty<T> where T: Adaptors { empty() }
    pub fn skip<A>(self, _: A) -> Empty<T> where T: Adaptors { empty() }
    pub fn take<A>(self, _: A) -> Empty<T> where T: Adaptors { empty() }
    pub fn chain<A>(self, _: A) -> Empty<T> where T: Adaptors { empty() }
    pub fn take_while<A>(self, _: A) -> Empty<T> where T: Adaptors { empty() }
    pub fn flat_map<A>(self, _: A) -> Empty<T> where T: Adaptors { empty() }
    pub fn filter_map<A>(self, _: A) -> Empty<T> where T: Adaptors { empty() }
}

/// The state of one `&&` or `||` while it is evaluated. `K` is the kind of the left side.
///
/// If `asks` is true, the expansion evaluates the right side between `enter` and `leave`. Then it calls `both` and
/// `take`. Otherwise it only calls `decided`. A right side that assigns no variables needs no `enter`, `leave` and
/// `take`.
pub struct Logic<K> {
    left: Fact,
    /// True for `&&`, false for `||`.
    and: bool,
    /// True if the right side has no effects and can't fail, so that it may be evaluated whatever the left side is.
    simple: bool,
    /// The trace of the right side as an arm of a conditional. `None` outside of a trace and for a simple right side.
    arm: Option<crate::control::arm::OpenArm>,
    /// The variables that the right side assigns, with their values before it.
    variables: Variables,
    /// The values of the variables after the right side; later the joined values.
    state: Vec<Option<Flat>>,
    kind: std::marker::PhantomData<K>,
}

/// Starts `left && …`.
#[track_caller]
pub fn and<C: Condition>(left: &C, simple: bool) -> Logic<C::Kind> {
    logic(left, true, simple)
}

/// Starts `left || …`.
#[track_caller]
pub fn or<C: Condition>(left: &C, simple: bool) -> Logic<C::Kind> {
    logic(left, false, simple)
}

#[track_caller]
fn logic<C: Condition>(left: &C, and: bool, simple: bool) -> Logic<C::Kind> {
    let left = operator(left.fact());
    let (arm, variables, state, kind) = Default::default();
    Logic { left, and, simple, arm, variables, state, kind }
}

impl<K: Kind> OfKind for Logic<K> {
    type Kind = K;
}

impl<K> Logic<K> {
    /// Called before the right side with the variables that it assigns.
    pub fn enter(&mut self, slots: &mut [LocalSlot<'_>]) {
        if self.arm.is_some() {
            self.variables = Variables::of(slots);
        }
    }

    /// Called after the right side: notes the variables' values and restores the previous ones.
    #[track_caller]
    pub fn leave(&mut self, slots: &mut [LocalSlot<'_>]) {
        if self.arm.is_some() {
            // Exits are refused on the right side, so it always reaches its end.
            self.state = self.variables.now(slots, true, &Vec::new());
            operator(self.variables.restore(slots));
        }
    }

    /// Called after both sides: writes the joined values to the variables.
    #[track_caller]
    pub fn take(&mut self, slots: &mut [LocalSlot<'_>]) {
        let state = std::mem::take(&mut self.state).into_iter().flatten();
        operator(self.variables.write(slots, state));
    }
}

impl Logic<Plain> {
    /// True if the right side is evaluated.
    #[inline]
    pub fn asks(&mut self) -> bool {
        matches!(self.left, Fact::Bool(value) if value == self.and)
    }

    /// The result if the right side was evaluated.
    #[inline]
    #[track_caller]
    pub fn both<C: Condition>(self, right: &C) -> C::Truth {
        C::Truth::of(operator(right.fact()))
    }

    /// The result if the left side decided it.
    #[inline]
    pub fn decided<T: Truth>(self) -> T {
        T::of(self.left)
    }
}

impl Logic<OnTensors> {
    fn symbol(&self) -> &'static str {
        if self.and { "&&" } else { "||" }
    }

    /// True if the right side is evaluated. In a trace it always is, since the left side's value is not known.
    #[track_caller]
    pub fn asks(&mut self) -> bool {
        if !is_tracing() {
            return operator(self.left_value()) == self.and;
        }
        if !self.simple {
            // The left side is the predicate of an `If`. `&&` needs the right side where it is true, `||` where not.
            let name = if self.and { "then" } else { "else" };
            self.arm = Some(operator(crate::control::arm::OpenArm::open(name)));
        }
        true
    }

    /// The value of the left side outside of a trace.
    #[track_caller]
    fn left_value(&self) -> Result<bool> {
        let site = crate::control::arm::here(self.symbol());
        match &self.left {
            Fact::Bool(value) => Ok(*value),
            Fact::Tensor(t) => site.located(t.data().and_then(crate::ir::decision)),
        }
    }

    /// The result if the right side was evaluated.
    #[track_caller]
    pub fn both<C: Condition>(&mut self, right: &C) -> Tensor {
        operator(self.joined(right))
    }

    /// Records the result: a logical op for a simple right side, otherwise an `If` on the left side. Outside of a trace
    /// the right side is the result, since the left side did not decide.
    #[track_caller]
    fn joined<C: Condition>(&mut self, right: &C) -> Result<Tensor> {
        use crate::control::arm::{condition, here};
        let site = here(self.symbol());
        let right = Tensor::of(right.fact()?);
        if !is_tracing() {
            return site.located(right.data().and_then(crate::ir::decision)).map(Tensor::scalar);
        }
        let left = Tensor::of(self.left.clone());
        let Some(arm) = self.arm.take() else {
            let (left, right) = (condition(&site, &left)?, condition(&site, &right)?);
            return match self.and {
                true => ops::logical_and(&left, &right),
                false => ops::logical_or(&left, &right),
            };
        };
        let right = condition(&site, &right)?;
        let flat = |t: Tensor| Flat { specs: vec![bool_spec()], leaves: vec![t] };
        let state = std::mem::take(&mut self.state);
        let by_right = Way {
            arm: Some(arm.pause()?),
            state,
            ..Way::outside(Some(flat(right)), "the right side")
        };
        let left = condition(&site, &left)?;
        // Where the left side decides, the variables keep their values.
        let state = self.variables.before(true, &Vec::new());
        let decided = flat(Tensor::scalar(!self.and));
        let by_left = Way { state, ..Way::outside(Some(decided), "the left side") };
        let ways = if self.and { [by_right, by_left] } else { [by_left, by_right] };
        let joined = join_ways(&site, &left, ways, &self.variables)?;
        self.state = joined.state.into_iter().map(Some).collect();
        let value = joined.value.and_then(|v| v.leaves.into_iter().next());
        value.ok_or_else(|| Error::internal("a condition without a value"))
    }

    /// The result if the left side decided it, which happens only outside of a trace.
    pub fn decided(self) -> Tensor {
        Tensor::scalar(!self.and)
    }
}

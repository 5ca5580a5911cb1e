//! The families of ops: unary, binary, reductions.
//!
//! The family of an op is part of its type: every unary elementwise op is a [`Unary<F>`], every
//! binary one a [`Binary<F>`], every reduction a [`Reduce<F>`]. So a family is overridden by one
//! generic impl, a single op by one concrete impl, and the two never overlap.

use std::fmt::Debug;

use smallvec::SmallVec;

use super::apply::{Apply1, Apply2, Field, NamedOp, Op, Operands};
use super::{Axes, AxesLike, StaticInput};
use crate::op::{Attrs, KEEP_DIMS, OpDef};
use crate::tensor::{Tensor, execute_one};
use crate::types::Result;

/// What tells the ops of one family apart: the definition, and attributes beyond the family's.
pub trait FunctionOf<Family>: Clone + Debug + Send + Sync + 'static {
    /// The row of the op table.
    fn def(&self) -> &'static OpDef;

    /// Its own attributes.
    fn attrs(&self) -> Attrs {
        Attrs::new()
    }

    /// From the attributes of a graph's node.
    ///
    /// # Errors
    /// `InvalidArgument` if an attribute is missing or of another kind.
    fn from_attrs(attrs: &Attrs) -> Result<Self>;

    /// What the op means for tensors: it runs, unless its row says `tensors`.
    ///
    /// # Errors
    /// What the op refuses.
    #[track_caller]
    fn on_tensors(&self, operands: &[&Tensor]) -> Result<Tensor> {
        execute_one(self.def(), self.attrs(), operands)
    }
}

/// Marks the families in [`FunctionOf`].
pub mod family {
    /// Unary elementwise ops.
    #[derive(Debug)]
    pub enum Unary {}
    /// Binary elementwise ops.
    #[derive(Debug)]
    pub enum Binary {}
    /// Reductions.
    #[derive(Debug)]
    pub enum Reduction {}
}

/// A unary elementwise op.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Unary<F>(pub F);

/// A binary elementwise op.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Binary<F>(pub F);

/// A reduction over axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reduce<F> {
    /// The axes that are reduced.
    pub axes: Axes,
    /// True to keep them with size 1.
    pub keep_dims: bool,
    /// Which reduction.
    pub function: F,
}

macro_rules! named_families {
    ($($family:ident),*) => {
        $(impl<F: NamedOp> NamedOp for $family<F> {
            const NAME: &'static str = F::NAME;
            const RUST_NAME: &'static str = F::RUST_NAME;
            const DEF: &'static OpDef = F::DEF;
            const OPERANDS: Operands = F::OPERANDS;
            const FIELDS: &'static [Field] = F::FIELDS;
        })*
    };
}
named_families!(Unary, Binary, Reduce);

macro_rules! deref_to_function {
    ($($family:ident.$field:tt),*) => {
        $(impl<F> std::ops::Deref for $family<F> {
            type Target = F;

            /// The function's own attributes are seen through the op: `op.alpha`.
            fn deref(&self) -> &F {
                &self.$field
            }
        })*
    };
}
deref_to_function!(Unary.0, Binary.0, Reduce.function);

impl<F: Default> Reduce<F> {
    /// The reduction over these axes.
    pub fn new(axes: impl AxesLike, keep_dims: bool) -> Self {
        Self { axes: axes.into(), keep_dims, function: F::default() }
    }
}

impl<F: FunctionOf<family::Unary>> Op for Unary<F> {
    fn def(&self) -> &'static OpDef {
        self.0.def()
    }

    fn attrs(&self) -> Attrs {
        self.0.attrs()
    }

    fn from_parts(attrs: &Attrs, _: &[Tensor]) -> Result<Self> {
        F::from_attrs(attrs).map(Self)
    }
}

impl<F: FunctionOf<family::Binary>> Op for Binary<F> {
    fn def(&self) -> &'static OpDef {
        self.0.def()
    }

    fn attrs(&self) -> Attrs {
        self.0.attrs()
    }

    fn from_parts(attrs: &Attrs, _: &[Tensor]) -> Result<Self> {
        F::from_attrs(attrs).map(Self)
    }
}

impl<F: FunctionOf<family::Reduction>> Op for Reduce<F> {
    const STATIC_INPUTS: usize = 1;

    fn def(&self) -> &'static OpDef {
        self.function.def()
    }

    fn attrs(&self) -> Attrs {
        self.function.attrs().with(KEEP_DIMS, &self.keep_dims)
    }

    fn static_inputs(&self, first: &Tensor) -> Result<SmallVec<[Tensor; 2]>> {
        Ok(smallvec::smallvec![self.axes.to_input(first)?])
    }

    fn from_parts(attrs: &Attrs, statics: &[Tensor]) -> Result<Self> {
        let axes = Axes::from_input(statics.first())?;
        Ok(Self { axes, keep_dims: attrs.get(KEEP_DIMS)?, function: F::from_attrs(attrs)? })
    }
}

/// A function of a family that is known at run time only.
#[derive(Clone, Debug)]
pub struct Dynamic {
    /// The row of the op table.
    pub def: &'static OpDef,
    /// The attributes of the call.
    pub attrs: Attrs,
}

impl<Family> FunctionOf<Family> for Dynamic {
    fn def(&self) -> &'static OpDef {
        self.def
    }

    fn attrs(&self) -> Attrs {
        self.attrs.clone()
    }

    fn from_attrs(_: &Attrs) -> Result<Self> {
        Err(crate::types::err!(Internal, "a dynamic function is not made from attributes alone"))
    }
}

/// Any unary elementwise op, as the handler of the family gets it.
pub trait UnaryOp: Op {
    /// What it means for a tensor.
    ///
    /// # Errors
    /// What the op refuses.
    fn on_tensor(&self, x: &Tensor) -> Result<Tensor>;

    /// Calls the op on a component.
    ///
    /// # Errors
    /// What the op refuses.
    #[track_caller]
    fn call<X: UnaryElementwise>(&self, x: &X) -> Result<X::Output> {
        X::unary(self, x)
    }
}

/// Any binary elementwise op, as the handler of the family gets it.
pub trait BinaryOp: Op {
    /// Calls the op on components.
    ///
    /// # Errors
    /// What the op refuses.
    #[track_caller]
    fn call<X: BinaryElementwise<Y>, Y>(&self, x: &X, y: &Y) -> Result<X::Output> {
        X::binary(self, x, y)
    }

    /// [`call`](Self::call) where only the type of the right operand is generic; see
    /// [`RightElementwise`].
    ///
    /// # Errors
    /// What the op refuses.
    #[track_caller]
    fn call_right<X, Y: RightElementwise<X>>(&self, x: &X, y: &Y) -> Result<Y::Output> {
        Y::right(self, x, y)
    }
}

/// Any reduction, as the handler of the family gets it.
pub trait ReductionOp: Op {
    /// The axes that are reduced.
    fn axes(&self) -> &Axes;

    /// True to keep them with size 1.
    fn keep_dims(&self) -> bool;

    /// Calls the op on a component.
    ///
    /// # Errors
    /// What the op refuses.
    #[track_caller]
    fn call<X: Reductions>(&self, x: &X) -> Result<X::Output> {
        X::reduce(self, x)
    }
}

impl<F: FunctionOf<family::Unary>> UnaryOp for Unary<F> {
    #[track_caller]
    fn on_tensor(&self, x: &Tensor) -> Result<Tensor> {
        self.0.on_tensors(&[x])
    }
}

impl<F: FunctionOf<family::Binary>> BinaryOp for Binary<F> {}

impl<F: FunctionOf<family::Reduction>> ReductionOp for Reduce<F> {
    fn axes(&self) -> &Axes {
        &self.axes
    }

    fn keep_dims(&self) -> bool {
        self.keep_dims
    }
}

/// A type that all unary elementwise ops are defined for.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not support unary elementwise ops",
    label = "not defined for `{Self}`",
    note = "add `#[overrides(unary_elementwise)]` to its `#[dispatch]` impl"
)]
pub trait UnaryElementwise {
    /// The type of the results.
    type Output;

    /// The meaning of every such op.
    ///
    /// # Errors
    /// What the op refuses.
    #[track_caller]
    fn unary<O: UnaryOp>(op: &O, x: &Self) -> Result<Self::Output>;

    /// [`unary`](Self::unary) of a type that may decline: `None` if it does not take these values.
    ///
    /// Run-time dispatch then asks the next type; `unary` ends in an error.
    ///
    /// # Errors
    /// What the op refuses.
    #[track_caller]
    fn try_unary<O: UnaryOp>(op: &O, x: &Self) -> Result<Option<Self::Output>> {
        Self::unary(op, x).map(Some)
    }
}

/// A type that all binary elementwise ops are defined for, with `Y` on the right.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not support binary elementwise ops with `{Y}`",
    label = "not defined for `{Self}` and `{Y}`",
    note = "add `#[overrides(binary_elementwise, with = …)]` to a `#[dispatch]` impl"
)]
pub trait BinaryElementwise<Y> {
    /// The type of the results.
    type Output;

    /// The meaning of every such op.
    ///
    /// # Errors
    /// What the op refuses.
    #[track_caller]
    fn binary<O: BinaryOp>(op: &O, x: &Self, y: &Y) -> Result<Self::Output>;

    /// [`binary`](Self::binary) of a type that may decline: `None` if it does not take these values.
    ///
    /// Run-time dispatch then asks the next type; `binary` ends in an error.
    ///
    /// # Errors
    /// What the op refuses.
    #[track_caller]
    fn try_binary<O: BinaryOp>(op: &O, x: &Self, y: &Y) -> Result<Option<Self::Output>> {
        Self::binary(op, x, y).map(Some)
    }
}

/// [`BinaryElementwise`] seen from the right operand. It holds wherever `X: BinaryElementwise<Self>`
/// does; generic wrappers write `where V: RightElementwise<Tensor>` for (`Tensor`, `Wrapper<V>`),
/// since the direct bound `Tensor: BinaryElementwise<V>` would send the compiler into an endless
/// search.
pub trait RightElementwise<X> {
    /// The type of the results.
    type Output;

    /// The meaning of every such op.
    ///
    /// # Errors
    /// What the op refuses.
    #[track_caller]
    fn right<O: BinaryOp>(op: &O, x: &X, y: &Self) -> Result<Self::Output>;
}

impl<X: BinaryElementwise<Y>, Y> RightElementwise<X> for Y {
    type Output = X::Output;

    fn right<O: BinaryOp>(op: &O, x: &X, y: &Y) -> Result<X::Output> {
        X::binary(op, x, y)
    }
}

/// A type that all reductions are defined for.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not support reductions",
    label = "not defined for `{Self}`",
    note = "add `#[overrides(reduction)]` to its `#[dispatch]` impl"
)]
pub trait Reductions {
    /// The type of the results.
    type Output;

    /// The meaning of every reduction.
    ///
    /// # Errors
    /// What the op refuses.
    #[track_caller]
    fn reduce<O: ReductionOp>(op: &O, x: &Self) -> Result<Self::Output>;

    /// [`reduce`](Self::reduce) of a type that may decline: `None` if it does not take these values.
    ///
    /// Run-time dispatch then asks the next type; `reduce` ends in an error.
    ///
    /// # Errors
    /// What the op refuses.
    #[track_caller]
    fn try_reduce<O: ReductionOp>(op: &O, x: &Self) -> Result<Option<Self::Output>> {
        Self::reduce(op, x).map(Some)
    }
}

#[diagnostic::do_not_recommend]
impl<X: UnaryElementwise<Output = R>, F: FunctionOf<family::Unary>, R> Apply1<Unary<F>> for X {
    type Output = R;

    fn apply1(op: &Unary<F>, x: &X) -> Result<R> {
        X::unary(op, x)
    }

    fn try_apply1(op: &Unary<F>, x: &X) -> Result<Option<R>> {
        X::try_unary(op, x)
    }
}

#[diagnostic::do_not_recommend]
impl<X, Y, F: FunctionOf<family::Binary>, R> Apply2<Y, Binary<F>> for X
where
    X: BinaryElementwise<Y, Output = R>,
{
    type Output = R;

    fn apply2(op: &Binary<F>, x: &X, y: &Y) -> Result<R> {
        X::binary(op, x, y)
    }

    fn try_apply2(op: &Binary<F>, x: &X, y: &Y) -> Result<Option<R>> {
        X::try_binary(op, x, y)
    }
}

#[diagnostic::do_not_recommend]
impl<X: Reductions<Output = R>, F: FunctionOf<family::Reduction>, R> Apply1<Reduce<F>> for X {
    type Output = R;

    fn apply1(op: &Reduce<F>, x: &X) -> Result<R> {
        X::reduce(op, x)
    }

    fn try_apply1(op: &Reduce<F>, x: &X) -> Result<Option<R>> {
        X::try_reduce(op, x)
    }
}

//! What a family of ops means for a type: the op traits that family handlers receive, and the traits by which
//! types support a whole family.

use std::any::Any;

use smallvec::SmallVec;

use crate::ir::{Attrs, OpDef};
use crate::ops::Axes;
use crate::ops::protocol::apply::{Apply1, Apply2, Op};
use crate::ops::protocol::families::{Binary, FunctionOf, Kept, Reduce, Unary, family};
use crate::tensor::Tensor;
use crate::types::{Result, err};

/// Any unary elementwise op, as a family handler receives it.
pub trait UnaryOp: Op {
    /// Applies the op to a tensor.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::prelude::*;
    /// /// What an op makes of the largest of the numbers.
    /// fn at_most(op: &impl UnaryOp, x: &Tensor) -> Result<Tensor> {
    ///     op.on_tensor(&x.reduce_max(.., false)?)
    /// }
    /// let y = at_most(&ops::Square::default(), &tensor![1.0f32, 3.0])?;
    /// assert_eq!(y.item::<f32>()?, 9.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn on_tensor(&self, x: &Tensor) -> Result<Tensor>;

    /// Calls the op on a component.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Measure { values: Tensor, #[static_data] unit: String }
    /// #[dispatch]
    /// impl Measure {
    ///     #[overrides(unary_elementwise)]
    ///     fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
    ///         Ok(Self { values: op.call(&x.values)?, unit: x.unit.clone() })
    ///     }
    /// }
    /// let x = Measure::new([-1.5f32], "m")?;
    /// assert_eq!(ops::abs(&x)?.values.as_slice::<f32>()?, &[1.5]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    fn call<X: UnaryElementwise>(&self, x: &X) -> Result<X::Output> {
        X::unary(self, x)
    }
}

/// Any binary elementwise op, as a family handler receives it.
pub trait BinaryOp: Op {
    /// Calls the op on components.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Measure { values: Tensor, #[static_data] unit: String }
    /// #[dispatch]
    /// impl Measure {
    ///     #[overrides(binary_elementwise)]
    ///     fn binary(op: impl BinaryOp, x: &Self, y: &Self) -> Result<Self> {
    ///         Ok(Self { values: op.call(&x.values, &y.values)?, unit: x.unit.clone() })
    ///     }
    /// }
    /// let x = Measure::new([1.0f32, 2.0], "m")?;
    /// assert_eq!((&x + &x).values.as_slice::<f32>()?, &[2.0, 4.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    fn call<X: BinaryElementwise<Y>, Y>(&self, x: &X, y: &Y) -> Result<X::Output> {
        X::binary(self, x, y)
    }

    /// [`call`](Self::call) where only the type of the right operand is generic; see
    /// [`RightElementwise`].
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::ops::{BinaryElementwise, RightElementwise};
    /// use extype::prelude::*;
    /// /// Any values, with a name.
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Named<V> { values: V, #[static_data] name: String }
    /// #[dispatch]
    /// impl<V> Named<V>
    /// where
    ///     V: Structure
    ///         + BinaryElementwise<V, Output = V>
    ///         + BinaryElementwise<Tensor, Output = V>
    ///         + RightElementwise<Tensor, Output = V>,
    /// {
    ///     #[overrides(binary_elementwise, with = Tensor)]
    ///     fn binary(op: impl BinaryOp, operands: Pair<'_, Self, Tensor>) -> Result<Self> {
    ///         let (values, name) = match operands {
    ///             Pair::Both(x, y) => (op.call(&x.values, &y.values)?, &x.name),
    ///             Pair::Left(x, y) => (op.call(&x.values, y)?, &x.name),
    ///             Pair::Right(x, y) => (op.call_right(x, &y.values)?, &y.name),
    ///         };
    ///         Ok(Self { values, name: name.clone() })
    ///     }
    /// }
    /// let x = Named { values: tensor![1.0f32, 2.0], name: "x".into() };
    /// assert_eq!((10.0 - &x).values.as_slice::<f32>()?, &[9.0, 8.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    fn call_right<X, Y: RightElementwise<X>>(&self, x: &X, y: &Y) -> Result<Y::Output> {
        Y::right(self, x, y)
    }
}

/// Any reduction, as a family handler receives it.
pub trait ReductionOp: Op {
    /// The axes that are reduced.
    ///
    /// ```
    /// use extype::ops::ReduceSum;
    /// use extype::prelude::*;
    /// assert_eq!(ReductionOp::axes(&ReduceSum::new([0, 1], false)), &Axes::from([0, 1]));
    /// assert_eq!(ReductionOp::axes(&ReduceSum::new(.., false)), &Axes::All);
    /// ```
    fn axes(&self) -> &Axes;

    /// True to keep the reduced axes with size 1.
    ///
    /// ```
    /// use extype::ops::ReduceSum;
    /// use extype::prelude::*;
    /// assert!(ReductionOp::keep_dims(&ReduceSum::new(0, true)));
    /// assert!(!ReductionOp::keep_dims(&ReduceSum::default()));
    /// ```
    fn keep_dims(&self) -> bool;

    /// Calls the op on a component.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Measure { values: Tensor, #[static_data] unit: String }
    /// #[dispatch]
    /// impl Measure {
    ///     #[overrides(reduction)]
    ///     fn reduce(op: impl ReductionOp, x: &Self) -> Result<Self> {
    ///         Ok(Self { values: op.call(&x.values)?, unit: x.unit.clone() })
    ///     }
    /// }
    /// let x = Measure::new([1.0f32, 2.0], "m")?;
    /// assert_eq!(x.reduce_mean(.., false)?.values.item::<f32>()?, 1.5);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    fn call<X: Reductions>(&self, x: &X) -> Result<X::Output> {
        X::reduce(self, x)
    }
}

/// An op whose results have the dtype of its operands. As a bound on the op of a family handler, it excludes all
/// other ops.
///
/// A call of another op, such as a comparison or a cast, is then an error when the compiler builds the program, or at
/// run time if the op is only known then. Give such an op a handler of its own to support it.
///
/// ```
/// use extype::prelude::*;
/// #[derive(ExtensionType, Clone, Debug)]
/// struct Measure { values: Tensor, #[static_data] unit: String }
/// #[dispatch]
/// impl Measure {
///     #[overrides(binary_elementwise)]
///     fn binary(op: impl BinaryOp + ops::KeepsDType, x: &Self, y: &Self) -> Result<Self> {
///         Ok(Self { values: op.call(&x.values, &y.values)?, unit: x.unit.clone() })
///     }
/// }
/// let x = Measure::new([1.5f32], "m")?;
/// assert_eq!(ops::add(&x, &x)?.values.as_slice::<f32>()?, &[3.0]);
/// # Ok::<(), Error>(())
/// ```
///
/// A comparison gives bools, so it does not compile:
///
/// ```compile_fail
/// # use extype::prelude::*;
/// # #[derive(ExtensionType, Clone, Debug)]
/// # struct Measure { values: Tensor, #[static_data] unit: String }
/// # #[dispatch]
/// # impl Measure {
/// #     #[overrides(binary_elementwise)]
/// #     fn binary(op: impl BinaryOp + ops::KeepsDType, x: &Self, y: &Self) -> Result<Self> {
/// #         Ok(Self { values: op.call(&x.values, &y.values)?, unit: x.unit.clone() })
/// #     }
/// # }
/// let x = Measure::new([1.5f32], "m")?;
/// ops::less(&x, &x)?;
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` may give another dtype than its operands have",
    label = "not known to keep the dtype",
    note = "`ops::KeepsDType` is a bound of the op of a family's handler: `op: impl UnaryOp + ops::KeepsDType`"
)]
pub trait KeepsDType: Op {}

/// An op that [keeps the dtype](KeepsDType), as family handlers receive it.
#[derive(Clone, Debug)]
pub struct Keeping<O>(O);

impl<O: Op> Keeping<O> {
    /// Wraps the op if it keeps the dtype, otherwise fails.
    pub(crate) fn new(op: &O) -> Result<Self> {
        match op.def().keeps_dtype() {
            true => Ok(Self(op.clone())),
            false => Err(err!(
                "the result has another dtype than the operands, and the handler of the family takes ops that keep it \
                 (`ops::KeepsDType`): call the op on the components, or give it a handler of its own"
            )),
        }
    }
}

impl<O: Op> Op for Keeping<O> {
    const STATIC_INPUTS: usize = O::STATIC_INPUTS;
    const KEPT: Kept = Kept::Yes;

    fn def(&self) -> &'static OpDef {
        self.0.def()
    }

    fn def_for(&self, operands: &[&Tensor]) -> Result<&'static OpDef> {
        self.0.def_for(operands)
    }

    fn attrs(&self) -> Attrs {
        self.0.attrs()
    }

    fn static_inputs(&self, first: &Tensor) -> Result<SmallVec<[Tensor; 2]>> {
        self.0.static_inputs(first)
    }

    fn from_parts(attrs: &Attrs, statics: &[Tensor]) -> Result<Self> {
        Self::new(&O::from_parts(attrs, statics)?)
    }

    fn as_any(&self) -> &dyn Any {
        self.0.as_any()
    }
}

impl<O: Op> KeepsDType for Keeping<O> {}

impl<O: UnaryOp> UnaryOp for Keeping<O> {
    #[track_caller]
    fn on_tensor(&self, x: &Tensor) -> Result<Tensor> {
        self.0.on_tensor(x)
    }
}

impl<O: BinaryOp> BinaryOp for Keeping<O> {}

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
///
/// ```
/// use extype::ops::{Abs, Sqrt, UnaryElementwise};
/// use extype::prelude::*;
/// /// The root of what the values are without their sign, of any type with such ops.
/// fn rooted<X: UnaryElementwise<Output = X>>(x: &X) -> Result<X> {
///     X::unary(&Sqrt::default(), &X::unary(&Abs::default(), x)?)
/// }
/// assert_eq!(rooted(&tensor![-4.0f32, 9.0])?.as_slice::<f32>()?, &[2.0, 3.0]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not support unary elementwise ops",
    label = "not defined for `{Self}`",
    note = "add `#[overrides(unary_elementwise)]` to its `#[dispatch]` impl"
)]
pub trait UnaryElementwise {
    /// The type of the results.
    type Output;

    /// Applies any unary elementwise op.
    ///
    /// # Errors
    /// What the op refuses.
    #[track_caller]
    fn unary<O: UnaryOp>(op: &O, x: &Self) -> Result<Self::Output>;

    /// Like [`unary`](Self::unary), but returns `None` if the type declines these values.
    ///
    /// Run-time dispatch then tries the next type, whereas `unary` returns an error.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::ops::{Abs, Exp, UnaryElementwise};
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Measure { values: Tensor, #[static_data] unit: String }
    /// #[dispatch]
    /// impl Measure {
    ///     #[overrides(unary_elementwise)]
    ///     fn unary(op: impl UnaryOp, x: &Self) -> Result<Option<Self>> {
    ///         // There is no exponential of metres.
    ///         if op.name() != "abs" { return Ok(None) }
    ///         Ok(Some(Self { values: op.call(&x.values)?, unit: x.unit.clone() }))
    ///     }
    /// }
    /// let x = Measure::new([-1.5f32], "m")?;
    /// assert!(Measure::try_unary(&Abs::default(), &x)?.is_some());
    /// assert!(Measure::try_unary(&Exp::default(), &x)?.is_none());
    /// assert!(ops::exp(&x).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    fn try_unary<O: UnaryOp>(op: &O, x: &Self) -> Result<Option<Self::Output>> {
        Self::unary(op, x).map(Some)
    }
}

/// A type that all binary elementwise ops are defined for, with `Y` on the right.
///
/// ```
/// use extype::ops::{BinaryElementwise, Maximum};
/// use extype::prelude::*;
/// /// Nothing below zero, of any type that has binary elementwise ops with tensors.
/// fn positive<X: BinaryElementwise<Tensor>>(x: &X) -> Result<X::Output> {
///     X::binary(&Maximum::default(), x, &scalar(0.0f32))
/// }
/// assert_eq!(positive(&tensor![-1.0f32, 2.0])?.as_slice::<f32>()?, &[0.0, 2.0]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not support binary elementwise ops with `{Y}`",
    label = "not defined for `{Self}` and `{Y}`",
    note = "add `#[overrides(binary_elementwise, with = …)]` to a `#[dispatch]` impl"
)]
pub trait BinaryElementwise<Y> {
    /// The type of the results.
    type Output;

    /// Applies any binary elementwise op.
    ///
    /// # Errors
    /// What the op refuses.
    #[track_caller]
    fn binary<O: BinaryOp>(op: &O, x: &Self, y: &Y) -> Result<Self::Output>;

    /// Like [`binary`](Self::binary), but returns `None` if the type declines these values.
    ///
    /// Run-time dispatch then tries the next type, whereas `binary` returns an error.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::ops::{Add, BinaryElementwise};
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Measure { values: Tensor, #[static_data] unit: String }
    /// #[dispatch]
    /// impl Measure {
    ///     #[overrides(binary_elementwise)]
    ///     fn binary(op: impl BinaryOp, x: &Self, y: &Self) -> Result<Option<Self>> {
    ///         if x.unit != y.unit { return Ok(None) }
    ///         Ok(Some(Self { values: op.call(&x.values, &y.values)?, unit: x.unit.clone() }))
    ///     }
    /// }
    /// let (x, y) = (Measure::new([1.0f32], "m")?, Measure::new([1.0f32], "s")?);
    /// assert!(Measure::try_binary(&Add::default(), &x, &x)?.is_some());
    /// assert!(Measure::try_binary(&Add::default(), &x, &y)?.is_none());
    /// assert!(ops::add(&x, &y).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    fn try_binary<O: BinaryOp>(op: &O, x: &Self, y: &Y) -> Result<Option<Self::Output>> {
        Self::binary(op, x, y).map(Some)
    }
}

/// [`BinaryElementwise`] with the right operand as `Self`. It is implemented wherever
/// `X: BinaryElementwise<Self>` holds. Generic wrappers write `where V: RightElementwise<Tensor>`
/// for the operands (`Tensor`, `Wrapper<V>`). The direct bound `Tensor: BinaryElementwise<V>` would
/// send the compiler into an endless search.
pub trait RightElementwise<X> {
    /// The type of the results.
    type Output;

    /// Applies any binary elementwise op with `y` on the right.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::ops::{RightElementwise, Sub};
    /// use extype::prelude::*;
    /// /// What is left to one, of any type that stands on the right of tensors.
    /// fn rest<Y: RightElementwise<Tensor>>(y: &Y) -> Result<Y::Output> {
    ///     Y::right(&Sub::default(), &scalar(1.0f32), y)
    /// }
    /// assert_eq!(rest(&tensor![0.25f32, 1.0])?.as_slice::<f32>()?, &[0.75, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
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
///
/// ```
/// use extype::ops::{ReduceSum, Reductions};
/// use extype::prelude::*;
/// /// The sum of all, of any type that has reductions.
/// fn total<X: Reductions>(x: &X) -> Result<X::Output> {
///     X::reduce(&ReduceSum::new(.., false), x)
/// }
/// assert_eq!(total(&tensor![[1, 2], [3, 4]])?.item::<i32>()?, 10);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not support reductions",
    label = "not defined for `{Self}`",
    note = "add `#[overrides(reduction)]` to its `#[dispatch]` impl"
)]
pub trait Reductions {
    /// The type of the results.
    type Output;

    /// Applies any reduction.
    ///
    /// # Errors
    /// What the op refuses.
    #[track_caller]
    fn reduce<O: ReductionOp>(op: &O, x: &Self) -> Result<Self::Output>;

    /// Like [`reduce`](Self::reduce), but returns `None` if the type declines these values.
    ///
    /// Run-time dispatch then tries the next type, whereas `reduce` returns an error.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::ops::{ReduceMax, ReduceProd, Reductions};
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Measure { values: Tensor, #[static_data] unit: String }
    /// #[dispatch]
    /// impl Measure {
    ///     #[overrides(reduction)]
    ///     fn reduce(op: impl ReductionOp, x: &Self) -> Result<Option<Self>> {
    ///         // A product has another unit.
    ///         if op.name() == "reduce_prod" { return Ok(None) }
    ///         Ok(Some(Self { values: op.call(&x.values)?, unit: x.unit.clone() }))
    ///     }
    /// }
    /// let x = Measure::new([1.0f32, 2.0], "m")?;
    /// assert!(Measure::try_reduce(&ReduceMax::default(), &x)?.is_some());
    /// assert!(Measure::try_reduce(&ReduceProd::default(), &x)?.is_none());
    /// # Ok::<(), Error>(())
    /// ```
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

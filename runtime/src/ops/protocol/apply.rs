//! Ops as values, and the traits by which extension types implement them.

use std::fmt::Debug;

use smallvec::SmallVec;

use crate::array::Array;
use crate::ir::{Attrs, InferContext, OpDef, Outputs, Types};
use crate::ops::UnaryMethods as _;
use crate::ops::protocol::families::Kept;
use crate::ops::protocol::number::settle_numbers;
use crate::ops::protocol::results::Results;
use crate::tensor::{Tensor, Tensors};
use crate::types::Result;

/// An op with its attributes: a small value that can be called.
///
/// ```
/// use extype::ops::ReduceSum;
/// use extype::prelude::*;
/// /// What an op makes of two tensors.
/// fn both<O: Op>(op: &O, x: &Tensor, y: &Tensor) -> Result<(Tensor, Tensor)> {
///     Ok((op.run(&[x])?, op.run(&[y])?))
/// }
/// let (x, y) = both(&ReduceSum::new(0, true), &tensor![1, 2], &tensor![3, 4])?;
/// assert_eq!((x.as_slice::<i32>()?, y.as_slice::<i32>()?), (&[3][..], &[7][..]));
/// # Ok::<(), Error>(())
/// ```
pub trait Op: Clone + Debug + Send + Sync + 'static {
    /// How many inputs of the graph op are plain data in this struct (axes, sizes).
    const STATIC_INPUTS: usize = 0;
    /// Whether results have the dtype of the operands, if the op's type determines it.
    const KEPT: Kept = Kept::Unknown;

    /// The op without a wrapper, for code that only compares which op it is.
    #[doc(hidden)]
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }

    /// The row of the op table.
    ///
    /// ```
    /// use extype::ops::Tanh;
    /// use extype::prelude::*;
    /// assert_eq!(ops::Add::default().def().name, "AddV2");
    /// assert!(Tanh::default().def().is_unary_elementwise());
    /// ```
    fn def(&self) -> &'static OpDef;

    /// The row of the op that runs on these operands; see
    /// [`FunctionOf::def_for`](crate::ops::FunctionOf::def_for).
    ///
    /// # Errors
    /// `InvalidArgument` for dtypes that the op has no meaning for.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::Not::default().def_for(&[&tensor![true]])?.name, "LogicalNot");
    /// assert_eq!(ops::Neg::default().def_for(&[&tensor![1]])?.name, "Neg");
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    fn def_for(&self, operands: &[&Tensor]) -> Result<&'static OpDef> {
        let _ = operands;
        Ok(self.def())
    }

    /// The name in Rust: `"reduce_sum"`.
    ///
    /// ```
    /// use extype::ops::ReduceSum;
    /// use extype::prelude::*;
    /// assert_eq!(ReduceSum::new(.., false).name(), "reduce_sum");
    /// ```
    #[expect(clippy::misnamed_getters, reason = "the other name is that of graphs")]
    fn name(&self) -> &'static str {
        self.def().rust_name
    }

    /// The attributes of the graph node.
    ///
    /// ```
    /// use extype::ir::KEEP_DIMS;
    /// use extype::ops::ReduceSum;
    /// use extype::prelude::*;
    /// assert!(ReduceSum::new(0, true).attrs().get(KEEP_DIMS)?);
    /// # Ok::<(), Error>(())
    /// ```
    fn attrs(&self) -> Attrs;

    /// The inputs of the graph op that are plain data in this struct (axes, sizes), in order.
    ///
    /// # Errors
    /// `InvalidArgument` if the data does not fit the first operand, such as an axis out of range.
    ///
    /// ```
    /// use extype::ops::ReduceSum;
    /// use extype::prelude::*;
    /// let x = tensor![[1, 2], [3, 4]];
    /// let inputs = ReduceSum::new(.., false).static_inputs(&x)?;
    /// assert_eq!(inputs[0].as_slice::<i64>()?, &[0, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    fn static_inputs(&self, first: &Tensor) -> Result<SmallVec<[Tensor; 2]>> {
        let _ = first;
        Ok(SmallVec::new())
    }

    /// Rebuilds the op from the parts of a graph node.
    ///
    /// # Errors
    /// `InvalidArgument` if an attribute or input is missing or of another kind.
    ///
    /// ```
    /// use extype::ops::ReduceSum;
    /// use extype::prelude::*;
    /// let op = ReduceSum::new(1, true);
    /// let same = ReduceSum::from_parts(&op.attrs(), &op.static_inputs(&tensor![[1, 2]])?)?;
    /// assert_eq!(same, op);
    /// # Ok::<(), Error>(())
    /// ```
    fn from_parts(attrs: &Attrs, static_inputs: &[Tensor]) -> Result<Self>;

    /// A number at which the op and its derivatives are finite, which types use for missing
    /// elements. `None` if the operand needs no such number.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::Log::default().finite_at(0), Some(1.0));
    /// assert_eq!((ops::Div::default().finite_at(0), ops::Div::default().finite_at(1)), (None, Some(1.0)));
    /// ```
    fn finite_at(&self, operand: usize) -> Option<f64> {
        self.def().finite_at.get(operand).copied().flatten()
    }

    /// Runs the op's kernel on arrays. The inputs are those of the graph node, including plain ones
    /// such as axes.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::ops::ReduceSum;
    /// use extype::prelude::*;
    /// let (x, axes) = (Array::from_slice([2, 2], &[1, 2, 3, 4])?, Array::from_slice([1], &[0i64])?);
    /// let sums = ReduceSum::new(0, false).compute(&[&x, &axes])?;
    /// assert_eq!(sums[0].as_slice::<i32>()?, &[4, 6]);
    /// # Ok::<(), Error>(())
    /// ```
    fn compute(&self, inputs: &[&Array]) -> Result<Outputs> {
        self.def().run(inputs, &self.attrs())
    }

    /// Calls the op on tensors; plain numbers among them take the dtype of the others.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let sum = ops::Add::default().run(&[&tensor![1.0f32, 2.0], &tensor![10.0f32, 20.0]])?;
    /// assert_eq!(sum.as_slice::<f32>()?, &[11.0, 22.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    fn run(&self, operands: &[&Tensor]) -> Result<Tensor> {
        self.run_as(operands)
    }

    /// [`run`](Self::run) for any number of results.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::ops::TopK;
    /// use extype::prelude::*;
    /// let two = TopK { k: 2.into(), sorted: true, index_type: i32 };
    /// let (values, places): (Tensor, Tensor) = two.run_as(&[&tensor![3, 9, 5]])?;
    /// assert_eq!((values.as_slice::<i32>()?, places.as_slice::<i32>()?), (&[9, 5][..], &[1, 2][..]));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    fn run_as<R: Results>(&self, operands: &[&Tensor]) -> Result<R> {
        if operands.len() > 1
            && let Some(settled) = settle_numbers(self.def(), operands, Self::STATIC_INPUTS)?
        {
            let operands: SmallVec<[&Tensor; 4]> = settled.iter().collect();
            return self.run_settled(&operands);
        }
        self.run_settled(operands)
    }

    /// [`run_as`](Self::run_as) where no operand is a plain number.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let product: Tensor = ops::Mul::default().run_settled(&[&tensor![1.0f32, 2.0], &scalar(3.0f32)])?;
    /// assert_eq!(product.as_slice::<f32>()?, &[3.0, 6.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    fn run_settled<R: Results>(&self, operands: &[&Tensor]) -> Result<R> {
        let def = self.def_for(operands)?;
        let Some(first) = operands.first().filter(|_| Self::STATIC_INPUTS > 0) else {
            return R::of_call(def, self.attrs(), operands);
        };
        let statics = self.static_inputs(first).map_err(|e| e.with_op(def.rust_name))?;
        R::of_call(def, self.attrs(), &in_order(def, operands, &statics))
    }
}

/// Runs the body of a compound on the op and the operands that it rebuilds from the attributes and
/// inputs of a call.
#[doc(hidden)]
pub fn compound_call<O: Op>(
    def: &'static OpDef,
    attrs: &Attrs,
    inputs: &[&Tensor],
    body: impl FnOnce(&O, &[&Tensor]) -> Result<Tensors>,
) -> Result<Tensors> {
    let (operands, statics) = apart(def, inputs);
    let mut results = body(&O::from_parts(attrs, &statics)?, &operands)?;
    settle_results(def, attrs, inputs, &mut results)?;
    Ok(results)
}

/// Splits the inputs of a graph op into operands and plain inputs: the inverse of [`in_order`].
fn apart<'a>(
    def: &OpDef,
    inputs: &[&'a Tensor],
) -> (SmallVec<[&'a Tensor; 4]>, SmallVec<[Tensor; 2]>) {
    let (mut operands, mut statics) = (SmallVec::new(), SmallVec::new());
    for (arg, input) in def.spread_inputs(inputs.len()).zip(inputs) {
        match arg.is_static {
            true => statics.push((*input).clone()),
            false => operands.push(*input),
        }
    }
    (operands, statics)
}

/// Checks the results of a body against its row. A result that is also an operand becomes a copy with its own id, since
/// gradients tell tensors apart by id.
fn settle_results(
    def: &'static OpDef,
    attrs: &Attrs,
    inputs: &[&Tensor],
    results: &mut Tensors,
) -> Result<()> {
    if def.is_checked() {
        let types: Types = results.iter().map(Tensor::tensor_type).collect();
        let given: Types = inputs.iter().map(|t| t.tensor_type()).collect();
        def.check_promised("the body", &InferContext::new(&given, attrs, &|_| None), &types)?;
    }
    for y in results {
        if y.dtype().is_differentiable() && inputs.iter().any(|x| x.id() == y.id()) {
            *y = y.identity()?;
        }
    }
    Ok(())
}

/// The inputs of a graph's op: the operands with plain inputs among them.
fn in_order<'a>(
    def: &OpDef,
    operands: &[&'a Tensor],
    statics: &'a [Tensor],
) -> SmallVec<[&'a Tensor; 4]> {
    let count = operands.len() + statics.len();
    let (mut operands, mut statics) = (operands.iter().copied(), statics.iter());
    let mut inputs = SmallVec::new();
    for arg in def.spread_inputs(count) {
        inputs.extend(if arg.is_static { statics.next() } else { operands.next() });
    }
    // The call refuses a wrong number of operands.
    inputs.extend(operands);
    inputs
}

/// An op whose row is known from its type, as for every row of the op table.
pub trait NamedOp {
    /// The graph name.
    const NAME: &'static str;
    /// The name in Rust.
    const RUST_NAME: &'static str;
    /// The row.
    const DEF: &'static OpDef;
    /// The operands that an override of the op receives.
    const OPERANDS: Operands;
    /// The fields of the op: attributes, and inputs that are plain data.
    const FIELDS: &'static [Field];
}

/// A field of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Its type, as written in the row.
    pub ty: &'static str,
}

/// The operands that an override of an op receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// This many operands.
    Each(usize),
    /// A sequence of any length.
    Sequence,
    /// None: the op takes only tensors and can't be overridden.
    None,
}

/// The meaning of an op with one tensor operand for this type.
///
/// ```
/// use extype::ops::{Apply1, Transpose};
/// use extype::prelude::*;
/// /// The transpose of matrices of any type that has one.
/// fn transposed<X: Apply1<Transpose>>(x: &X) -> Result<X::Output> {
///     X::apply1(&Transpose { perm: [1, 0].into() }, x)
/// }
/// assert_eq!(transposed(&tensor![[1, 2, 3]])?.shape(), shape![3, 1]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not support the op `{O}`",
    label = "not defined for `{Self}`",
    note = "for a type of your own, write `#[overrides(…)]` with the op's name or family on a function of its `#[dispatch]` impl"
)]
pub trait Apply1<O: Op> {
    /// The type of the result.
    type Output;

    /// Calls the op.
    ///
    /// # Errors
    /// What the op refuses.
    fn apply1(op: &O, x: &Self) -> Result<Self::Output>;

    /// Like [`apply1`](Self::apply1), but returns `None` if the type declines these values.
    ///
    /// Run-time dispatch then tries the next type, whereas `apply1` returns an error.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::ops::{Apply1, Sin};
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Angle { degrees: Tensor }
    /// #[dispatch]
    /// impl Angle {
    ///     #[overrides(sin)]
    ///     fn sin(x: &Self) -> Result<Option<Tensor>> {
    ///         // Whole numbers of degrees are left to others.
    ///         if x.degrees.dtype() == i32 { Ok(None) } else { ops::sin(&x.degrees * (std::f64::consts::PI / 180.0)).map(Some) }
    ///     }
    /// }
    /// let (right, whole) = (Angle::new(90.0)?, Angle::new(90)?);
    /// assert!(Angle::try_apply1(&Sin::default(), &right)?.is_some());
    /// assert!(Angle::try_apply1(&Sin::default(), &whole)?.is_none());
    /// assert!(Angle::apply1(&Sin::default(), &whole).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    fn try_apply1(op: &O, x: &Self) -> Result<Option<Self::Output>> {
        Self::apply1(op, x).map(Some)
    }
}

/// The meaning of an op with two tensor operands for this type and `Y`.
///
/// ```
/// use extype::ops::{Apply2, Gather};
/// use extype::prelude::*;
/// /// The first two rows of a table of any type that has rows.
/// fn head<X: Apply2<Tensor, Gather>>(table: &X) -> Result<X::Output> {
///     X::apply2(&Gather { axis: Axis(0), batch_dims: 0 }, table, &tensor![0, 1])
/// }
/// assert_eq!(head(&tensor![10, 20, 30])?.as_slice::<i32>()?, &[10, 20]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not support the op `{O}` with `{Y}`",
    label = "not defined for `{Self}` and `{Y}`",
    note = "for a type of your own, write `#[overrides(…)]` with the op's name or family on a function of its `#[dispatch]` impl"
)]
pub trait Apply2<Y, O: Op> {
    /// The type of the result.
    type Output;

    /// Calls the op.
    ///
    /// # Errors
    /// What the op refuses.
    fn apply2(op: &O, x: &Self, y: &Y) -> Result<Self::Output>;

    /// Like [`apply2`](Self::apply2), but returns `None` if the type declines these values.
    ///
    /// Run-time dispatch then tries the next type, whereas `apply2` returns an error.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::ops::{Add, Apply2};
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Angle { degrees: Tensor }
    /// #[dispatch]
    /// impl Angle {
    ///     #[overrides(add)]
    ///     fn add(x: &Self, y: &Self) -> Result<Option<Self>> {
    ///         // Dtypes that differ are left to others.
    ///         if x.degrees.dtype() != y.degrees.dtype() { Ok(None) } else { Self::new(&x.degrees + &y.degrees).map(Some) }
    ///     }
    /// }
    /// let (x, y) = (Angle::new(90.0)?, Angle::new(90)?);
    /// assert!(Angle::try_apply2(&Add::default(), &x, &x)?.is_some());
    /// assert!(Angle::try_apply2(&Add::default(), &x, &y)?.is_none());
    /// assert!(Angle::apply2(&Add::default(), &x, &y).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    fn try_apply2(op: &O, x: &Self, y: &Y) -> Result<Option<Self::Output>> {
        Self::apply2(op, x, y).map(Some)
    }
}

/// The meaning of an op with three tensor operands for this type, `Y` and `Z`.
///
/// ```
/// use extype::ops::{Apply3, Select};
/// use extype::prelude::*;
/// /// One of two values of any type that can be chosen from element by element.
/// fn chosen<X>(mask: &Tensor, x: &X, y: &X) -> Result<<Tensor as Apply3<X, X, Select>>::Output>
/// where
///     Tensor: Apply3<X, X, Select>,
/// {
///     Tensor::apply3(&Select {}, mask, x, y)
/// }
/// let z = chosen(&tensor![true, false], &tensor![1, 2], &tensor![3, 4])?;
/// assert_eq!(z.as_slice::<i32>()?, &[1, 4]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not support the op `{O}` with `{Y}` and `{Z}`",
    label = "not defined for `{Self}`, `{Y}` and `{Z}`",
    note = "for a type of your own, write `#[overrides(…)]` with the op's name or family on a function of its `#[dispatch]` impl"
)]
pub trait Apply3<Y, Z, O: Op> {
    /// The type of the result.
    type Output;

    /// Calls the op.
    ///
    /// # Errors
    /// What the op refuses.
    fn apply3(op: &O, x: &Self, y: &Y, z: &Z) -> Result<Self::Output>;

    /// Like [`apply3`](Self::apply3), but returns `None` if the type declines these values.
    ///
    /// Run-time dispatch then tries the next type, whereas `apply3` returns an error.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::ops::{Apply3, Select};
    /// use extype::prelude::*;
    /// let (mask, x) = (tensor![true, false], tensor![1, 2]);
    /// // Tensors never decline.
    /// assert!(Tensor::try_apply3(&Select {}, &mask, &x, &x)?.is_some());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    fn try_apply3(op: &O, x: &Self, y: &Y, z: &Z) -> Result<Option<Self::Output>> {
        Self::apply3(op, x, y, z).map(Some)
    }
}

/// The meaning of an op on a sequence of values of this type.
///
/// ```
/// use extype::ops::{ApplySeq, Stack};
/// use extype::prelude::*;
/// /// Pairs of values of any type that can be stacked.
/// fn paired<X: ApplySeq<Stack>>(x: &X, y: &X) -> Result<X::Output> {
///     X::apply_seq(&Stack { axis: 1 }, &[x, y])
/// }
/// let pairs = paired(&tensor![1, 2], &tensor![3, 4])?;
/// assert_eq!(pairs.as_slice::<i32>()?, &[1, 3, 2, 4]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not support the op `{O}`",
    label = "not defined for a sequence of `{Self}`",
    note = "for a type of your own, write `#[overrides(…)]` with the op's name or family on a function of its `#[dispatch]` impl"
)]
pub trait ApplySeq<O: Op>: Sized {
    /// The type of the result.
    type Output;

    /// Calls the op.
    ///
    /// # Errors
    /// What the op refuses.
    fn apply_seq(op: &O, xs: &[&Self]) -> Result<Self::Output>;

    /// Like [`apply_seq`](Self::apply_seq), but returns `None` if the type declines these values.
    ///
    /// Run-time dispatch then tries the next type, whereas `apply_seq` returns an error.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::ops::{ApplySeq, Concat};
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Angle { degrees: Tensor }
    /// #[dispatch]
    /// impl Angle {
    ///     #[overrides(concat)]
    ///     fn concat(xs: &[&Self], axis: Axis) -> Result<Option<Self>> {
    ///         // A list of one is left to others.
    ///         let [x, y] = xs else { return Ok(None) };
    ///         Self::new(ops::concat(&[&x.degrees, &y.degrees], axis)?).map(Some)
    ///     }
    /// }
    /// let (x, op) = (Angle::new([90.0])?, Concat { axis: Axis(0) });
    /// assert!(Angle::try_apply_seq(&op, &[&x, &x])?.is_some());
    /// assert!(Angle::try_apply_seq(&op, &[&x])?.is_none());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    fn try_apply_seq(op: &O, xs: &[&Self]) -> Result<Option<Self::Output>> {
        Self::apply_seq(op, xs).map(Some)
    }
}

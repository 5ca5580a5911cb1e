//! The gradient of an op: the input of a rule, its output, and helpers that rules share.

use smallvec::SmallVec;

use crate::ir::{Attr, AttrKey, Attrs, ByOp, Forward, OpDef};
use crate::ops::methods::*;
use crate::ops::protocol::apply::{NamedOp, Op};
use crate::ops::rules::slices::{IndexedSlices, InputGradient};
use crate::ops::{BroadcastGradientArgs, Integers};
use crate::tensor::{Tensor, execute};
use crate::types::{Result, err};

/// A recorded call, as a gradient rule receives it.
///
/// ```
/// use extype::{gradient::Gradient, prelude::*, types::DTypeSet};
/// extype::define_op! {
///     /// The product of two tensors of one shape.
///     op Product = "Doc>Product" {
///         inputs: { x: T, y: T }, outputs: { z: T }, types: { T: DTypeSet::FLOAT },
///         call: product(x, y),
///         infer: ops::rules::same_shape,
///         kernel: |c| ops::Mul::default().compute(&[c.input(0), c.input(1)]),
///         gradient: rule,
///     }
/// }
/// /// By each factor the cotangent times the other one.
/// fn rule(g: &Gradient<'_>) -> Result<[Option<Tensor>; 2]> {
///     Ok([Some(ops::mul(g.dy()?, g.x(1))?), Some(ops::mul(g.dy()?, g.x(0))?)])
/// }
/// let slope = grad(|x: &Tensor| product(x, scalar(3.0f32)))(&scalar(2.0f32))?;
/// assert_eq!(slope.item::<f32>()?, 3.0);
/// # Ok::<(), Error>(())
/// ```
pub struct Gradient<'a> {
    /// The op.
    pub op: &'static OpDef,
    /// Its attributes.
    pub attrs: &'a Attrs,
    /// Its operands.
    pub inputs: &'a [Tensor],
    /// Its results.
    pub outputs: &'a [Tensor],
    /// The gradient of the target with respect to each result; `None` where it does not depend
    /// on it.
    pub cotangents: &'a [Option<Tensor>],
    /// Whether the gradient of each operand is wanted; without an entry if that is not known.
    pub(crate) wanted: &'a [bool],
}

impl Gradient<'_> {
    /// Operand `i`.
    ///
    /// # Panics
    /// If there are fewer; the op's definition fixes their number.
    ///
    /// ```
    /// use extype::{gradient::Gradient, prelude::*, types::DTypeSet};
    /// /// The rule of an op `times`, which is `x · y`.
    /// fn rule(g: &Gradient<'_>) -> Result<[Option<Tensor>; 2]> {
    ///     Ok([Some(ops::mul(g.dy()?, g.x(1))?), Some(ops::mul(g.dy()?, g.x(0))?)])
    /// }
    /// # extype::define_op! {
    /// #     /// Times.
    /// #     op Times = "Doc>Times" {
    /// #         inputs: { x: T, y: T }, outputs: { z: T }, types: { T: DTypeSet::FLOAT },
    /// #         call: times(x, y),
    /// #         infer: ops::rules::broadcast, kernel: |c| ops::Mul::default().compute(&[c.input(0), c.input(1)]), gradient: rule,
    /// #     }
    /// # }
    /// let slope = grad(|y: &Tensor| times(scalar(3.0f32), y))(&scalar(2.0f32))?;
    /// assert_eq!(slope.item::<f32>()?, 3.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn x(&self, i: usize) -> &Tensor {
        &self.inputs[i]
    }

    /// The first result.
    ///
    /// # Panics
    /// If the op has none.
    ///
    /// ```
    /// use extype::{gradient::Gradient, prelude::*, types::DTypeSet};
    /// /// The rule of an op `power`, an exponential: it is its own derivative.
    /// fn rule(g: &Gradient<'_>) -> Result<Tensor> {
    ///     ops::mul(g.dy()?, g.y())
    /// }
    /// # extype::define_op! {
    /// #     /// Power.
    /// #     op Power = "Doc>Power" {
    /// #         inputs: { x: T }, outputs: { z: T }, types: { T: DTypeSet::FLOAT },
    /// #         call: power(x),
    /// #         infer: ops::rules::same_shape, kernel: |c| ops::Exp::default().compute(&[c.input(0)]), gradient: rule,
    /// #     }
    /// # }
    /// let slope = grad(|x: &Tensor| power(x))(&scalar(1.0f64))?;
    /// assert_eq!(slope.item::<f64>()?, power(scalar(1.0f64))?.item::<f64>()?);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn y(&self) -> &Tensor {
        &self.outputs[0]
    }

    /// The cotangent of the first result.
    ///
    /// # Errors
    /// `Internal` if there is none; the rule of an op with one result only runs if there is one.
    ///
    /// ```
    /// use extype::{gradient::Gradient, prelude::*, types::DTypeSet};
    /// /// The rule of an op `doubled`, which is `x + x`.
    /// fn rule(g: &Gradient<'_>) -> Result<Tensor> {
    ///     ops::mul(g.dy()?, 2.0)
    /// }
    /// # extype::define_op! {
    /// #     /// Doubled.
    /// #     op Doubled = "Doc>Doubled" {
    /// #         inputs: { x: T }, outputs: { z: T }, types: { T: DTypeSet::FLOAT },
    /// #         call: doubled(x),
    /// #         infer: ops::rules::same_shape, kernel: |c| ops::Add::default().compute(&[c.input(0), c.input(0)]), gradient: rule,
    /// #     }
    /// # }
    /// let slope = grad(|x: &Tensor| ops::mul(doubled(x)?, 5.0))(&scalar(1.0f32))?;
    /// assert_eq!(slope.item::<f32>()?, 10.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn dy(&self) -> Result<&Tensor> {
        self.cotangents
            .first()
            .and_then(Option::as_ref)
            .ok_or_else(|| err!(Internal, "{} has no cotangent", self.op.rust_name))
    }

    /// Whether the gradient of operand `i` is wanted; a rule need not compute the others.
    ///
    /// ```
    /// use extype::{gradient::Gradient, prelude::*, types::DTypeSet};
    /// /// The rule of an op `frugal`, which is `x · y`: no product is made in vain.
    /// fn rule(g: &Gradient<'_>) -> Result<[Option<Tensor>; 2]> {
    ///     let by = |i, other| g.wants(i).then(|| ops::mul(g.dy()?, g.x(other))).transpose();
    ///     Ok([by(0, 1)?, by(1, 0)?])
    /// }
    /// # extype::define_op! {
    /// #     /// Frugal.
    /// #     op Frugal = "Doc>Frugal" {
    /// #         inputs: { x: T, y: T }, outputs: { z: T }, types: { T: DTypeSet::FLOAT },
    /// #         call: frugal(x, y),
    /// #         infer: ops::rules::broadcast, kernel: |c| ops::Mul::default().compute(&[c.input(0), c.input(1)]), gradient: rule,
    /// #     }
    /// # }
    /// let slope = grad(|x: &Tensor| frugal(x, scalar(3.0f32)))(&scalar(2.0f32))?;
    /// assert_eq!(slope.item::<f32>()?, 3.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn wants(&self, i: usize) -> bool {
        self.wanted.get(i).copied().unwrap_or(true)
    }

    /// Whether the gradient of each operand from `first` on is wanted, if that is known.
    pub(crate) fn wanted_from(&self, first: usize) -> Option<&[bool]> {
        self.wanted.get(first..).filter(|_| self.wanted.len() == self.inputs.len())
    }

    /// For an operand that the results depend on but the rule has no gradient for: `None` if the
    /// gradient is not wanted, otherwise an error.
    ///
    /// # Errors
    /// `Unimplemented` if it is wanted.
    ///
    /// ```
    /// use extype::{gradient::Gradient, prelude::*, types::DTypeSet};
    /// /// The rule of an op `half`, which is `x · y`: by `x` only.
    /// fn rule(g: &Gradient<'_>) -> Result<[Option<Tensor>; 2]> {
    ///     Ok([Some(ops::mul(g.dy()?, g.x(1))?), g.missing(1)?])
    /// }
    /// # extype::define_op! {
    /// #     /// Half.
    /// #     op Half = "Doc>Half" {
    /// #         inputs: { x: T, y: T }, outputs: { z: T }, types: { T: DTypeSet::FLOAT },
    /// #         call: half(x, y),
    /// #         infer: ops::rules::broadcast, kernel: |c| ops::Mul::default().compute(&[c.input(0), c.input(1)]), gradient: rule,
    /// #     }
    /// # }
    /// let (x, y) = (scalar(2.0f32), scalar(3.0f32));
    /// assert_eq!(grad(|x: &Tensor| half(x, &y))(&x)?.item::<f32>()?, 3.0);
    /// assert_eq!(grad(|y: &Tensor| half(&x, y))(&y).unwrap_err().kind(), ErrorKind::Unimplemented);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn missing(&self, i: usize) -> Result<Option<Tensor>> {
        if !self.wanted.get(i).copied().unwrap_or_default() {
            return Ok(None);
        }
        let name = self.op.spread_inputs(self.inputs.len()).nth(i).map_or("", |arg| arg.name);
        Err(err!(Unimplemented, "the op has no gradient rule for its operand `{name}`"))
    }

    /// An attribute.
    ///
    /// # Errors
    /// `InvalidArgument` if it is missing or of another kind.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::gradient::Gradient;
    /// use extype::prelude::*;
    /// use extype::types::DTypeSet;
    /// /// The rule of an op `scaled`, which is `factor · x` with an attribute `factor`.
    /// fn rule(g: &Gradient<'_>) -> Result<Tensor> {
    ///     ops::mul(g.dy()?, g.get(Scaled::FACTOR)?)
    /// }
    /// # extype::define_op! {
    /// #     /// Scaled.
    /// #     op Scaled = "Doc>Scaled" {
    /// #         inputs: { x: T }, outputs: { z: T }, types: { T: DTypeSet::of(&[DType::F32]) }, attrs: { factor: f32 = 1.0 },
    /// #         call: scaled(x; factor),
    /// #         infer: ops::rules::same_shape, gradient: rule,
    /// #         kernel: |c| ops::Mul::default().compute(&[c.input(0), &Array::scalar(c.get(Scaled::FACTOR)?)]),
    /// #     }
    /// # }
    /// let slope = grad(|x: &Tensor| scaled(x, 4.0))(&scalar(1.0f32))?;
    /// assert_eq!(slope.item::<f32>()?, 4.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn get<T: Attr>(&self, key: AttrKey<T>) -> Result<T> {
        self.attrs.get(key)
    }

    /// The op that was called.
    ///
    /// # Errors
    /// `InvalidArgument` if the call is not one of this op.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::gradient::Gradient;
    /// use extype::prelude::*;
    /// use extype::types::DTypeSet;
    /// /// The rule of an op `multiple`, which is `factor · x` with an attribute `factor`.
    /// fn rule(g: &Gradient<'_>) -> Result<Tensor> {
    ///     let op: Multiple = g.op()?;
    ///     ops::mul(g.dy()?, op.factor)
    /// }
    /// # extype::define_op! {
    /// #     /// Multiple.
    /// #     op Multiple = "Doc>Multiple" {
    /// #         inputs: { x: T }, outputs: { z: T }, types: { T: DTypeSet::of(&[DType::F32]) }, attrs: { factor: f32 = 1.0 },
    /// #         call: multiple(x; factor),
    /// #         infer: ops::rules::same_shape, gradient: rule,
    /// #         kernel: |c| ops::Mul::default().compute(&[c.input(0), &Array::scalar(c.get(Multiple::FACTOR)?)]),
    /// #     }
    /// # }
    /// let slope = grad(|x: &Tensor| multiple(x, 4.0))(&scalar(1.0f32))?;
    /// assert_eq!(slope.item::<f32>()?, 4.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn op<O: Op>(&self) -> Result<O> {
        let inputs = self.op.spread_inputs(self.inputs.len()).zip(self.inputs);
        let plain: Vec<Tensor> =
            inputs.filter(|(arg, _)| arg.is_static).map(|(_, x)| x.clone()).collect();
        O::from_parts(self.attrs, &plain)
    }
}

/// The gradients with respect to the operands; `None` where there is none. Made by collecting
/// tensors, or from [`InputGradient`]s where some are slices.
#[derive(Clone, Debug, Default)]
pub struct InputGradients(SmallVec<[Option<InputGradient>; 2]>);

impl InputGradients {
    /// The gradients as tensors.
    ///
    /// # Errors
    /// What [`IndexedSlices::to_dense`] fails with.
    ///
    /// ```
    /// use extype::gradient::InputGradients;
    /// use extype::prelude::*;
    /// let gradients: InputGradients = [Some(tensor![1.0f32, 2.0]), None].into_iter().collect();
    /// let gradients = gradients.into_dense()?;
    /// assert_eq!(gradients[0].as_ref().unwrap().shape(), shape![2]);
    /// assert!(gradients[1].is_none());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn into_dense(self) -> Result<SmallVec<[Option<Tensor>; 2]>> {
        self.into_iter().map(|g| g.map(InputGradient::into_dense).transpose()).collect()
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Option<InputGradient>> {
        self.0.iter()
    }
}

impl FromIterator<Option<Tensor>> for InputGradients {
    fn from_iter<I: IntoIterator<Item = Option<Tensor>>>(all: I) -> Self {
        Self(all.into_iter().map(|g| g.map(InputGradient::Dense)).collect())
    }
}

impl From<SmallVec<[Option<InputGradient>; 2]>> for InputGradients {
    fn from(all: SmallVec<[Option<InputGradient>; 2]>) -> Self {
        Self(all)
    }
}

impl IntoIterator for InputGradients {
    type Item = Option<InputGradient>;
    type IntoIter = smallvec::IntoIter<[Option<InputGradient>; 2]>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// The gradient of an op.
pub type GradientRule = fn(&Gradient<'_>) -> Result<InputGradients>;

/// A result that a rule may return: the gradients of all operands, or that of the first alone.
pub trait IntoGradients {
    /// The gradients of all operands.
    ///
    /// ```
    /// use extype::gradient::{Gradient, InputGradients, IntoGradients};
    /// use extype::prelude::*;
    /// use extype::types::DTypeSet;
    /// /// The rule of an op `twice`, which is `x + x`: a tensor is the gradient of the first operand.
    /// fn rule(g: &Gradient<'_>) -> Result<InputGradients> {
    ///     Ok(ops::mul(g.dy()?, 2.0)?.into_gradients(g))
    /// }
    /// # extype::define_op! {
    /// #     /// Twice.
    /// #     op Twice = "Doc>Twice" {
    /// #         inputs: { x: T }, outputs: { z: T }, types: { T: DTypeSet::FLOAT },
    /// #         call: twice(x),
    /// #         infer: ops::rules::same_shape, kernel: |c| ops::Add::default().compute(&[c.input(0), c.input(0)]), gradient: rule,
    /// #     }
    /// # }
    /// let slope = grad(|x: &Tensor| twice(x))(&scalar(1.0f32))?;
    /// assert_eq!(slope.item::<f32>()?, 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn into_gradients(self, g: &Gradient<'_>) -> InputGradients;
}

impl IntoGradients for InputGradients {
    fn into_gradients(self, _: &Gradient<'_>) -> InputGradients {
        self
    }
}

impl<const N: usize> IntoGradients for [Option<Tensor>; N] {
    fn into_gradients(self, _: &Gradient<'_>) -> InputGradients {
        self.into_iter().collect()
    }
}

impl IntoGradients for Tensor {
    fn into_gradients(self, g: &Gradient<'_>) -> InputGradients {
        first(g, self)
    }
}

impl IntoGradients for IndexedSlices {
    fn into_gradients(self, g: &Gradient<'_>) -> InputGradients {
        first(g, self)
    }
}

/// Returns the call that tapes run in place of an op with these attributes.
pub type ForwardFn = fn(&'static OpDef, &Attrs) -> Result<Forward>;

/// The gradient of an op, as its row gives it.
#[derive(Clone, Copy)]
enum Given {
    /// A function computes it.
    Function(GradientRule),
    /// The gradient of the first operand is that of the first result, tensor or slices.
    Same,
    /// No gradient passes the op.
    None,
}

/// A gradient rule with its op; rows register it.
#[derive(Clone, Copy)]
pub struct GradientEntry {
    op: &'static OpDef,
    given: Given,
    forward: Option<ForwardFn>,
}

impl GradientEntry {
    /// The rule of an op.
    pub const fn new(op: &'static OpDef, rule: GradientRule) -> Self {
        Self { op, given: Given::Function(rule), forward: None }
    }

    /// An op without a rule of its own: tapes run another call in its place.
    pub const fn forward(op: &'static OpDef, forward: ForwardFn) -> Self {
        Self::new(op, not_forwarded).with_forward(forward)
    }

    /// An op that passes the cotangent of its first result unchanged to its first operand.
    pub const fn same(op: &'static OpDef) -> Self {
        Self { op, given: Given::Same, forward: None }
    }

    /// An op that no gradient passes.
    pub const fn none(op: &'static OpDef) -> Self {
        Self { op, given: Given::None, forward: None }
    }

    /// Adds the call that tapes run in place of the op.
    #[must_use]
    pub const fn with_forward(mut self, forward: ForwardFn) -> Self {
        self.forward = Some(forward);
        self
    }
}

inventory::collect!(GradientEntry);

/// The rule of an op that ran itself although tapes run another call in its place. It fails with
/// the reason.
fn not_forwarded(g: &Gradient<'_>) -> Result<InputGradients> {
    let forward = forward_of(g.op, g.attrs).transpose()?;
    let why = if forward.is_some() { "it was not recorded" } else { "it has none" };
    Err(err!(Internal, "the op has no gradient rule: {why}"))
}

/// The gradient entry of an op, if its row has one.
fn entry(op: &'static OpDef) -> Option<&'static GradientEntry> {
    static RULES: ByOp<&GradientEntry> = ByOp::new();
    RULES.get(op, || inventory::iter::<GradientEntry>.into_iter().map(|e| (e.op, e))).copied()
}

/// The gradient rule of an op, if its row has one. Rows that say that no gradient passes have one
/// too.
///
/// ```
/// use extype::{ir::find_op, ops::gradient_rule, prelude::*};
/// assert!(gradient_rule(find_op("Tanh")?).is_some());
/// assert!(gradient_rule(find_op("Floor")?).is_some());
/// # Ok::<(), Error>(())
/// ```
pub fn gradient_rule(op: &'static OpDef) -> Option<GradientRule> {
    let same: GradientRule = |g| Ok(first(g, g.dy()?.clone()));
    let none: GradientRule = |g| Ok(no_gradients(g));
    entry(op).map(|entry| match entry.given {
        Given::Function(rule) => rule,
        Given::Same => same,
        Given::None => none,
    })
}

/// Returns true if the row says that no gradient passes the op.
///
/// ```
/// use extype::{ir::find_op, ops::passes_no_gradient, prelude::*};
/// assert!(passes_no_gradient(find_op("Floor")?));
/// assert!(!passes_no_gradient(find_op("Tanh")?));
/// # Ok::<(), Error>(())
/// ```
pub fn passes_no_gradient(op: &'static OpDef) -> bool {
    entry(op).is_some_and(|entry| matches!(entry.given, Given::None))
}

/// True if the cotangent of the first result is, unchanged, the gradient of the first operand.
pub(crate) fn hands_on(op: &'static OpDef) -> bool {
    entry(op).is_some_and(|entry| matches!(entry.given, Given::Same))
}

/// The call that a gradient tape runs in place of an op, if it is not the op itself.
///
/// # Errors
/// What the op's [`ForwardFn`] fails with, if the op has no gradient for these attributes.
///
/// ```
/// use extype::ir::{Attrs, find_op};
/// use extype::ops::forward_of;
/// use extype::prelude::*;
/// assert!(forward_of(find_op("Tanh")?, &Attrs::new()).is_none());
/// # Ok::<(), Error>(())
/// ```
pub fn forward_of(op: &'static OpDef, attrs: &Attrs) -> Option<Result<Forward>> {
    entry(op)?.forward.map(|forward| forward(op, attrs))
}

/// Returns no gradient for every operand.
///
/// ```
/// use extype::gradient::{Gradient, InputGradients};
/// use extype::ops::no_gradients;
/// use extype::prelude::*;
/// use extype::types::DTypeSet;
/// /// The rule of an op `guarded`, a copy that drops cotangents that are not finite.
/// fn rule(g: &Gradient<'_>) -> Result<InputGradients> {
///     let finite = ops::is_finite(g.dy()?)?.reduce_all(.., false)?.item::<bool>()?;
///     if finite { Ok([Some(g.dy()?.clone())].into_iter().collect()) } else { Ok(no_gradients(g)) }
/// }
/// # extype::define_op! {
/// #     /// Guarded.
/// #     op Guarded = "Doc>Guarded" {
/// #         inputs: { x: T }, outputs: { z: T }, types: { T: DTypeSet::FLOAT },
/// #         call: guarded(x),
/// #         infer: ops::rules::same_shape, kernel: |c| ops::Identity::default().compute(&[c.input(0)]), gradient: rule,
/// #     }
/// # }
/// let slope = |factor: f32| grad(move |x: &Tensor| ops::mul(guarded(x)?, factor))(&scalar(1.0f32));
/// assert_eq!(slope(2.0)?.item::<f32>()?, 2.0);
/// assert_eq!(slope(f32::INFINITY)?.item::<f32>()?, 0.0);
/// # Ok::<(), Error>(())
/// ```
pub fn no_gradients(g: &Gradient<'_>) -> InputGradients {
    g.inputs.iter().map(|_| None).collect()
}

/// True if the tensor is known to have no elements.
pub(crate) fn is_empty(x: &Tensor) -> bool {
    match x {
        Tensor::Value(array) => array.is_empty(),
        Tensor::Symbol(s) => {
            s.shape().dims().is_some_and(|dims| dims.iter().any(|d| d.size() == Some(0)))
        }
    }
}

/// The complex conjugate; a real tensor is returned unchanged.
pub(in crate::ops) fn conjugate(x: &Tensor) -> Result<Tensor> {
    if x.dtype().is_complex() { x.conj() } else { Ok(x.clone()) }
}

/// The gradient of the first operand only.
pub(in crate::ops) fn first(
    g: &Gradient<'_>,
    gradient: impl Into<InputGradient>,
) -> InputGradients {
    let mut all = no_gradients(g);
    all.0[0] = Some(gradient.into());
    all
}

/// The sizes of a tensor, as plain numbers where they are known while tracing.
pub(in crate::ops) fn sizes(x: &Tensor) -> Result<Integers> {
    match Integers::of_shape(&x.shape()) {
        Some(known) => Ok(known),
        None => crate::ops::shape_of(x).map(Integers::Tensor),
    }
}

/// The gradients of two operands that broadcast: each is summed over the axes along which its
/// operand was repeated.
pub(in crate::ops) fn unbroadcast(
    [x, y]: [&Tensor; 2],
    [gx, gy]: [Option<Tensor>; 2],
) -> Result<[Option<Tensor>; 2]> {
    if x.shape() == y.shape() && x.shape().is_fully_defined() {
        return Ok([gx, gy]);
    }
    let (sx, sy) = (sizes(x)?.to_tensor()?, sizes(y)?.to_tensor()?);
    let axes = execute(BroadcastGradientArgs::DEF, Attrs::new(), &[&sx, &sy])?;
    let sum = |g: Option<Tensor>, i: usize, x: &Tensor| -> Result<Option<Tensor>> {
        let Some(g) = g else { return Ok(None) };
        if g.shape() == x.shape() && x.shape().is_fully_defined() {
            return Ok(Some(g));
        }
        let summed = g.reduce_sum(&axes[i], false)?;
        summed.reshape(sizes(x)?).map(Some)
    };
    Ok([sum(gx, 0, x)?, sum(gy, 1, y)?])
}

/// [`unbroadcast`] for the rule of a binary op.
#[doc(hidden)]
pub fn unbroadcast_gradients(
    g: &Gradient<'_>,
    gradients: [Option<Tensor>; 2],
) -> Result<InputGradients> {
    Ok(unbroadcast([g.x(0), g.x(1)], gradients)?.into_iter().collect())
}

/// A gradient summed down to the shape of an operand that was repeated.
pub(in crate::ops) fn sum_to(g: Tensor, x: &Tensor, other: &Tensor) -> Result<Option<Tensor>> {
    let [g, _] = unbroadcast([x, other], [Some(g), None])?;
    Ok(g)
}

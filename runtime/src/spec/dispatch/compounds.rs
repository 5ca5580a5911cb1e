//! Compounds on values of extension types.
//!
//! The body of a compound is written for tensors. For values of a type it runs on stand-ins: tensors without data, of
//! the dtype and shape that the type says. Each op on a stand-in is called on its value by run-time dispatch, so it
//! means what the type's author says. A result that is a tensor goes on as it is, other results get stand-ins.

#![expect(
    non_camel_case_types,
    reason = "type parameters of meanings are named as the operands of the bodies"
)]

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{
    AnySpec, AnyValue, Call, DispatchEntry, Operands as Taken, Structure, Target, TypeRef, answer,
    apart, unanswered,
};
use crate::ir::Attrs;
use crate::numpy::{around, astype, diagonal, logsumexp, moveaxis, swapaxes};
use crate::ops::*;
use crate::tensor::context::{Called, Interpreter, interpreted, outside};
use crate::tensor::{Frame, Identity, Tensor, Tensors};
use crate::types::{Error, ErrorKind, Result, TensorType};

/// A type whose values may stand where compounds take a tensor: it has every compound whose ops it has.
///
/// The body of a compound sees the dtype and the shape of [`stand_in`](Self::stand_in), as far as these are known, and
/// calls its ops on the value. `#[dispatch(stand_in = values)]` implements this with those of a field.
///
/// ```
/// use extype::prelude::*;
/// #[derive(ExtensionType, Clone, Debug)]
/// struct Measure { values: Tensor, #[static_data] unit: String }
/// #[dispatch(stand_in = values)]
/// impl Measure {
///     #[overrides(unary_elementwise)]
///     fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
///         Ok(Self { values: op.call(&x.values)?, unit: x.unit.clone() })
///     }
///     #[overrides(binary_elementwise)]
///     fn binary(op: impl BinaryOp, x: &Self, y: &Self) -> Result<Self> {
///         Ok(Self { values: op.call(&x.values, &y.values)?, unit: x.unit.clone() })
///     }
///     #[overrides(reduction)]
///     fn reduce(op: impl ReductionOp, x: &Self) -> Result<Self> {
///         Ok(Self { values: op.call(&x.values)?, unit: x.unit.clone() })
///     }
/// }
/// // The range is the largest less the smallest.
/// assert_eq!(Measure::new([1.5f32, 4.0], "m")?.ptp(..)?.values.item::<f32>()?, 2.5);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not support functions made of several ops",
    label = "write `#[dispatch(stand_in = field)]`, or override the function by name"
)]
pub trait StandIn: Structure {
    /// The dtype and shape that bodies of compounds see. Ranks and sizes that the type does not know are unknown.
    fn stand_in(&self) -> TensorType;

    /// Calls an op that asks for the rank or the sizes.
    ///
    /// # Errors
    /// `Unimplemented` if the type does not say how its sizes are found.
    #[doc(hidden)]
    fn ask<O: Op>(&self, op: &O) -> Result<Tensor> {
        let text = format!("{} of a `{}`", op.name(), std::any::type_name::<Self>());
        Err(Error::new(ErrorKind::Unimplemented, text))
    }

    /// Handlers that run-time dispatch does not find by itself: of ops that ask for sizes, and those of a generic type in
    /// the block with `stand_in`.
    #[doc(hidden)]
    fn handlers() -> Vec<DispatchEntry> {
        asking::<Self>()
    }
}

/// The handlers of the ops that ask for sizes.
#[doc(hidden)]
pub fn asking<X: StandIn>() -> Vec<DispatchEntry> {
    fn entry<X: StandIn, O: Op + NamedOp>() -> DispatchEntry {
        DispatchEntry {
            owner: TypeRef::of::<X>(),
            target: Target::Op(|| O::NAME),
            operands: Taken::Each(const { &[TypeRef::of::<X>()] }),
            handler: |call| {
                let op: O = call.op()?;
                call.operand::<X>(0)?.ask(&op).map(|sizes| Some(AnyValue::from(sizes)))
            },
        }
    }
    vec![entry::<X, ShapeOf>(), entry::<X, Size>(), entry::<X, Rank>()]
}

/// A tensor, or a value that [stands in](StandIn) for one: the field of a generic wrapper.
///
/// ```
/// use extype::ops::UnaryElementwise;
/// use extype::prelude::*;
/// use extype::spec::dispatch::TensorTyped;
/// /// Any values, with a name.
/// #[derive(ExtensionType, Clone, Debug)]
/// struct Named<V> { values: V, #[static_data] name: String }
/// #[dispatch(stand_in = values)]
/// impl<V: TensorTyped + UnaryElementwise<Output = V>> Named<V> {
///     #[overrides(unary_elementwise)]
///     fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
///         Ok(Self { values: op.call(&x.values)?, name: x.name.clone() })
///     }
/// }
/// let x = Named { values: tensor![1.26f32], name: "x".into() };
/// assert_eq!(x.around(1)?.values.as_slice::<f32>()?, &[1.3]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not support functions made of several ops",
    label = "write `#[dispatch(stand_in = field)]`, or override the function by name"
)]
pub trait TensorTyped: Structure {
    /// The dtype and shape, as far as they are known.
    fn tensor_type(&self) -> TensorType;

    /// See [`StandIn::ask`].
    #[doc(hidden)]
    fn ask<O: Op>(&self, op: &O) -> Result<Tensor>;

    /// See [`StandIn::handlers`].
    #[doc(hidden)]
    fn handlers() -> Vec<DispatchEntry> {
        Vec::new()
    }
}

impl TensorTyped for Tensor {
    fn tensor_type(&self) -> TensorType {
        Tensor::tensor_type(self)
    }

    fn ask<O: Op>(&self, op: &O) -> Result<Tensor> {
        op.run(&[self])
    }
}

impl<X: StandIn> TensorTyped for X {
    fn tensor_type(&self) -> TensorType {
        self.stand_in()
    }

    fn ask<O: Op>(&self, op: &O) -> Result<Tensor> {
        StandIn::ask(self, op)
    }

    fn handlers() -> Vec<DispatchEntry> {
        X::handlers()
    }
}

/// An op with a meaning for these operands, a tuple, which the body of a compound calls.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this function calls `{Self}`, which is not defined for `{Operands}`",
    label = "add `#[overrides({Self})]` to a `#[dispatch]` impl, or override the function itself"
)]
pub trait Calls<Operands> {
    type Output;
}

macro_rules! calls {
    ($($apply:ident ($x:ident $(, $y:ident)*);)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<N: Named, $x: $apply<$($y,)* N::Op, Output = R>, $($y,)* R> Calls<($x, $($y,)*)> for N {
            type Output = R;
        }
    )*};
}
calls! {
    Apply1(X);
    Apply2(X, Y);
    Apply3(X, Y, Z);
}

/// The values that the stand-ins of a running body stand for.
struct StandInBody {
    values: RefCell<FxHashMap<Identity, AnyValue>>,
    /// Handlers of generic types.
    handlers: Vec<DispatchEntry>,
}

impl StandInBody {
    /// The value that a tensor stands for: a stand-in its own, another tensor itself.
    fn value(&self, t: &Tensor) -> AnyValue {
        self.values.borrow().get(&t.id()).cloned().unwrap_or_else(|| t.clone().into())
    }
}

impl Interpreter for StandInBody {
    #[track_caller]
    fn call(
        &self,
        op: Called<'_>,
        inputs: &[&Tensor],
        on_stand_ins: &mut dyn FnMut() -> Result<Tensors>,
    ) -> Result<Option<Tensors>> {
        if op.attrs.iter().any(|(_, value)| value.functions().next().is_some()) {
            return Err(Error::new(
                ErrorKind::Unimplemented,
                "the body of a function made of several ops has control flow, which takes tensors only: override the \
                 function by name",
            ));
        }
        let args: Vec<AnyValue> = inputs.iter().map(|t| self.value(t)).collect();
        let called = || {
            let (operands, statics) = match op.op {
                Some(_) => (args.clone(), Vec::new()),
                None => apart(op.def, &args)?,
            };
            let Called { def, attrs, op } = op;
            let call = Call { def, attrs, operands: &operands, statics: &statics, op };
            match answer(&call, &self.handlers)? {
                None if def.is_compound() => Ok(None),
                // The error names the function as the op.
                None => unanswered(&call, &args)
                    .map(Some)
                    .map_err(|e| e.prefixed(format!("`{}`", def.rust_name))),
                value => Ok(value),
            }
        };
        let Some(result) = outside(called)? else { return Ok(None) };
        if let Some(tensor) = result.as_tensor() {
            return Ok(Some([tensor.clone()].into_iter().collect()));
        }
        let results = match result.spec() {
            AnySpec::Tuple(_) | AnySpec::List(_) => result.components(),
            _ => vec![result],
        };
        let stand_ins = on_stand_ins()?;
        if stand_ins.len() != results.len() {
            return Err(Error::invalid(format!(
                "the handler gives {} results, the op has {}",
                results.len(),
                stand_ins.len()
            )));
        }
        let stands_for = |(stand_in, value): (Tensor, AnyValue)| match value.as_tensor() {
            Some(tensor) => tensor.clone(),
            None => {
                self.values.borrow_mut().insert(stand_in.id(), value);
                stand_in
            }
        };
        Ok(Some(stand_ins.into_iter().zip(results).map(stands_for).collect()))
    }
}

/// Calls a compound on values of which some are no tensors: an override of it by name, otherwise its body.
#[track_caller]
fn call<C: Compound, R: Structure>(op: &C, operands: Vec<Operand>) -> Result<R> {
    let def = op.def();
    let values: Vec<AnyValue> = operands.iter().map(|x| x.value.clone()).collect();
    let handlers: Vec<DispatchEntry> = operands.iter().flat_map(|x| (x.handlers)()).collect();
    let attrs = Attrs::new();
    let by_name =
        Call { def, attrs: &attrs, operands: &values, statics: &[], op: Some(op.as_any()) };
    if let Some(value) = answer(&by_name, &handlers)? {
        return value.downcast();
    }
    let mut frame = Frame::new(def.rust_name);
    let mut stand_ins = FxHashMap::default();
    let tensors: SmallVec<[Tensor; 2]> = operands
        .into_iter()
        .map(|x| match x.value.as_tensor() {
            Some(tensor) => tensor.clone(),
            None => {
                let stand_in = frame.placeholder(x.ty, None);
                stand_ins.insert(stand_in.id(), x.value);
                stand_in
            }
        })
        .collect();
    let body = Rc::new(StandInBody { values: RefCell::new(stand_ins), handlers });
    let results = interpreted(frame, body.clone(), || {
        op.body(&tensors.iter().collect::<SmallVec<[&Tensor; 2]>>())
    });
    let values = |results: C::Results| -> Vec<AnyValue> {
        results.into_tensors().iter().map(|t| body.value(t)).collect()
    };
    let result =
        results.and_then(|results| joined(values(results), C::Results::IS_LIST)?.downcast());
    result.map_err(|e| e.with_op(def.rust_name))
}

/// The one result of a compound, or a tuple or list of them.
fn joined(mut results: Vec<AnyValue>, is_list: bool) -> Result<AnyValue> {
    if let [_] = results[..]
        && !is_list
    {
        return Ok(results.remove(0));
    }
    let specs = results.iter().map(|value| value.spec().clone()).collect();
    let spec = if is_list { AnySpec::List(specs) } else { AnySpec::Tuple(specs) };
    let leaves = results.iter().flat_map(|value| value.leaves().iter().cloned()).collect();
    AnyValue::from_parts(spec, leaves)
}

/// An operand of a compound.
struct Operand {
    value: AnyValue,
    /// What its stand-in looks like.
    ty: TensorType,
    handlers: fn() -> Vec<DispatchEntry>,
}

fn operand<X: TensorTyped>(x: &X) -> Operand {
    Operand { value: AnyValue::of(x), ty: x.tensor_type(), handlers: X::handlers }
}

/// Gives types with stand-ins the compounds: what the body of each calls on its operands `x` and `y`, with the types of
/// the results, and the type that the compound gives. Numbers and indices are of type `Tensor`, and so is an operand
/// `y: Tensor`.
///
/// The compiler refuses a compound of a type without one of these meanings. Ops that a body calls for some dtypes only
/// are left out: where a type has no meaning for one, the call fails.
macro_rules! meanings {
    ($($op:ident, $operands:tt: $($m:ident = $f:ident($($a:ident),+)),+ => $r:ty;)*) => {
        $(meanings!(@operands $op, $operands [$($m = $f($($a),+),)+] $r);)*
    };
    (@operands $op:ident, ($x:ident) $calls:tt $r:ty) => {
        meanings!(@impl Apply1<$op>, apply1, $op, [$x: StandIn] $calls $r, $x; $x);
    };
    (@operands $op:ident, ($x:ident, $y:ident) $calls:tt $r:ty) => {
        meanings!(@impl Apply2<$y, $op>, apply2, $op, [$x: StandIn, $y: TensorTyped] $calls $r, $x; $x, $y);
        const _: () = {
            type $x = Tensor;
            meanings!(@impl Apply2<$y, $op>, apply2, $op, [$y: StandIn] $calls $r, $x; $x, $y);
        };
    };
    (@operands $op:ident, ($x:ident, $y:ident: Tensor) $calls:tt $r:ty) => {
        const _: () = {
            type $y = Tensor;
            meanings!(@impl Apply2<$y, $op>, apply2, $op, [$x: StandIn] $calls $r, $x; $x, $y);
        };
    };
    (@impl $apply:ident<$($of:ident),+>, $method:ident, $op:ident, [$($x:ident: $bound:ident),+]
        [$($m:ident = $f:ident($($a:ident),+),)*] $r:ty, $own:ident; $first:ident $(, $y:ident)*) => {
        impl<$($x: $bound,)+ $($m: Structure),*> $apply<$($of),+> for $own
        where
            $($f: Calls<($($a,)+), Output = $m>,)*
        {
            type Output = $r;

            #[track_caller]
            fn $method(op: &$op, $first: &Self $(, $y: &$y)*) -> Result<$r> {
                call(op, vec![operand($first) $(, operand($y))*])
            }
        }
    };
}

meanings! {
    // Reductions.
    reduce_variance, (x): m = reduce_mean(x), d = sub(x, m), s = square(d), r = reduce_mean(s) => r;
    reduce_std, (x): m = reduce_mean(x), d = sub(x, m), s = square(d), v = reduce_mean(s), r = sqrt(v) => r;
    var, (x): m = reduce_mean(x), d = sub(x, m), s = square(d), r = reduce_mean(s) => r;
    std_, (x): m = reduce_mean(x), d = sub(x, m), s = square(d), v = reduce_mean(s), r = sqrt(v) => r;
    moments, (x): m = reduce_mean(x), d = sub(x, m), s = square(d), v = reduce_mean(s) => (m, v);
    ptp, (x): a = reduce_max(x), b = reduce_min(x), r = sub(a, b) => r;
    reduce_logsumexp, (x): a = reduce_max(x), b = is_finite(a), c = select(b, a, Tensor), m = stop_gradient(c), d = sub(x, m),
        e = exp(d), s = reduce_sum(e), l = log(s), r = add(l, m) => r;
    logsumexp, (x): a = reduce_max(x), b = is_finite(a), c = select(b, a, Tensor), m = stop_gradient(c), d = sub(x, m),
        e = exp(d), s = reduce_sum(e), l = log(s), r = add(l, m) => r;
    count_nonzero, (x): z = zeros_like(x), n = not_equal(x, z), i = cast(n), r = reduce_sum(i) => r;
    zero_fraction, (x): z = zeros_like(x), n = equal(x, z), i = cast(n), r = reduce_mean(i) => r;
    norm, (x): s = square(x), n = reduce_sum(s), z = zeros_like(n), q = equal(n, z), o = ones_like(n), w = select(q, o, n),
        v = sqrt(w), r = select(q, n, v) => r;
    normalize, (x): s = square(x), n = reduce_sum(s), z = zeros_like(n), q = equal(n, z), o = ones_like(n),
        w = select(q, o, n), v = sqrt(w), l = select(q, n, v), r = div(x, l) => (r, l);
    l2_normalize, (x): s = square(x), n = reduce_sum(s), m = maximum(n, Tensor), i = rsqrt(m), c = cast(i), p = mul(x, c),
        r = cast(p) => r;
    average, (x): r = reduce_mean(x) => r;
    nansum, (x): n = isnan(x), o = logical_not(n), f = select(o, x, Tensor), r = reduce_sum(f) => r;
    nanprod, (x): n = isnan(x), o = logical_not(n), f = select(o, x, Tensor), r = reduce_prod(f) => r;
    nanmax, (x): n = isnan(x), o = logical_not(n), f = select(o, x, Tensor), y = reduce_max(f), i = cast(o), c = reduce_sum(i),
        z = equal(c, Tensor), r = select(z, Tensor, y) => r;
    nanmin, (x): n = isnan(x), o = logical_not(n), f = select(o, x, Tensor), y = reduce_min(f), i = cast(o), c = reduce_sum(i),
        z = equal(c, Tensor), r = select(z, Tensor, y) => r;
    nanmean, (x): n = isnan(x), o = logical_not(n), f = select(o, x, Tensor), s = reduce_sum(f), i = cast(o),
        c = reduce_sum(i), d = cast(c), q = div(s, d), r = cast(q) => r;
    nanvar, (x): n = isnan(x), o = logical_not(n), f = select(o, x, Tensor), s = reduce_sum(f), i = cast(o),
        c = reduce_sum(i), w = cast(c), p = div(s, w), m = cast(p), d = sub(x, m), e = select(o, d, Tensor), q = square(e),
        t = reduce_sum(q), k = sub(c, Tensor), g = greater(k, Tensor), u = select(g, k, Tensor), v = cast(u), a = div(t, v),
        r = cast(a) => r;
    nanstd, (x): n = isnan(x), o = logical_not(n), f = select(o, x, Tensor), s = reduce_sum(f), i = cast(o),
        c = reduce_sum(i), w = cast(c), p = div(s, w), m = cast(p), d = sub(x, m), e = select(o, d, Tensor), q = square(e),
        t = reduce_sum(q), k = sub(c, Tensor), g = greater(k, Tensor), u = select(g, k, Tensor), v = cast(u), a = div(t, v),
        b = cast(a), r = sqrt(b) => r;

    // Elementwise functions and comparisons.
    nan_to_num, (x): n = isnan(x), o = logical_not(n), f = select(o, x, Tensor), e = equal(x, Tensor), g = select(e, Tensor, f),
        r = select(e, Tensor, g) => r;
    around, (x): r = round_to(x) => r;
    astype, (x): r = cast(x) => r;
    isclose, (x, y): e = equal(x, y), d = sub(x, y), a = abs(d), b = abs(y), t = mul(b, Tensor), u = add(t, Tensor),
        n = less_equal(a, u), f = isfinite(y), g = logical_and(n, f), r = logical_or(e, g) => r;
    allclose, (x, y): e = equal(x, y), d = sub(x, y), a = abs(d), b = abs(y), t = mul(b, Tensor), u = add(t, Tensor),
        n = less_equal(a, u), f = isfinite(y), g = logical_and(n, f), c = logical_or(e, g), r = reduce_all(c) => r;
    array_equal, (x, y): e = equal(x, y), r = reduce_all(e) => r;
    array_equal_with, (x, y): e = equal(x, y), r = reduce_all(e) => r;
    array_equiv, (x, y): e = equal(x, y), r = reduce_all(e) => r;

    // Running reductions and places of extrema.
    cumsum, (x): r = Cumsum(x) => r;
    cumprod, (x): r = Cumprod(x) => r;
    nancumsum, (x): n = isnan(x), o = logical_not(n), f = select(o, x, Tensor), r = Cumsum(f) => r;
    nancumprod, (x): n = isnan(x), o = logical_not(n), f = select(o, x, Tensor), r = Cumprod(f) => r;
    argmax, (x): r = ArgMax(x) => r;
    argmin, (x): r = ArgMin(x) => r;
    nanargmax, (x): n = isnan(x), o = logical_not(n), f = select(o, x, Tensor), r = ArgMax(f) => r;
    nanargmin, (x): n = isnan(x), o = logical_not(n), f = select(o, x, Tensor), r = ArgMin(f) => r;

    // Probabilities and losses.
    softmax_along, (logits): a = transpose(logits), b = softmax(a), r = transpose(b) => r;
    log_softmax_along, (logits): a = transpose(logits), b = log_softmax(a), r = transpose(b) => r;
    sigmoid_cross_entropy_with_logits, (labels, logits): z = zeros_like(logits), p = greater_equal(logits, z),
        u = select(p, logits, z), n = neg(logits), q = select(p, n, logits), m = mul(logits, labels), d = sub(u, m),
        e = exp(q), o = log1p(e), r = add(d, o) => r;

    // Arrangements.
    move_axis, (x): r = transpose(x) => r;
    flip_left_right, (image): r = reverse(image) => r;
    flip_up_down, (image): r = reverse(image) => r;
    flatten, (x): r = reshape(x) => r;
    ravel, (x): r = reshape(x) => r;
    t, (x): r = transpose(x) => r;
    matrix_transpose, (x): r = transpose(x) => r;
    swap_axes, (x): r = transpose(x) => r;
    swapaxes, (x): r = transpose(x) => r;
    moveaxis, (x): r = transpose(x) => r;
    flip, (x): r = reverse(x) => r;
    fliplr, (x): r = reverse(x) => r;
    flipud, (x): r = reverse(x) => r;
    rot90, (x): t = transpose(x), r = reverse(t) => r;
    atleast_1d, (x): r = reshape(x) => r;
    atleast_2d, (x): e = expand_dims(x), r = reshape(e) => r;
    atleast_3d, (x): e = expand_dims(x), r = reshape(e) => r;
    array_split, (x): r = slice(x) => Vec<r>;

    // Elements by place.
    take, (x, y: Tensor): r = gather(x, y) => r;
    compress, (x, y: Tensor): r = gather(x, Tensor) => r;
    extract, (x, y: Tensor): v = reshape(x), r = gather(v, Tensor) => r;
    boolean_mask, (x, y: Tensor): r = gather(x, Tensor) => r;
    delete, (x, y: Tensor): r = gather(x, Tensor) => r;

    // Differences, sums of products.
    diff, (x): s = index(x), r = sub(s, s) => r;
    ediff1d, (x): f = reshape(x), s = index(f), r = sub(s, s) => r;
    trapezoid, (x): s = index(x), a = add(s, s), m = mul(a, Tensor), r = reduce_sum(m) => r;
    outer, (x, y): a = reshape(x), b = reshape(y), r = mul(a, b) => r;

    // Triangles and diagonals.
    tril, (x): z = zeros_like(x), r = select(Tensor, x, z) => r;
    triu, (x): z = zeros_like(x), r = select(Tensor, x, z) => r;
    diag, (x): r = matrix_diag_part(x, Tensor) => r;
    diagonal, (x): r = matrix_diag_part(x, Tensor) => r;
}

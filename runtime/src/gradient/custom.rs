//! Functions with a gradient given by their author.

use std::cell::RefCell;
use std::panic::Location;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::check::{fits, or_zeros};
use super::tape::{flows, is_trainable, key};
use crate::array::Array;
use crate::function::{call, trace_body, unite_captures};
use crate::ir::{Attrs, Code, Effect, InferContext, LibraryFunction, OpDef, Outputs, Types};
use crate::ops::{self, Gradient, InputGradients, NamedOp, Op, passes_no_gradient};
use crate::spec::{AnySpec, LeafIter, Leaves, Structure, TensorSpec, TypeSpec, VariableSpec};
use crate::tensor::context::{attach, call_site_at, is_active, recorders};
use crate::tensor::{Identity, Recorder, Tensor, execute, init_scope, is_tracing};
use crate::types::{DType, Error, Result, TensorType, bail, caught, err};

/// A function that computes `f`, with a gradient that `f` provides. Beside its result `f` returns a closure. The closure
/// takes the gradient with respect to the result, in the result's structure, and returns the gradient with respect
/// to the argument.
///
/// The closure owns the forward values it needs, so clone those tensors into it (cloning copies no data).
/// It returns the structure of the argument, or one with the same containers. In that structure a tensor may be an
/// `Option`, `None` for zero. A tuple may replace an extension type; it has one part for each component of the type that
/// holds tensors. The gradient of a variable in the argument is a tensor. Components that can't have a
/// gradient, such as a mask, may hold anything. A missing cotangent of the result is passed as zeros.
///
/// Both `f` and the closure are made of ops, and can be differentiated again. In a traced function both are
/// traced, and the closure becomes a function of the graph; outside of one they run eagerly.
///
/// It is an error if `f` reads a trainable variable that is not part of the argument. So is asking for the gradient
/// with respect to another tensor that `f` captures: the closure returns none for it.
///
/// TensorFlow: `tf.custom_gradient`. JAX: `jax.custom_vjp`.
///
/// # Errors
/// The returned closure fails with what `f` fails with, and if `f` captures a trainable variable. Computing the
/// gradient fails with what the closure fails with; `InvalidArgument` for a gradient of another structure, dtype or
/// shape, with the path of the leaf; `Unimplemented` for the gradient of a captured tensor.
///
/// ```
/// use extype::prelude::*;
/// // log(1 + e^x), whose own gradient is NaN for large x.
/// let log1pexp = custom_gradient(|x: &Tensor| {
///     let e = x.exp()?;
///     let y = ops::add(&e, 1.0)?.log()?;
///     let backward = move |dy: &Tensor| {
///         let one = ops::add(&e, 1.0)?;
///         ops::mul(dy, ops::sub(1.0, ops::div(1.0, &one)?)?)
///     };
///     Ok((y, backward))
/// });
/// assert_eq!(grad(&log1pexp)(&scalar(100.0f32))?.item::<f32>()?, 1.0);
/// assert_eq!(grad(&log1pexp)(&scalar(0.0f32))?.item::<f32>()?, 0.5);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn custom_gradient<S: Structure, R: Structure, B: Structure, G>(
    f: impl Fn(&S) -> Result<(R, G)>,
) -> impl Fn(&S) -> Result<R>
where
    G: Fn(&R) -> Result<B> + Send + Sync + 'static,
{
    let site = Location::caller();
    move |x: &S| {
        if !is_active() {
            return f(x).map(|(y, _)| y);
        }
        let mut sources = Leaves::new();
        x.leaves(&mut sources);
        let (probe, result) = Probe::watch(|| f(x));
        let (y, backward) = result?;
        let _site = call_site_at(Some(site));
        let name = format!("the custom_gradient at {}:{}", site.file(), site.line());
        let outside = probe.outside(&name, &sources)?;
        tied(name, x, y, backward, &sources, outside)
    }
}

/// The result as new tensors, connected to the argument by the given gradient.
fn tied<S: Structure, R: Structure, B: Structure>(
    name: String,
    x: &S,
    y: R,
    backward: impl Fn(&R) -> Result<B> + Send + Sync + 'static,
    sources: &[&Tensor],
    outside: Vec<Tensor>,
) -> Result<R> {
    let spec = y.type_spec();
    let mut results = Vec::new();
    y.into_leaves(&mut results);
    if results.iter().any(|y| y.dtype() == DType::Resource) {
        bail!("{name} returns a variable; return what is read from it");
    }
    let own = unite_captures([sources.iter().map(|x| (*x).clone()).collect()]);
    let all = unite_captures([own.clone(), outside]);
    let input = |i: usize| (results.len() + i) as i64;
    let outside: Vec<i64> = (own.len()..all.len()).map(input).collect();
    let place = |x: &Tensor| own.iter().position(|known| known.id() == x.id()).map(input);
    let places: Vec<Option<i64>> = sources.iter().map(|x| place(x)).collect();
    let argument: Vec<TensorSpec> =
        results.iter().map(|y| TensorSpec::new(y.shape(), y.dtype())).collect();
    let pull = {
        let (name, spec, argument) = (name.clone(), spec.clone(), x.type_spec().to_any());
        move |cotangents: Vec<Tensor>| -> Result<Vec<Option<Tensor>>> {
            let dy = R::from_leaves(&spec, &mut LeafIter::new(cotangents))?;
            let found = caught(|| format!("the gradient of {name}"), || backward(&dy))?;
            matched(&found, &argument)
                .map_err(|e| e.in_context(format!("what the gradient of {name} returns")))
        }
    };
    let (gradient, wrt, inputs): (Arc<LibraryFunction>, _, _) = match is_tracing() {
        false => {
            let inputs = results.iter().chain(&all).map(Tensor::tensor_type).collect();
            let outputs = sources.iter().map(|x| x.tensor_type()).collect();
            let types = (inputs, outputs);
            let closure = Closure(Box::new(pull));
            let gradient = LibraryFunction::of_code(name.clone(), types, Effect::Pure, closure);
            (gradient, places.into_iter().flatten().collect(), all)
        }
        true => {
            let mut wrt: Vec<i64> = Vec::new();
            let traced = |dy: Vec<Tensor>| {
                let found = pull(dy)?.into_iter().zip(places);
                let (found, at) = found.filter_map(|(g, at)| Some((g?, at?))).unzip();
                wrt = at;
                Ok::<Vec<Tensor>, _>(found)
            };
            let body = trace_body("custom_gradient", &argument, traced)?;
            let inputs = unite_captures([all, body.captures()?]);
            (body.into_function(&inputs)?, wrt, inputs)
        }
    };
    let op = CustomGradient { gradient, name, results: results.len() as i64, wrt, outside };
    let inputs: Vec<&Tensor> = results.iter().chain(&inputs).collect();
    let outputs = execute(CustomGradient::DEF, op.attrs(), &inputs)?;
    R::from_leaves(&spec, &mut LeafIter::new(outputs))
}

/// The gradients in `found`, one for each leaf of `argument`; `None` where the gradient is missing or the leaf
/// passes none.
fn matched<B: Structure>(found: &B, argument: &AnySpec) -> Result<Vec<Option<Tensor>>> {
    let mut tensors = Leaves::new();
    found.leaves(&mut tensors);
    let mut matching =
        Matching { tensors: tensors.iter(), path: String::new(), gradients: Vec::new() };
    matching.visit(argument, &found.type_spec().to_any())?;
    Ok(matching.gradients)
}

struct Matching<'a> {
    tensors: std::slice::Iter<'a, &'a Tensor>,
    path: String,
    gradients: Vec<Option<Tensor>>,
}

impl Matching<'_> {
    fn visit(&mut self, argument: &AnySpec, given: &AnySpec) -> Result<()> {
        use AnySpec::*;
        match (argument, given) {
            (Tensor(TensorSpec { shape, dtype, .. }), Tensor(_))
            | (Variable(VariableSpec { shape, dtype, .. }), Tensor(_)) => {
                let Some(g) = self.tensors.next() else {
                    return Err(Error::internal("too few gradients"));
                };
                if !dtype.passes_gradient() {
                    self.gradients.push(None);
                    return Ok(());
                }
                let ty = TensorType::new(*dtype, shape.clone());
                if !fits(g, &ty) {
                    bail!("{} is {}; the argument is {ty} there", self.place(), g.tensor_type());
                }
                self.gradients.push(Some((*g).clone()));
                Ok(())
            }
            (Optional(Some(argument)), Optional(Some(given))) => self.visit(argument, given),
            (_, Optional(None)) => {
                self.gradients.extend(argument.leaves().iter().map(|_| None));
                Ok(())
            }
            (Optional(Some(argument)), _) => self.visit(argument, given),
            (_, Optional(Some(given))) => self.visit(argument, given),
            (Variable(_), Variable(_)) => {
                bail!("{} is a variable; the gradient of one is a tensor", self.place())
            }
            _ => {
                let (parts, others) = (argument.named_components(), given.named_components());
                // A tuple can replace an extension type whose gradient can't be built because it holds variables.
                let by_place = matches!((argument, given), (Composite(_), Tuple(_)));
                let alike = parts.len() == others.len()
                    && !(matches!(argument, Tensor(_) | Variable(_)))
                    && !(matches!(given, Tensor(_) | Variable(_)))
                    && parts.iter().zip(&others).all(|((a, _), (b, _))| by_place || a == b);
                if !alike {
                    bail!("{} is {given}; the argument is {argument} there", self.place());
                }
                for ((name, part), (_, other)) in parts.iter().zip(&others) {
                    let length = self.path.len();
                    self.path.push_str(name);
                    self.visit(part, other)?;
                    self.path.truncate(length);
                }
                Ok(())
            }
        }
    }

    fn place(&self) -> String {
        match self.path.as_str() {
            "" => "it".to_owned(),
            path => format!("its `{path}`"),
        }
    }
}

/// Records which tensors a function uses from outside.
#[derive(Default)]
struct Probe(RefCell<Seen>);

#[derive(Default)]
struct Seen {
    /// Tensors that the function computed; `kept` holds them so that identities stay unique.
    made: FxHashSet<Identity>,
    kept: Vec<Tensor>,
    used: Vec<Tensor>,
}

impl Recorder for Probe {
    fn record(&self, op: &'static OpDef, _: &Attrs, inputs: &[&Tensor], outputs: &[Tensor]) {
        let mut seen = self.0.borrow_mut();
        if !passes_no_gradient(op) && outputs.iter().any(|y| y.dtype().passes_gradient()) {
            let used = inputs.iter().filter(|x| flows(x) && !seen.made.contains(&key(x)));
            let used: Vec<Tensor> = used.map(|x| (*x).clone()).collect();
            seen.used.extend(used);
        }
        seen.made.extend(outputs.iter().map(key));
        seen.kept.extend_from_slice(outputs);
    }

    /// Reading values is allowed, since the gradient is given.
    fn lets_read(&self, _: &Tensor) -> Option<bool> {
        Some(true)
    }
}

impl Probe {
    /// Runs `f` under a probe.
    fn watch<R>(f: impl FnOnce() -> R) -> (Seen, R) {
        let probe = Rc::new(Self::default());
        let guard = attach(probe.clone());
        let result = f();
        drop(guard);
        (probe.0.take(), result)
    }
}

impl Seen {
    /// The captured tensors whose gradient may be asked for.
    fn outside(self, name: &str, sources: &[&Tensor]) -> Result<Vec<Tensor>> {
        let own: FxHashSet<Identity> = sources.iter().map(|x| key(x)).collect();
        let mut used = self.used;
        used.retain(|t| !own.contains(&key(t)));
        if let Some(v) = used.iter().find(|t| t.dtype() == DType::Resource && is_trainable(t)) {
            let which = match v {
                Tensor::Value(array) => format!("the {:?}", array.as_resource()?),
                Tensor::Symbol(_) => "a variable".to_owned(),
            };
            bail!(
                "{name} reads {which}, of which it gives no gradient: make the variable a part of the \
                 argument, or read it outside and pass the value, with `stop_gradient` if it shall have none"
            );
        }
        // A tape around the trace may ask for the gradient of any symbolic tensor.
        let recorders = recorders();
        used.retain(|t| {
            let follows = || recorders.iter().any(|r| r.follows(t));
            t.dtype() != DType::Resource && (t.is_symbolic() || follows())
        });
        Ok(used)
    }
}

/// The gradient closure outside of traces.
struct Closure(Box<Pull>);

type Pull = dyn Fn(Vec<Tensor>) -> Result<Vec<Option<Tensor>>> + Send + Sync;

impl Code for Closure {
    fn call(&self, f: &LibraryFunction, inputs: &[&Array]) -> Result<Outputs> {
        let leaves = inputs.iter().map(|array| Tensor::Value((*array).clone())).collect();
        let found = init_scope(|| (self.0)(leaves))?;
        let found = found.into_iter().zip(f.output_types());
        found
            .map(|(g, ty)| match g {
                Some(g) => g.data().cloned(),
                None => Array::zeros_of(ty),
            })
            .collect()
    }
}

crate::define_op! {
    /// The results of a function as they are, with a gradient that is given: a function of the inputs that has
    /// the cotangents in place of the results.
    ///
    /// The inputs are the results, the leaves of the argument, the captures of the function, and those of its gradient.
    ///
    /// TensorFlow: `IdentityN` under `tf.custom_gradient`.
    pub op CustomGradient = "Extype>CustomGradient" {
        inputs: { input: (Tin) }, outputs: { output: (Tout) },
        attrs: {
            gradient: Arc<LibraryFunction>,
            name: String,
            results: i64,
            wrt: Vec<i64>,
            outside: Vec<i64>,
        },
        dispatch: none,
        infer: infer,
        kernel: |c| {
            let count = number(c.get(CustomGradient::RESULTS)?, c.inputs.len())?;
            Ok(c.inputs[..count].iter().map(|x| (*x).clone()).collect())
        },
        gradient: gradient,
    }
}

/// The types of the results, if the attributes fit the inputs.
fn infer(c: &InferContext<'_>) -> Result<Types> {
    let count = number(c.get(CustomGradient::RESULTS)?, c.inputs.len())?;
    let (gradient, wrt) = (c.get(CustomGradient::GRADIENT)?, c.get(CustomGradient::WRT)?);
    let (taken, given) = (gradient.input_types(), gradient.output_types());
    let mut pairs = taken.iter().zip(c.inputs);
    if taken.len() != c.inputs.len() || !pairs.all(|(wanted, x)| wanted.is_compatible_with(x)) {
        bail!("the gradient `{}` takes other inputs than the op has", gradient.name());
    }
    let place = |at: &i64| usize::try_from(*at).is_ok_and(|at| at >= count && at < c.inputs.len());
    if given.len() != wrt.len() || !wrt.iter().all(place) {
        bail!("the gradient `{}` has {} results, for inputs {wrt:?}", gradient.name(), given.len());
    }
    Ok(c.inputs[..count].iter().cloned().collect())
}

/// An attribute that is a number of inputs or the index of one.
fn number(n: i64, inputs: usize) -> Result<usize> {
    let n = usize::try_from(n).ok().filter(|n| *n <= inputs);
    n.ok_or_else(|| err!("the op has {inputs} inputs, its attributes tell of more"))
}

fn gradient(g: &Gradient<'_>) -> Result<InputGradients> {
    let CustomGradient { gradient, name, results, wrt, outside } = g.op()?;
    for i in outside {
        let i = number(i, g.inputs.len() - 1)?;
        if g.wanted.get(i).copied().unwrap_or_default() {
            bail!(
                Unimplemented,
                "{name} gives no gradient of a {} that it uses from outside: make that a part of the \
                 argument, or use its `stop_gradient()`",
                g.x(i).tensor_type()
            );
        }
    }
    let cotangent = |(c, y): (&Option<Tensor>, &Tensor)| or_zeros(c.clone(), y);
    let cotangents =
        g.cotangents.iter().zip(g.outputs).map(cotangent).collect::<Result<Vec<_>>>()?;
    let found: Vec<Option<Tensor>> = match gradient.code::<Closure>() {
        // Run the closure directly, so that outer tapes see its ops.
        Some(closure) => (closure.0)(cotangents)?,
        None => {
            let count = number(results, g.inputs.len())?;
            let args: Vec<&Tensor> = cotangents.iter().chain(&g.inputs[count..]).collect();
            call(&gradient, &args)?.into_iter().map(Some).collect()
        }
    };
    let mut all: Vec<Option<Tensor>> = vec![None; g.inputs.len()];
    for (at, found) in wrt.into_iter().zip(found) {
        let at = number(at, g.inputs.len() - 1)?;
        if let Some(found) = found.as_ref().filter(|_| g.x(at).dtype() != DType::Resource) {
            let message =
                || format!("{name}: the shapes of a gradient and its argument must be one");
            ops::check_same_shape(found, g.x(at), message)?;
        }
        let sum = &mut all[at];
        // A tensor that is passed twice gets the sum of both gradients.
        *sum = match (sum.take(), found) {
            (Some(a), Some(b)) => Some(ops::add(&a, &b)?),
            (a, b) => a.or(b),
        };
    }
    Ok(all.into_iter().collect())
}

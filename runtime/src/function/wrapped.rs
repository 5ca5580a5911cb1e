//! Bodies that are traced exactly once and own their state: a bridge for code written for TensorFlow 1.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::concrete::{ConcreteFunction, Trace};
use super::tracing::{flat, taken, trace};
use crate::array::Array;
use crate::ir::FunctionGraph;
use crate::spec::{AnySpec, AnyValue, LeafIter, Structure, TensorSpec, TypeSpec};
use crate::tensor::{Holder, Tensor, Variable, aside, call_site, context};
use crate::trace::CastTo;
use crate::types::{Error, Result, bail, err};

/// The names that a wrapped function gives to its arguments.
const PARAMETERS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
/// The collection of all variables that a wrapped function makes.
const VARIABLES: &str = "variables";
/// The collection of its trainable variables.
const TRAINABLE_VARIABLES: &str = "trainable_variables";

/// A function that [`wrap_function`] traced.
///
/// It owns the variables that its body made. `M` is its type: `fn(Tensor, bool) -> Tensor`.
pub struct WrappedFunction<M> {
    concrete: ConcreteFunction,
    holder: Arc<Holder>,
    signature: PhantomData<fn(M)>,
}

/// Traces the body exactly once, for arguments of these types (a tuple of specs), as `tf.compat.v1.wrap_function` does.
/// Code for TensorFlow 1 fits in, which makes variables where it needs them:
///
/// - A variable that the body makes is made once, and lives as long as the function. Its first value is computed before
///   the first call, so it must not depend on arguments. Other variables are captured weakly, as always.
/// - [`get_variable`] gives variables by name, [`add_to_collection`] and [`get_collection`] use collections; all of them
///   are local to this function.
/// - There are no automatic control dependencies. A write, or another op with an effect, runs only if a result needs it,
///   or an explicit control dependency. (Functions that the body calls, branches and bodies of loops keep their order.)
/// - Plain data that the body captures is fixed; for other data wrap again. Each wrapped function has its own state.
///
/// # Errors
/// What the body fails with; `InvalidArgument` if the first value of a variable depends on an argument.
///
/// ```
/// use extype::function::wrap_function;
/// use extype::prelude::*;
/// let add = function(|v: &Variable, x: &Tensor| {
///     v.assign_add(x)?;
///     v.read()
/// });
/// let f = wrap_function((TensorSpec::of::<f32>([]),), |x: Tensor| add.call(&Variable::new(5.0f32)?, &x))?;
/// assert_eq!(f.call(1.0)?.item::<f32>()?, 6.0);
/// assert_eq!(f.call(1.0)?.item::<f32>()?, 7.0);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn wrap_function<F: IntoWrapped<M>, M>(specs: F::Specs, body: F) -> Result<WrappedFunction<M>> {
    let _site = call_site();
    body.wrapped(specs)
}

/// Closures that [`wrap_function`] takes: of up to six structures, which return a `Result` of a structure.
#[diagnostic::on_unimplemented(
    message = "this closure can't be wrapped",
    label = "not a closure of up to six arguments that returns `Result<R>`",
    note = "write the types of the arguments: `wrap_function(specs, |x: Tensor| …)`"
)]
pub trait IntoWrapped<M>: Sized {
    /// The types of the arguments, as a tuple.
    type Specs;

    /// Traces the closure.
    ///
    /// # Errors
    /// As [`wrap_function`].
    #[doc(hidden)]
    fn wrapped(self, specs: Self::Specs) -> Result<WrappedFunction<M>>;
}

macro_rules! wrapped {
    ($(($($t:ident $g:ident $x:ident $i:tt),*);)*) => {
        $(impl<Fun, Out, $($t),*> IntoWrapped<fn($($t),*) -> Out> for Fun
        where
            Fun: FnOnce($($t),*) -> Result<Out>,
            Out: Structure,
            $($t: Structure,)*
        {
            type Specs = ($($t::Spec,)*);

            fn wrapped(self, specs: Self::Specs) -> Result<WrappedFunction<fn($($t),*) -> Out>> {
                let any: Vec<AnySpec> = vec![$(specs.$i.to_any()),*];
                let _specs = specs;
                traced(any, |_leaves| self($($t::from_leaves(&_specs.$i, _leaves)?),*))
            }
        }

        impl<Out: Structure, $($t: Structure),*> WrappedFunction<fn($($t),*) -> Out> {
            /// Calls the function. The arguments are positional, and what becomes one is told by [`CastTo`]: plain
            /// numbers, arrays and nested lists take the dtype of their parameter; a tensor must have it.
            ///
            /// # Errors
            /// `InvalidArgument`, naming the argument, for a value of another type than it was traced for; what an op
            /// fails with.
            ///
            /// ```
            /// use extype::function::wrap_function;
            /// use extype::prelude::*;
            /// let spec = TensorSpec::of::<f32>([2]);
            /// let f = wrap_function((spec,), |x: Tensor| x.square())?;
            /// assert_eq!(f.call([1, 2])?.as_slice::<f32>()?, &[1.0, 4.0]);
            /// assert!(f.call(tensor![1, 2]).is_err());
            /// # Ok::<(), Error>(())
            /// ```
            #[track_caller]
            pub fn call<$($g: CastTo<$t>),*>(&self, $($x: $g),*) -> Result<Out> {
                let _site = call_site();
                let values = [$(self.argument($i, $x)?),*];
                self.concrete.call_values(&values)?.downcast()
            }
        })*
    };
}
wrapped! {
    ();
    (A GA a 0);
    (A GA a 0, B GB b 1);
    (A GA a 0, B GB b 1, C GC c 2);
    (A GA a 0, B GB b 1, C GC c 2, D GD d 3);
    (A GA a 0, B GB b 1, C GC c 2, D GD d 3, E GE e 4);
    (A GA a 0, B GB b 1, C GC c 2, D GD d 3, E GE e 4, F GF f 5);
}

/// Traces a body that owns its state.
fn traced<M, R: Structure>(
    specs: Vec<AnySpec>,
    body: impl FnOnce(&mut LeafIter) -> Result<R>,
) -> Result<WrappedFunction<M>> {
    let holder = Arc::new(Holder::new(run));
    let mut body = Some(body);
    let traced = trace("wrapped", &PARAMETERS, &specs, &[], &mut |leaves| {
        context::own_state(holder.clone());
        flat(taken(&mut body)?(leaves)?)
    })?;
    let trace = Trace::new(traced, specs, &PARAMETERS).owning(holder.clone());
    trace.check_lasting()?;
    let concrete = ConcreteFunction(Arc::new(trace));
    Ok(WrappedFunction { concrete, holder, signature: PhantomData })
}

/// Runs a function of one result.
fn run(graph: FunctionGraph, inputs: &[&Array]) -> Result<Array> {
    let mut results = graph.into_function().call(inputs)?;
    results.pop().ok_or_else(|| Error::internal("an initial value is no result"))
}

impl<M> WrappedFunction<M> {
    /// A value as argument `i`.
    fn argument<T: Structure>(&self, i: usize, value: impl CastTo<T>) -> Result<AnyValue> {
        let mut path = String::new();
        let value =
            value.cast_to(self.concrete.input_specs().get(i), &mut path).and_then(|value| {
                value.check_fields()?;
                Ok(AnyValue::new(value))
            });
        value.map_err(|e| e.prefixed(format!("`{}`: argument {i}{path}", self.concrete.name())))
    }

    /// The one trace. It keeps the variables alive too, as do functions that are made of it by
    /// [`prune`](ConcreteFunction::prune).
    ///
    /// ```
    /// use extype::function::{Effects, wrap_function};
    /// use extype::prelude::*;
    /// let f = wrap_function((TensorSpec::of::<f32>([]),), |x: Tensor| {
    ///     ops::add(&x, Variable::new(5.0f32)?.read()?)
    /// })?;
    /// let concrete = f.concrete().clone();
    /// drop(f);
    /// assert_eq!(concrete.call_flat(&[scalar(1.0f32)])?[0].item::<f32>()?, 6.0);
    /// let read = concrete.prune((), "ReadVariableOp", Effects::Drop)?;
    /// drop(concrete);
    /// assert_eq!(read.call_flat(&[])?[0].item::<f32>()?, 5.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn concrete(&self) -> &ConcreteFunction {
        &self.concrete
    }

    /// The variables that the body made, in their order, and those that it captures.
    ///
    /// # Errors
    /// `FailedPrecondition` if a captured variable was dropped.
    ///
    /// ```
    /// use extype::function::{get_variable, wrap_function};
    /// use extype::prelude::*;
    /// let spec = TensorSpec::of::<f32>(shape![?, 2]);
    /// let f = wrap_function((spec,), |x: Tensor| {
    ///     let w = get_variable("weight", &TensorSpec::of::<f32>([2, 3]), || ops::ones([2, 3], f32))?;
    ///     x.matmul(&w)
    /// })?;
    /// assert_eq!(f.variables()?[0].label(), Some("weight"));
    /// assert_eq!(f.call([[1.0, 2.0]])?.as_slice::<f32>()?, &[3.0; 3]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn variables(&self) -> Result<Vec<Variable>> {
        self.concrete.variables()
    }

    /// What the body added to a collection; see [`get_collection`]. Tensors of the trace have no values, but
    /// [`prune`](ConcreteFunction::prune) takes them.
    ///
    /// # Errors
    /// `InvalidArgument` if a member is of another type.
    ///
    /// ```
    /// use extype::function::{Effects, add_to_collection, wrap_function};
    /// use extype::prelude::*;
    /// let f = wrap_function((TensorSpec::of::<f32>([2]),), |x: Tensor| {
    ///     add_to_collection("losses", x.square()?.sum(..)?)?;
    ///     x.exp()
    /// })?;
    /// let losses = f.collection::<Tensor>("losses")?;
    /// let loss = f.concrete().prune("a", losses, Effects::Drop)?;
    /// assert_eq!(loss.call_flat(&[tensor![1.0f32, 2.0]])?[0].item::<f32>()?, 5.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn collection<T: Any + Clone>(&self, name: &str) -> Result<Vec<T>> {
        members(&self.holder, name)
    }
}

impl<M> fmt::Debug for WrappedFunction<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.concrete, f)
    }
}

/// The state of the wrapped function whose body is running.
fn holder(what: &str) -> Result<Arc<Holder>> {
    context::owner().ok_or_else(|| {
        err!(
            FailedPrecondition,
            "{what} belongs to the body of a function that `wrap_function` traces; hold a variable in a \
             `Late<Variable>` elsewhere"
        )
    })
}

/// The variable with this name of the wrapped function whose body is running (`tf.compat.v1.get_variable`). The first call
/// makes it, with the value of `initial`, which runs outside of the trace. Later calls return the same variable.
///
/// # Errors
/// `InvalidArgument` if the variable or its initial value is of another dtype or shape than `spec` says;
/// `FailedPrecondition` outside of a wrapped function; what `initial` fails with.
///
/// ```
/// use extype::function::{get_variable, wrap_function};
/// use extype::prelude::*;
/// let bias = || get_variable("bias", &TensorSpec::of::<f32>([2]), || ops::ones([2], f32));
/// let f = wrap_function((TensorSpec::of::<f32>([2]),), |x: Tensor| ops::add(ops::add(&x, bias()?)?, bias()?))?;
/// assert_eq!(f.call([1.0, 2.0])?.as_slice::<f32>()?, &[3.0, 4.0]);
/// assert_eq!(f.variables()?.len(), 1);
/// assert!(bias().is_err());
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn get_variable(
    name: &str,
    spec: &TensorSpec,
    initial: impl FnOnce() -> Result<Tensor>,
) -> Result<Variable> {
    let _site = call_site();
    let holder = holder("`get_variable`")?;
    let wanted = spec.tensor_type();
    if let Some(known) = holder.shared(name) {
        if *known.tensor_type() != wanted {
            let ty = known.tensor_type();
            bail!("the variable `{name}` is {ty}, so it can't be got as {wanted}");
        }
        return Ok(known);
    }
    let value = aside(initial)?;
    if value.dtype() != wanted.dtype {
        let ty = value.tensor_type();
        bail!("the initial value of the variable `{name}` is {ty}, not {wanted}");
    }
    let variable = Variable::with_shape(&value, wanted.shape)?.name(name);
    holder.share(name, &variable);
    Ok(variable)
}

/// Adds to a collection of the wrapped function whose body is running (`tf.compat.v1.add_to_collection`).
///
/// # Errors
/// `FailedPrecondition` outside of a wrapped function.
///
/// ```
/// use extype::function::{add_to_collection, get_collection, wrap_function};
/// use extype::prelude::*;
/// let f = wrap_function((TensorSpec::of::<f32>([]),), |x: Tensor| {
///     add_to_collection("terms", x.square()?)?;
///     add_to_collection("terms", x.exp()?)?;
///     ops::add_n(&get_collection::<Tensor>("terms")?)
/// })?;
/// assert_eq!(f.call(0.0)?.item::<f32>()?, 1.0);
/// # Ok::<(), Error>(())
/// ```
pub fn add_to_collection<T: Any + Clone + Send + Sync>(name: &str, member: T) -> Result<()> {
    holder("a collection")?.collect(name, Arc::new(member));
    Ok(())
}

/// The members of a collection of the wrapped function whose body is running (`tf.compat.v1.get_collection`), in the
/// order in which they were added. The variables that the body made are in `"variables"`, the trainable ones also in
/// `"trainable_variables"`.
///
/// # Errors
/// `InvalidArgument` if a member is not of type `T`; `FailedPrecondition` outside of a wrapped function.
///
/// ```
/// use extype::function::{get_collection, wrap_function};
/// use extype::prelude::*;
/// let f = wrap_function((), || {
///     Variable::new(2.0f32)?;
///     Ok(get_collection::<Variable>("variables")?.len() as i64)
/// })?;
/// assert_eq!(f.call()?, 1);
/// # Ok::<(), Error>(())
/// ```
pub fn get_collection<T: Any + Clone>(name: &str) -> Result<Vec<T>> {
    members(&*holder("a collection")?, name)
}

fn members<T: Any + Clone>(holder: &Holder, name: &str) -> Result<Vec<T>> {
    let made = match name {
        VARIABLES | TRAINABLE_VARIABLES => holder.variables(),
        _ => Vec::new(),
    };
    let made = made.iter().filter(|v| name == VARIABLES || v.is_trainable());
    let made = made.map(|v| Arc::new(v.clone()) as Arc<dyn Any + Send + Sync>);
    let typed = |member: Arc<dyn Any + Send + Sync>| {
        member.downcast_ref::<T>().cloned().ok_or_else(|| {
            err!("a member of the collection `{name}` is no `{}`", std::any::type_name::<T>())
        })
    };
    made.chain(holder.collection(name)).map(typed).collect()
}

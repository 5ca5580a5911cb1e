//! Rust code called by graphs.

use std::panic::Location;
use std::sync::Arc;

use crate::array::Array;
use crate::gradient::Gradients;
use crate::ir::{Attrs, Code, Effect, LibraryFunction, Outputs};
use crate::ops::methods::*;
use crate::ops::{Gradient, InputGradients, NamedOp, Op};
use crate::spec::{LeafIter, Structure, TypeSpec};
use crate::tensor::{Tensor, call_site, execute, init_scope};
use crate::types::{Result, Shape, TensorType, bail, caught, check_number, check_type};

/// Runs Rust code. In a trace it adds a node that runs the code whenever the graph runs; the code is not traced.
///
/// `f` takes a structure and returns one whose spec must be a subtype of `output`, the spec that the trace uses.
/// The code may have effects, so it runs in program order, even if its results are not used. See
/// [`HostFunction`] for code without effects and for gradients. A graph that calls it can't be
/// written to a file.
///
/// TensorFlow: `tf.py_function`, `tf.numpy_function`.
///
/// # Errors
/// What `f` fails with, including a panic; `InvalidArgument` if the spec of its result is not a subtype of `output`.
///
/// ```
/// use extype::control::host_function;
/// use extype::prelude::*;
/// #[tf_function]
/// fn sorted(x: &Tensor) -> Result<Tensor> {
///     let spec = TensorSpec::of::<f32>([3]);
///     host_function(&spec, |x: Tensor| {
///         let mut values = x.as_slice::<f32>()?.to_vec();
///         values.sort_by(f32::total_cmp);
///         Ok(Tensor::from_vec(values))
///     }, x)
/// }
/// assert_eq!(sorted(&tensor![3.0f32, 1.0, 2.0])?.as_slice::<f32>()?, &[1.0, 2.0, 3.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn host_function<A: Structure, R: Structure>(
    output: &R::Spec,
    f: impl Fn(A) -> Result<R> + Send + Sync + 'static,
    input: &A,
) -> Result<R> {
    HostFunction::new(f).call(output, input)
}

/// Rust code that graphs can call; [`host_function`] is the short form.
///
/// ```
/// use extype::control::HostFunction;
/// use extype::prelude::*;
/// // A table that only Rust has, and its slope.
/// let square = HostFunction::new(|x: Tensor| ops::mul(&x, &x))
///     .without_effects()
///     .with_gradient(|x, _y, dy| {
///         let dy = dy.leaf(0)?;
///         Ok(vec![dy.map(|dy| ops::mul(&dy, &ops::mul(x, 2.0)?)).transpose()?])
///     });
/// let f = function(move |x: &Tensor| square.call(&x.type_spec(), x));
/// let slope = extype::grad(|x: &Tensor| f.call(x))(&scalar(3.0f32))?;
/// assert_eq!(slope.item::<f32>()?, 6.0);
/// # Ok::<(), Error>(())
/// ```
pub struct HostFunction<A: Structure, R: Structure> {
    code: Arc<HostCode<A, R>>,
    gradient: Option<Arc<HostRule<A, R>>>,
    effect: Effect,
    /// Where it was made; it is part of the name in errors and graphs.
    location: &'static Location<'static>,
}

type HostCode<A, R> = dyn Fn(A) -> Result<R> + Send + Sync;
type HostRule<A, R> = dyn Fn(&A, &R, &Gradients<R>) -> Result<Vec<Option<Tensor>>> + Send + Sync;

impl<A: Structure, R: Structure> HostFunction<A, R> {
    /// Code that may have effects, and has no gradient.
    ///
    /// ```
    /// use extype::control::HostFunction;
    /// use extype::prelude::*;
    /// let tripled = HostFunction::new(|x: Tensor| ops::mul(&x, 3.0));
    /// let x = tensor![1.0f32, 2.0];
    /// assert_eq!(tripled.call(&x.type_spec(), &x)?.as_slice::<f32>()?, &[3.0, 6.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn new(f: impl Fn(A) -> Result<R> + Send + Sync + 'static) -> Self {
        let location = Location::caller();
        Self { code: Arc::new(f), gradient: None, effect: Effect::Writes, location }
    }

    /// Declares that the code only computes its result from its input. It may then be dropped, reordered, and run while a
    /// graph is compiled.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    /// use extype::control::HostFunction;
    /// use extype::prelude::*;
    /// static RUNS: AtomicUsize = AtomicUsize::new(0);
    /// let code = HostFunction::new(|x: Tensor| {
    ///     RUNS.fetch_add(1, Ordering::Relaxed);
    ///     Ok(x)
    /// });
    /// let code = code.without_effects();
    /// let f = function(move |x: &Tensor| {
    ///     code.call(&x.type_spec(), x)?;
    ///     ops::neg(x)
    /// });
    /// f.call(&scalar(1.0f32))?;
    /// assert_eq!(RUNS.load(Ordering::Relaxed), 0); // nothing uses what it returns
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn without_effects(mut self) -> Self {
        self.effect = Effect::Pure;
        self
    }

    /// Sets the gradient, which is Rust code too. It takes the input, the result and the gradient with respect to the
    /// result, and returns the gradient with respect to each leaf of the input, `None` for zero.
    ///
    /// ```
    /// use extype::control::HostFunction;
    /// use extype::prelude::*;
    /// // Rounding that gradients pass as if it were not there.
    /// let rounded = HostFunction::new(|x: Tensor| x.round()).with_gradient(|_x, _y, dy| dy.leaves());
    /// let f = |x: &Tensor| rounded.call(&x.type_spec(), x)?.square();
    /// assert_eq!(extype::grad(f)(&scalar(1.4f32))?.item::<f32>()?, 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn with_gradient(
        mut self,
        gradient: impl Fn(&A, &R, &Gradients<R>) -> Result<Vec<Option<Tensor>>> + Send + Sync + 'static,
    ) -> Self {
        self.gradient = Some(Arc::new(gradient));
        self
    }

    /// Runs the code; in a trace it adds a node that will run it.
    ///
    /// # Errors
    /// As [`host_function`].
    ///
    /// ```
    /// use extype::control::HostFunction;
    /// use extype::prelude::*;
    /// let sum = HostFunction::new(|x: Tensor| x.reduce_sum(.., false));
    /// let f = function(move |x: &Tensor| sum.call(&TensorSpec::of::<f32>([]), x));
    /// assert_eq!(f.call(&tensor![1.0f32, 2.0])?.item::<f32>()?, 3.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn call(&self, output: &R::Spec, input: &A) -> Result<R> {
        let _site = call_site!();
        let mut leaves = crate::spec::Leaves::new();
        input.leaves(&mut leaves);
        let f = self.host(input.type_spec(), output.clone());
        let outputs = execute(HostCall::DEF, HostCall { f }.attrs(), &leaves)?;
        R::from_leaves(output, &mut LeafIter::new(outputs))
    }

    /// The code as a function of leaf tensors, for structures of these specs.
    fn host(&self, input: A::Spec, output: R::Spec) -> Arc<LibraryFunction> {
        let name = format!("host_function at {}:{}", self.location.file(), self.location.line());
        let input_types = leaf_types(&input);
        let output_types = leaf_types(&output);
        let gradient = self.gradient.clone().map(|rule| {
            let types = (input_types.clone(), output_types.clone());
            gradient_of(rule, (input.clone(), output.clone()), types, name.clone())
        });
        let code = self.code.clone();
        let run = {
            let name = name.clone();
            move |leaves: Vec<Tensor>| {
                let result = code(A::from_leaves(&input, &mut LeafIter::new(leaves))?)?;
                let (given, wanted) = (result.type_spec().to_any(), output.to_any());
                if !given.is_subtype_of(&wanted) {
                    bail!("the {name} returned {given}; its output spec is {wanted}");
                }
                let mut leaves = Vec::new();
                result.into_leaves(&mut leaves);
                Ok(leaves)
            }
        };
        let host = Host { run: Box::new(run), gradient };
        LibraryFunction::of_code(name, (input_types, output_types), self.effect, host)
    }
}

/// The types of the leaves of a structure.
fn leaf_types<S: TypeSpec>(spec: &S) -> Vec<TensorType> {
    let of = |(_, leaf): (String, crate::spec::AnySpec)| match leaf {
        crate::spec::AnySpec::Tensor(t) => t.tensor_type(),
        _ => TensorType::new(crate::types::DType::Resource, Shape::scalar()),
    };
    spec.to_any().leaf_paths().into_iter().map(of).collect()
}

/// Rust code that takes and returns the leaf tensors of structures.
struct Host {
    run: Box<Run>,
    /// Makes the gradient for a set of results with cotangents.
    gradient: Option<Arc<MakeGradient>>,
}

type Run = dyn Fn(Vec<Tensor>) -> Result<Vec<Tensor>> + Send + Sync;
type MakeGradient = dyn Fn(&[bool]) -> Arc<LibraryFunction> + Send + Sync;

/// Turns a gradient rule into code on leaf tensors. It takes the inputs, the results, and the cotangents of the results
/// that have one. It returns the gradient of each differentiable input.
fn gradient_of<A: Structure, R: Structure>(
    rule: Arc<HostRule<A, R>>,
    specs: (A::Spec, R::Spec),
    (inputs, outputs): (Vec<TensorType>, Vec<TensorType>),
    name: String,
) -> Arc<MakeGradient> {
    Arc::new(move |has| {
        let ((input, output), rule, has) = (specs.clone(), rule.clone(), has.to_vec());
        let name = format!("gradient of {name}");
        let given = outputs.iter().zip(&has).filter(|(_, has)| **has).map(|(ty, _)| ty.clone());
        let input_types = inputs.iter().chain(&outputs).cloned().chain(given).collect();
        let wanted = inputs.iter().filter(|ty| ty.dtype.is_differentiable()).cloned().collect();
        let called = name.clone();
        let (count, end) = (inputs.len(), inputs.len() + outputs.len());
        let run = move |leaves: Vec<Tensor>| {
            let sources = leaves.clone();
            let mut leaves = LeafIter::new(leaves);
            let x = A::from_leaves(&input, &mut leaves)?;
            let y = R::from_leaves(&output, &mut leaves)?;
            let results = sources[count..end].to_vec();
            let take = |has: &bool| has.then(|| leaves.take().map(Into::into)).transpose();
            let cotangents = has.iter().map(take).collect::<Result<Vec<_>>>()?;
            let found = rule(&x, &y, &Gradients::new(output.clone(), results, cotangents))?;
            let (who, of) = (format!("the {called}"), format!("leaves of {}", input.to_any()));
            check_number(&who, found.len(), "gradients", count, of)?;
            let sources = sources.into_iter().zip(found).enumerate();
            let of = |(i, (x, g)): (usize, (Tensor, Option<Tensor>))| match g {
                _ if !x.dtype().is_differentiable() => Ok(None),
                None => x.zeros_like().map(Some),
                Some(g) => {
                    let part = format!("leaf {i} of its input");
                    check_type(&who, part, (g.dtype(), &g.shape()), &x.tensor_type())?;
                    Ok(Some(g))
                }
            };
            let found = sources.map(of).collect::<Result<Vec<Option<Tensor>>>>()?;
            Ok(found.into_iter().flatten().collect())
        };
        let host = Host { run: Box::new(run), gradient: None };
        LibraryFunction::of_code(name, (input_types, wanted), Effect::Pure, host)
    })
}

impl Code for Host {
    fn call(&self, f: &LibraryFunction, inputs: &[&Array]) -> Result<Outputs> {
        let leaves = inputs.iter().map(|array| Tensor::Value((*array).clone())).collect();
        // The code runs outside of open traces and tapes.
        let run = || init_scope(|| (self.run)(leaves));
        let found = caught(|| format!("the {}", f.name()), run)?;
        let value = |t: Tensor| match t {
            Tensor::Value(array) => Ok(array),
            Tensor::Symbol(_) => bail!("the {} returned a tensor of a trace", f.name()),
        };
        found.into_iter().map(value).collect()
    }
}

crate::define_op! {
    /// Calls Rust code of this program.
    ///
    /// TensorFlow: `EagerPyFunc`.
    pub op HostCall = "Host>Function" {
        inputs: { input: (Tin) }, outputs: { output: (Tout) },
        attrs: { f: Arc<LibraryFunction> },
        dispatch: none,
        infer: |c| Ok(c.get(HostCall::F)?.output_types().iter().cloned().collect()),
        kernel: |c| c.get(HostCall::F)?.call(c.inputs),
        gradient: host_gradient,
    }
}

/// Calls the given gradient, which is Rust code too.
fn host_gradient(g: &Gradient<'_>) -> Result<InputGradients> {
    let f = g.get(HostCall::F)?;
    let Some(make) = f.code::<Host>().and_then(|host| host.gradient.as_ref()) else {
        bail!(
            Unimplemented,
            "the {} has no gradient; give it one: `HostFunction::new(…).with_gradient(…)`",
            f.name()
        );
    };
    let has: Vec<bool> = g.cotangents.iter().map(Option::is_some).collect();
    let inputs: Vec<&Tensor> =
        g.inputs.iter().chain(g.outputs).chain(g.cotangents.iter().flatten()).collect();
    let attrs: Attrs = HostCall { f: make(&has) }.attrs();
    let mut found = execute(HostCall::DEF, attrs, &inputs)?.into_iter();
    let of = |x: &Tensor| if x.dtype().is_differentiable() { found.next() } else { None };
    Ok(g.inputs.iter().map(of).collect())
}

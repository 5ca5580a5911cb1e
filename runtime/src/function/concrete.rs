//! One trace: a graph function for one type of arguments, and its Rust-side specs.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use smallvec::SmallVec;

use super::call::call;
use super::options::RunOptions;
use super::tracing::{Aliasing, OutputSpec, Traced};
use crate::array::Array;
use crate::compile::{self, Profile};
use crate::ir::{Endpoint, FunctionGraph, LibraryFunction, unique_names};
use crate::spec::{AnySpec, AnyValue, LiteralSpec, TypeSpec, first_difference};
use crate::tensor::{Capture, Holder, Missed, Tensor, Tensors, call_site, context};
use crate::types::{DType, Result, bail, caught, err};

/// The result of tracing once: a graph function, its captures, and the specs of the arguments and the
/// result.
pub(crate) struct Trace {
    pub(crate) function: Arc<LibraryFunction>,
    pub(crate) captures: Vec<Capture>,
    pub(crate) input_specs: Vec<AnySpec>,
    pub(crate) output: OutputSpec,
    /// The names of the arguments.
    pub(super) parameters: Vec<String>,
    fed: Option<Box<[usize]>>,
    aliasing: Box<[Aliasing]>,
    missed: Box<[Missed]>,
    /// The state that lives as long as the function.
    pub(super) owner: Option<Arc<Holder>>,
    /// True if the trace can always be used: it has no captures, aliasing conditions or missed state.
    stands_alone: bool,
}

impl Trace {
    pub(crate) fn new(traced: Traced, input_specs: Vec<AnySpec>, parameters: &[&str]) -> Self {
        let names = (0..input_specs.len()).map(|i| parameters.get(i).copied().unwrap_or("args"));
        let parameters = unique_names(names);
        let Traced { captures, aliasing, missed, .. } = &traced;
        Self {
            stands_alone: captures.is_empty() && aliasing.is_empty() && missed.is_empty(),
            function: traced.graph.into_function(),
            captures: traced.captures,
            input_specs,
            parameters,
            owner: None,
            output: traced.output,
            fed: traced.fed,
            aliasing: traced.aliasing,
            missed: traced.missed,
        }
    }

    /// A trace of a function that was read from a file.
    #[cfg(feature = "formats")]
    pub(super) fn of_function(
        function: Arc<LibraryFunction>,
        captures: Vec<Capture>,
        (input_specs, output): (Vec<AnySpec>, AnySpec),
        parameters: Vec<String>,
    ) -> Self {
        let output = OutputSpec::new(output);
        let (aliasing, missed) = (Box::default(), Box::default());
        let (fed, owner, stands_alone) = (None, None, captures.is_empty());
        Self {
            function,
            captures,
            input_specs,
            output,
            parameters,
            fed,
            aliasing,
            missed,
            owner,
            stands_alone,
        }
    }

    /// Another function with these captures: a graph that was made of this one's. `arguments` are the endpoints here that
    /// are its arguments.
    pub(super) fn derived<S: TypeSpec>(
        &self,
        graph: FunctionGraph,
        arguments: &[Endpoint],
        (input_specs, output): (Vec<AnySpec>, S),
        parameters: &[&str],
    ) -> Self {
        let moved = |aliasing: &Aliasing| {
            let input = match &self.fed {
                None => aliasing.leaf,
                Some(fed) => fed.binary_search(&aliasing.leaf).ok()?,
            };
            let node = *self.graph().inputs.get(input)?;
            let leaf = arguments.iter().position(|e| *e == Endpoint { node, output: 0 })?;
            Some(aliasing.moved(leaf))
        };
        let traced = Traced {
            graph,
            captures: self.captures.clone(),
            output: OutputSpec::new(output),
            fed: None,
            aliasing: self.aliasing.iter().filter_map(moved).collect(),
            missed: self.missed.clone(),
        };
        Self { owner: self.owner.clone(), ..Self::new(traced, input_specs, parameters) }
    }

    /// A function of the same arguments and captures that returns nothing.
    pub(super) fn with_graph(&self, graph: FunctionGraph) -> Self {
        let traced = Traced {
            graph,
            captures: self.captures.clone(),
            output: OutputSpec::new(LiteralSpec(())),
            fed: self.fed.clone(),
            aliasing: self.aliasing.clone(),
            missed: self.missed.clone(),
        };
        let parameters: Vec<&str> = self.parameters.iter().map(String::as_str).collect();
        let trace = Self::new(traced, self.input_specs.clone(), &parameters);
        Self { owner: self.owner.clone(), ..trace }
    }

    /// This trace, which keeps the state alive.
    pub(super) fn owning(self, holder: Arc<Holder>) -> Self {
        Self { owner: Some(holder), ..self }
    }

    /// The leaf that is fed as this input.
    pub(super) fn leaf_of(&self, input: usize) -> usize {
        self.fed.as_ref().and_then(|fed| fed.get(input)).copied().unwrap_or(input)
    }

    pub(super) fn graph(&self) -> &FunctionGraph {
        self.function.graph().unwrap_or_else(|| unreachable!("a trace has a graph"))
    }

    pub(super) fn name(&self) -> &str {
        &self.graph().name
    }

    /// False if a call with these leaves can't use the trace: it is not live, or its aliasing differs. Aliasing differs if a
    /// captured variable is now passed as an argument and was not when the function was traced, or the reverse.
    #[inline]
    pub(crate) fn is_usable(&self, leaves: &[&Tensor]) -> bool {
        self.stands_alone || self.is_live() && self.is_aliased_so(leaves)
    }

    /// False if no call can use the trace: a captured resource is gone, a captured tensor is of a trace that is not open, or
    /// state that the body found missing now exists.
    #[inline]
    pub(crate) fn is_live(&self) -> bool {
        self.captures.iter().all(Capture::is_there) && !self.missed.iter().any(Missed::is_there)
    }

    /// Refuses a trace that captures a resource which was made in its body and dropped at the end.
    pub(crate) fn check_lasting(&self) -> Result<()> {
        self.captures.iter().try_for_each(Capture::check_lasting)
    }

    /// True if the trace can be used before the variables passed to it are known: none of them may be one that the
    /// body also captures.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_live() && self.aliasing.iter().all(|aliasing| !aliasing.same)
    }

    /// True if the variables among these leaves alias the captured variables in the same way as when it was
    /// traced.
    fn is_aliased_so(&self, leaves: &[&Tensor]) -> bool {
        self.aliasing.iter().all(|aliasing| aliasing.holds(leaves))
    }

    /// Runs the function, outside of every trace and tape.
    #[inline]
    fn run(&self, arguments: &[&Tensor]) -> Result<Tensors> {
        let captures = if self.captures.is_empty() { SmallVec::new() } else { self.captured()? };
        let mut inputs: SmallVec<[&Array; 32]> = SmallVec::new();
        for t in arguments {
            inputs.push(t.data()?);
        }
        for t in &captures {
            inputs.push(t.data()?);
        }
        compile::run(&self.function, &inputs, Tensor::Value)
    }

    pub(super) fn captured(&self) -> Result<SmallVec<[Tensor; 4]>> {
        self.captures.iter().map(Capture::get).collect()
    }

    /// The context line for errors of a call.
    #[cold]
    pub(crate) fn describe(&self) -> String {
        let parameters = self.parameters.iter().map(String::as_str);
        traced_for(self.name(), parameters.zip(&self.input_specs))
    }

    /// Calls the trace with the leaves of its arguments.
    #[inline]
    pub(crate) fn call(&self, leaves: &[&Tensor]) -> Result<Tensors> {
        self.call_by(leaves, |f, inputs| call(f, inputs))
    }

    /// Like [`call`](Self::call), but in a trace or under a tape the function is called by `node`.
    #[inline]
    pub(crate) fn call_by(
        &self,
        leaves: &[&Tensor],
        node: impl FnOnce(&Arc<LibraryFunction>, &[&Tensor]) -> Result<Tensors>,
    ) -> Result<Tensors> {
        match &self.fed {
            None => self.call_flat(leaves, node),
            Some(fed) => {
                let inputs: SmallVec<[&Tensor; 16]> = fed.iter().map(|i| leaves[*i]).collect();
                self.call_flat(&inputs, node)
            }
        }
    }

    /// [`call`](Self::call), with a profile if the options ask for one.
    pub(super) fn run_with(
        &self,
        leaves: &[&Tensor],
        options: &RunOptions,
    ) -> Result<(Tensors, Profile)> {
        match &self.fed {
            None => self.run_flat(leaves, options),
            Some(fed) => {
                let inputs: Vec<&Tensor> = fed.iter().map(|i| leaves[*i]).collect();
                self.run_flat(&inputs, options)
            }
        }
    }

    /// [`run_with`](Self::run_with) on flat arguments.
    pub(super) fn run_flat(
        &self,
        arguments: &[&Tensor],
        options: &RunOptions,
    ) -> Result<(Tensors, Profile)> {
        if !options.profile {
            let outputs = self.call_flat(arguments, |f, inputs| call(f, inputs))?;
            return Ok((outputs, Profile::default()));
        }
        if context::is_active() {
            bail!(
                FailedPrecondition,
                "a profile measures a run, and there is none in a trace or under a tape: profile `{}` outside",
                self.name()
            );
        }
        let (outputs, profile) = self.profiled(arguments)?;
        Ok(match options.bounds {
            Some(bounds) => (outputs, profile.with_bounds(bounds)),
            None => (outputs, profile),
        })
    }

    /// Runs the function on its flat arguments, and measures each step.
    fn profiled(&self, arguments: &[&Tensor]) -> Result<(Tensors, Profile)> {
        let captures = self.captured()?;
        let inputs = arguments.iter().copied().chain(&captures).map(Tensor::data);
        let inputs: Vec<&Array> = inputs.collect::<Result<_>>()?;
        let (outputs, profile) =
            compile::profile(&self.function, &inputs).map_err(|e| e.in_context(self.describe()))?;
        Ok((outputs.into_iter().map(Tensor::Value).collect(), profile))
    }

    /// Calls the trace with its flat arguments: runs it, or, in a trace or under a tape, calls it by `node`.
    #[inline]
    pub(super) fn call_flat(
        &self,
        arguments: &[&Tensor],
        node: impl FnOnce(&Arc<LibraryFunction>, &[&Tensor]) -> Result<Tensors>,
    ) -> Result<Tensors> {
        let outputs = if context::is_active() {
            self.call_in_context(arguments, node)
        } else {
            self.run(arguments)
        };
        outputs.map_err(|e| e.in_context(self.describe()))
    }

    fn call_in_context(
        &self,
        arguments: &[&Tensor],
        node: impl FnOnce(&Arc<LibraryFunction>, &[&Tensor]) -> Result<Tensors>,
    ) -> Result<Tensors> {
        // State that the body found missing is also missing for the trace that calls it.
        self.missed.iter().for_each(Missed::note);
        let captures = self.captured()?;
        let inputs: SmallVec<[&Tensor; 16]> = arguments.iter().copied().chain(&captures).collect();
        let mut outputs = node(&self.function, &inputs)?;
        // A returned handle is replaced by the handle that was passed in.
        for (output, e) in outputs.iter_mut().zip(&self.graph().outputs) {
            if output.dtype() == DType::Resource
                && let Some(i) = self.graph().inputs.iter().position(|n| *n == e.node)
            {
                *output = inputs[i].clone();
            }
        }
        Ok(outputs)
    }
}

/// How errors name a trace, by the types of its arguments.
pub(super) fn traced_for<'a>(
    name: &str,
    arguments: impl Iterator<Item = (&'a str, &'a AnySpec)>,
) -> String {
    let arguments: Vec<String> = arguments.map(|(name, ty)| format!("{name}: {ty}")).collect();
    format!("`{name}`, traced for ({})", arguments.join(", "))
}

impl fmt::Debug for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe())
    }
}

/// A traced function for one type of arguments. Its graph can be inspected, and it can be called
/// with values of that type.
#[derive(Clone, Debug)]
pub struct ConcreteFunction(pub(crate) Arc<Trace>);

impl ConcreteFunction {
    /// The graph as it was traced. It prints as text; [`FunctionGraph::to_dot`] draws it.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x)).concrete(&TensorSpec::of::<f32>([2]))?;
    /// let (text, graph) = (f.graph().to_string(), f.graph());
    /// assert!(text.starts_with("fn closure(a: float32[2]) -> float32[2]"));
    /// assert_eq!(graph.output_types()[0].to_string(), "float32[2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn graph(&self) -> &FunctionGraph {
        self.0.graph()
    }

    /// What a call runs, as text: the program of the function and of each function that it calls, and the register
    /// code of loops on scalars. `s0` is a slot for a result. Ops in brackets run as one pass over memory; a result in
    /// place of an operand takes its memory. The last line tells the most bytes of values at once, as
    /// [`Profile::peak_bytes`] does. If sizes are unknown in the trace, this is the general program, without that line;
    /// calls with the first few shapes run programs of their own.
    ///
    /// # Errors
    /// What folding values that are known before the run fails with.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| (x * 2.0 + 1.0).tanh()?.sum(..));
    /// let f = f.concrete(&TensorSpec::of::<f32>([10_000]))?;
    /// let text = f.program()?;
    /// assert!(text.contains("s0 = [Mul, AddV2, Tanh, Sum](a, 2.0, 1.0) : float32[]\n"), "{text}");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn program(&self) -> Result<String> {
        compile::text(&self.0.function)
    }

    /// What the compiler made of the trace, pass by pass, as text: the graph as it was traced, the simplified graph with
    /// the rules that applied, and the [`program`](Self::program). With `EXTYPE_DUMP=passes` in the environment, each
    /// function prints its two graphs and its programs (for all sizes, for a shape, of a loop) to the standard error when
    /// they are made.
    ///
    /// # Errors
    /// As [`program`](Self::program).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::add(ops::neg(ops::neg(x)?)?.exp()?, x.exp()?));
    /// let text = f.concrete(&TensorSpec::of::<f32>([3]))?.passes()?;
    /// assert!(text.contains("# simplified: common subexpression (1), op and its inverse (1)"), "{text}");
    /// assert!(text.contains("s0 = Exp(a) : float32[3]"), "{text}");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn passes(&self) -> Result<String> {
        compile::passes(&self.0.function)
    }

    /// The function as graph nodes call it: without Rust types, and with the captures as its last inputs.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let factor = scalar(3.0f32);
    /// let f = function(move |x: &Tensor| ops::mul(x, &factor)).concrete(&TensorSpec::of::<f32>([2]))?;
    /// let inputs: Vec<String> = f.function().input_types().iter().map(ToString::to_string).collect();
    /// assert_eq!(inputs, ["float32[2]", "float32[]"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn function(&self) -> &Arc<LibraryFunction> {
        &self.0.function
    }

    /// The name of the function.
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[tf_function]
    /// fn doubled(x: &Tensor) -> Result<Tensor> {
    ///     ops::mul(x, 2.0)
    /// }
    /// assert_eq!(doubled::concrete(&TensorSpec::of::<f32>([]))?.name(), "doubled");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// The specs of the arguments.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x));
    /// let f = f.concrete(&TensorSpec::of::<f32>([2]))?;
    /// assert_eq!(f.input_specs()[0].to_string(), "TensorSpec([2], float32)");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn input_specs(&self) -> &[AnySpec] {
        &self.0.input_specs
    }

    /// The spec of the result.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x));
    /// let f = f.concrete(&TensorSpec::of::<f32>([2]))?;
    /// assert_eq!(f.output_spec().to_string(), "TensorSpec([2], float32)");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn output_spec(&self) -> &AnySpec {
        &self.0.output.any
    }

    /// Calls the function with one tensor for each flat input.
    ///
    /// # Errors
    /// `InvalidArgument` for a wrong number of tensors or for one of another type than it was traced for;
    /// what an op fails with.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x));
    /// let f = f.concrete(&TensorSpec::of::<f32>([2]))?;
    /// let y = f.call_flat(&[tensor![1.0f32, 2.0]])?;
    /// assert_eq!(y[0].as_slice::<f32>()?, &[-1.0, -2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn call_flat(&self, tensors: &[Tensor]) -> Result<Vec<Tensor>> {
        let _site = call_site();
        self.check_flat(tensors)?;
        let tensors: Vec<&Tensor> = tensors.iter().collect();
        self.0.call_flat(&tensors, |f, inputs| call(f, inputs)).map(Tensors::into_vec)
    }

    /// Calls the function with one tensor for each flat input, and tells how long each step of the program for these
    /// shapes took. A conditional, a loop, or a call that is left is one step. It is a call like others: what the
    /// function writes is written. The first call also plans the program and fetches memory, so profile a later one.
    ///
    /// # Errors
    /// As [`call_flat`](Self::call_flat); `Unimplemented` for a function that is Rust code.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| x.matmul(x)?.exp()?.sum(1));
    /// let f = f.concrete(&TensorSpec::of::<f32>([64, 64]))?;
    /// let x = ops::zeros([64, 64], f32)?;
    /// f.call_flat(&[x.clone()])?;
    /// let profile = f.profile(&[x])?;
    /// assert_eq!(profile.steps[0].what, "MatMul : float32[64, 64]");
    /// assert_eq!(profile.steps[1].what, "[Exp, Sum] : float32[64]");
    /// assert_eq!(profile.steps[1].bytes, 4 * (64 * 64 + 64));
    /// assert_eq!(profile.steps[0].flops, Some(2 * 64 * 64 * 64));
    /// assert_eq!(profile.steps[1].flops, Some(64 * 64 + 64 * 64));
    /// assert_eq!(profile.peak_bytes, Some(4 * (64 * 64 + 64)));
    /// println!("{profile}");
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn profile(&self, tensors: &[Tensor]) -> Result<Profile> {
        let _site = call_site();
        self.check_flat(tensors)?;
        let tensors: Vec<&Tensor> = tensors.iter().collect();
        self.0.profiled(&tensors).map(|(_, profile)| profile)
    }

    /// Refuses tensors that are not the flat inputs.
    pub(super) fn check_flat(&self, tensors: &[Tensor]) -> Result<()> {
        let count = self.graph().num_arguments;
        let types = self.graph().input_types().take(count);
        if tensors.len() != count {
            bail!("`{}` takes {count} tensors, {} given", self.name(), tensors.len());
        }
        for (i, (t, want)) in tensors.iter().zip(types).enumerate() {
            if t.dtype() != want.dtype || !t.shape().is_compatible_with(&want.shape) {
                bail!("`{}`: tensor {i} is {}, traced for {want}", self.name(), t.tensor_type());
            }
        }
        self.check_aliasing(|leaf| match &self.0.fed {
            None => tensors.get(leaf),
            Some(fed) => tensors.get(fed.binary_search(&leaf).ok()?),
        })
    }

    /// Calls the function with one value for each argument.
    ///
    /// # Errors
    /// `InvalidArgument`, naming the argument, for a value of another type than it was traced for; what an op
    /// fails with.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    /// let f = function(|x: &Tensor| ops::neg(x));
    /// let f = f.concrete(&TensorSpec::of::<f32>([2]))?;
    /// let y: Tensor = f.call_values(&[AnyValue::new(tensor![1.0f32, 2.0])])?.downcast()?;
    /// assert_eq!(y.as_slice::<f32>()?, &[-1.0, -2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn call_values(&self, values: &[AnyValue]) -> Result<AnyValue> {
        let _site = call_site();
        let leaves: Vec<&Tensor> = values.iter().flat_map(AnyValue::leaves).collect();
        self.call_structured(&AnyValue::signature(values), &leaves)
    }

    /// Calls the function with arguments of these types and leaves.
    pub(super) fn call_structured(
        &self,
        given: &[AnySpec],
        leaves: &[&Tensor],
    ) -> Result<AnyValue> {
        let specs = &self.0.input_specs;
        if given.len() != specs.len() {
            bail!("`{}` takes {} arguments, {} given", self.name(), specs.len(), given.len());
        }
        for (i, (given, want)) in given.iter().zip(specs).enumerate() {
            if !caught(|| format!("a law of {want}"), || Ok(given.is_subtype_of(want)))? {
                let (mut path, fits) =
                    (String::new(), |a: &AnySpec, b: &AnySpec| a.is_subtype_of(b));
                let (given, want) = first_difference(given, want, &fits, &mut path);
                let part = if path.is_empty() { path } else { format!(" at `{path}`") };
                bail!("`{}`: argument {i} is {given}{part}, traced for {want}", self.name());
            }
        }
        self.check_aliasing(|leaf| leaves.get(leaf).copied())?;
        AnyValue::from_parts(self.0.output.any.clone(), self.0.call(leaves)?.into_vec())
    }

    fn check_aliasing<'t>(&self, leaf: impl Fn(usize) -> Option<&'t Tensor>) -> Result<()> {
        if self.0.aliasing.iter().all(|aliasing| aliasing.holds_for(leaf(aliasing.leaf))) {
            return Ok(());
        }
        bail!(
            FailedPrecondition,
            "`{}`: a variable that it uses is also passed, and was not when it was traced, or the \
             reverse; call the traced function, which traces anew",
            self.name()
        )
    }

    /// Descriptions of the captures.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let factor = tensor![3.0f32, 4.0];
    /// let f = function(move |x: &Tensor| ops::mul(x, &factor)).concrete(&TensorSpec::of::<f32>([]))?;
    /// assert_eq!(f.captures(), ["tensor: float32[2]"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn captures(&self) -> Vec<String> {
        self.0.captures.iter().map(ToString::to_string).collect()
    }
}

/// The typed spec of a trace's result.
pub(crate) fn typed_output<S: TypeSpec>(trace: &Trace) -> Result<&S> {
    let typed = trace.output.typed.downcast_ref();
    typed.ok_or_else(|| err!(Internal, "a trace of `{}` has another result", trace.name()))
}

/// The types that these traces were made for, a tuple for each.
pub(super) fn signatures_of(traces: &[ConcreteFunction]) -> Vec<AnySpec> {
    traces.iter().map(|c| AnySpec::Tuple(c.input_specs().into())).collect()
}

/// Descriptions of the captures of these traces.
pub(super) fn captures_of(traces: &[ConcreteFunction]) -> Vec<String> {
    let all: BTreeSet<String> = traces.iter().flat_map(ConcreteFunction::captures).collect();
    all.into_iter().collect()
}

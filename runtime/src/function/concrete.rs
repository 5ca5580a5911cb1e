//! One trace: a function of a graph for one type of arguments, and what Rust knows of it.

use std::fmt;
use std::sync::Arc;

use smallvec::SmallVec;

use super::call::call;
use super::library::LibraryFunction;
use super::tracing::{Aliasing, Traced};
use crate::array::Array;
use crate::graph::FunctionGraph;
use crate::op::Callable;
use crate::spec::{AnySpec, AnyValue, TypeSpec, first_difference};
use crate::tensor::{Capture, Missed, Tensor, Tensors, call_site, context};
use crate::types::{DType, Result, bail, caught, err};

/// What one trace left behind: a function of graphs, what to feed it beside the arguments, and the
/// specs of arguments and result.
pub(crate) struct Trace {
    pub(crate) function: Arc<LibraryFunction>,
    pub(crate) captures: Vec<Capture>,
    /// The specs of the arguments and of the result.
    pub(crate) input_specs: Vec<AnySpec>,
    pub(crate) output_spec: AnySpec,
    /// The typed spec of the result, for callers that know its type.
    typed_output: Box<dyn std::any::Any + Send + Sync>,
    fed: Option<Box<[usize]>>,
    aliasing: Box<[Aliasing]>,
    missed: Box<[Missed]>,
    /// Nothing outside decides whether it can be used.
    stands_alone: bool,
}

impl Trace {
    pub(crate) fn new<S: TypeSpec>(traced: Traced<S>, input_specs: Vec<AnySpec>) -> Self {
        let Traced { captures, aliasing, missed, .. } = &traced;
        Self {
            stands_alone: captures.is_empty() && aliasing.is_empty() && missed.is_empty(),
            function: LibraryFunction::new(traced.graph),
            captures: traced.captures,
            input_specs,
            output_spec: traced.output.to_any(),
            typed_output: Box::new(traced.output),
            fed: traced.fed,
            aliasing: traced.aliasing,
            missed: traced.missed,
        }
    }

    fn graph(&self) -> &FunctionGraph {
        self.function.graph()
    }

    fn name(&self) -> &str {
        &self.graph().name
    }

    /// False if a call with these leaves can't use the trace: a capture is of a trace that is not open,
    /// or is gone, or is a variable that is passed here and was not when traced (or the reverse).
    #[inline]
    pub(crate) fn is_usable(&self, leaves: &[&Tensor]) -> bool {
        self.stands_alone || self.is_live() && self.is_aliased_so(leaves)
    }

    /// False if a capture is gone, or of a trace that is not open, or if there is now what the body
    /// missed: nobody can be served.
    #[inline]
    pub(crate) fn is_live(&self) -> bool {
        self.captures.iter().all(Capture::is_there) && !self.missed.iter().any(Missed::is_there)
    }

    /// Refuses a trace that uses what was made in its body and has gone with it.
    pub(crate) fn check_lasting(&self) -> Result<()> {
        self.captures.iter().try_for_each(Capture::check_lasting)
    }

    /// True if a call can use the trace whose variables are not known yet: none of them is one that the
    /// body reaches otherwise.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_live() && self.aliasing.iter().all(|aliasing| !aliasing.same)
    }

    /// True if the variables among these leaves are those that the body reaches otherwise as they were
    /// when it was traced.
    fn is_aliased_so(&self, leaves: &[&Tensor]) -> bool {
        self.aliasing.iter().all(|aliasing| aliasing.holds(leaves))
    }

    /// Runs outside every trace and tape.
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
        self.function.run(&inputs, Tensor::Value)
    }

    fn captured(&self) -> Result<SmallVec<[Tensor; 4]>> {
        self.captures.iter().map(Capture::get).collect()
    }

    /// The line that errors of a call end with.
    #[cold]
    pub(crate) fn describe(&self) -> String {
        let specs: Vec<String> = self.input_specs.iter().map(ToString::to_string).collect();
        format!("`{}`, traced for ({})", self.name(), specs.join(", "))
    }

    /// Calls the trace with the leaves of its arguments.
    #[inline]
    pub(crate) fn call(&self, leaves: &[&Tensor]) -> Result<Tensors> {
        self.call_by(leaves, |f, inputs| call(f, inputs))
    }

    /// [`call`](Self::call) that within traces and tapes is the call `node` of the function.
    #[inline]
    pub(crate) fn call_by(
        &self,
        leaves: &[&Tensor],
        node: impl FnOnce(&Arc<dyn Callable>, &[&Tensor]) -> Result<Tensors>,
    ) -> Result<Tensors> {
        match &self.fed {
            None => self.call_flat(leaves, node),
            Some(fed) => {
                let inputs: SmallVec<[&Tensor; 16]> = fed.iter().map(|i| leaves[*i]).collect();
                self.call_flat(&inputs, node)
            }
        }
    }

    /// Calls the trace with its flat arguments: runs it, or adds a call to the trace that is open and
    /// tells the tapes.
    #[inline]
    fn call_flat(
        &self,
        arguments: &[&Tensor],
        node: impl FnOnce(&Arc<dyn Callable>, &[&Tensor]) -> Result<Tensors>,
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
        node: impl FnOnce(&Arc<dyn Callable>, &[&Tensor]) -> Result<Tensors>,
    ) -> Result<Tensors> {
        // What the body missed the trace that calls it misses too.
        self.missed.iter().for_each(Missed::note);
        let captures = self.captured()?;
        let inputs: SmallVec<[&Tensor; 16]> = arguments.iter().copied().chain(&captures).collect();
        let f: Arc<dyn Callable> = self.function.clone();
        let mut outputs = node(&f, &inputs)?;
        // A handle that the function gives back is the one that it was given.
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

impl fmt::Debug for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe())
    }
}

/// A traced function for one type of arguments: its graph can be looked at, and it can be called
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

    /// The function as nodes of graphs call it: without Rust types, captures being its last inputs.
    ///
    /// ```
    /// use extype::op::Callable;
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
        &self.0.output_spec
    }

    /// Calls the function with one tensor for each flat input.
    ///
    /// # Errors
    /// `InvalidArgument` for a wrong number of tensors or one of another type than traced for;
    /// and what an op fails with.
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
        })?;
        let tensors: Vec<&Tensor> = tensors.iter().collect();
        self.0.call_flat(&tensors, |f, inputs| call(f, inputs)).map(Tensors::into_vec)
    }

    /// Calls the function with one value for each argument.
    ///
    /// # Errors
    /// `InvalidArgument` naming the argument that is not of the type traced for; and what an op
    /// fails with.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x));
    /// let f = f.concrete(&TensorSpec::of::<f32>([2]))?;
    /// let y: Tensor = f.call_values(&[AnyValue::new(tensor![1.0f32, 2.0])])?.downcast()?;
    /// assert_eq!(y.as_slice::<f32>()?, &[-1.0, -2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn call_values(&self, values: &[AnyValue]) -> Result<AnyValue> {
        let _site = call_site();
        let specs = &self.0.input_specs;
        if values.len() != specs.len() {
            bail!("`{}` takes {} arguments, {} given", self.name(), specs.len(), values.len());
        }
        for (i, (given, want)) in AnyValue::signature(values).iter().zip(specs).enumerate() {
            if !caught(|| format!("a law of {want}"), || Ok(given.is_subtype_of(want)))? {
                let (mut path, fits) =
                    (String::new(), |a: &AnySpec, b: &AnySpec| a.is_subtype_of(b));
                let (given, want) = first_difference(given, want, &fits, &mut path);
                let part = if path.is_empty() { path } else { format!(" at `{path}`") };
                bail!("`{}`: argument {i} is {given}{part}, traced for {want}", self.name());
            }
        }
        let leaves: Vec<&Tensor> = values.iter().flat_map(AnyValue::leaves).collect();
        self.check_aliasing(|leaf| leaves.get(leaf).copied())?;
        AnyValue::from_parts(self.0.output_spec.clone(), self.0.call(&leaves)?.into_vec())
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

    /// What the function uses of its surroundings, by description.
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
    let typed = trace.typed_output.downcast_ref();
    typed.ok_or_else(|| err!(Internal, "a trace of `{}` has another result", trace.name()))
}

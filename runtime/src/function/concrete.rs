//! One trace: a graph for one type of arguments, and the program that runs it.

use std::fmt;
use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use crate::array::Array;
use crate::compile::{Program, simplify};
use crate::graph::{CALLED, FunctionGraph};
use crate::op::{ArgDef, AttrDef, Attrs, Callable, Effect, Kernel, OpDef, OpEntry, Outputs};
use crate::spec::{AnySpec, AnyValue, TypeSpec};
use crate::tensor::{Capture, Tensor, Tensors, context, execute};
use crate::types::{Result, TensorType, bail, err};

/// The op that calls a function of a graph; its function is the attribute `f`.
pub static PARTITIONED_CALL: OpDef = OpDef::new(
    "PartitionedCall",
    "PartitionedCall",
    |c| Ok(c.get(CALLED)?.output_types().iter().cloned().collect()),
    Kernel::SelfChecked(|c| c.get(CALLED)?.call(c.inputs)),
)
.with_doc("The results of a function.")
.with_inputs(&[ArgDef::each("args", "Tin")])
.with_outputs(&[ArgDef::each("output", "Tout")])
.with_stateful_name("StatefulPartitionedCall")
.with_attrs(&[
    AttrDef::dtypes("Tin"),
    AttrDef::dtypes("Tout"),
    AttrDef::of::<Arc<dyn Callable>>(CALLED.name()),
]);

inventory::submit!(OpEntry(&PARTITIONED_CALL));

/// What one trace left behind.
pub(crate) struct Trace {
    pub(crate) function: FunctionGraph,
    pub(crate) captures: Vec<Capture>,
    /// The specs of the arguments and of the result.
    pub(crate) input_specs: Vec<AnySpec>,
    pub(crate) output_spec: AnySpec,
    /// The typed spec of the result, for callers that know its type.
    pub(crate) typed_output: Box<dyn std::any::Any + Send + Sync>,
    pub(crate) output_types: Vec<TensorType>,
    program: OnceLock<Result<Program>>,
    /// What the gradient floor derives from the trace, made when first needed.
    pub(crate) derived: OnceLock<Arc<dyn std::any::Any + Send + Sync>>,
}

impl Trace {
    pub(crate) fn new(
        function: FunctionGraph,
        captures: Vec<Capture>,
        input_specs: Vec<AnySpec>,
        output_spec: AnySpec,
        typed_output: Box<dyn std::any::Any + Send + Sync>,
    ) -> Self {
        let output_types = function.output_types();
        Self {
            function,
            captures,
            input_specs,
            output_spec,
            typed_output,
            output_types,
            program: OnceLock::new(),
            derived: OnceLock::new(),
        }
    }

    /// The compiled form, made at the first run.
    fn program(&self) -> Result<&Program> {
        let compiled =
            self.program.get_or_init(|| simplify(&self.function).map(|f| Program::new(&f)));
        compiled.as_ref().map_err(Clone::clone)
    }

    /// False if a capture is a symbol of a trace that is not open: such a trace serves nobody.
    pub(crate) fn is_usable(&self) -> bool {
        self.captures.iter().all(|c| match c {
            Capture::Tensor(Tensor::Symbol(s)) => context::is_open(s.graph()),
            _ => true,
        })
    }

    /// Runs outside every trace and tape.
    fn run(&self, leaves: &[&Tensor]) -> Result<Outputs> {
        let captures = self.captured()?;
        let mut inputs: SmallVec<[&Array; 32]> = SmallVec::new();
        for t in leaves.iter().copied().chain(&captures) {
            inputs.push(t.value()?);
        }
        self.program()?.run(&inputs)
    }

    #[inline]
    fn captured(&self) -> Result<SmallVec<[Tensor; 4]>> {
        let mut captures = SmallVec::new();
        for capture in &self.captures {
            captures.push(capture.get()?);
        }
        Ok(captures)
    }

    /// The line that errors of a call end with.
    #[cold]
    pub(crate) fn describe(&self) -> String {
        let name = &self.function.name;
        let specs: Vec<String> = self.input_specs.iter().map(ToString::to_string).collect();
        format!("`{name}`, traced for ({})", specs.join(", "))
    }

    /// Calls the trace: runs it, or adds a call to the trace that is open and tells the tapes.
    #[inline]
    pub(crate) fn call(self: &Arc<Self>, leaves: &[&Tensor]) -> Result<Tensors> {
        let outputs = if context::is_active() {
            self.call_in_context(leaves)
        } else {
            self.run(leaves).map(|o| o.into_iter().map(Tensor::Value).collect())
        };
        outputs.map_err(|e| e.in_context(self.describe()))
    }

    fn call_in_context(self: &Arc<Self>, leaves: &[&Tensor]) -> Result<Tensors> {
        let captures = self.captured()?;
        let inputs: SmallVec<[&Tensor; 16]> = leaves.iter().copied().chain(&captures).collect();
        let mut f: Arc<dyn Callable> = self.clone();
        for recorder in context::recorders() {
            f = recorder.prepare_call(&f, &inputs).unwrap_or(f);
        }
        let mut outputs = execute(&PARTITIONED_CALL, Attrs::new().with(CALLED, &f), &inputs)?;
        outputs.truncate(self.output_types.len());
        Ok(outputs)
    }

    /// The same specs around another graph.
    pub(crate) fn with_function(&self, function: FunctionGraph) -> Trace {
        Trace {
            output_types: function.output_types(),
            function,
            captures: self.captures.clone(),
            input_specs: self.input_specs.clone(),
            output_spec: self.output_spec.clone(),
            // Callers with types go through the function itself, never through a derived one.
            typed_output: Box::new(()),
            program: OnceLock::new(),
            derived: OnceLock::new(),
        }
    }
}

impl Callable for Trace {
    fn name(&self) -> &str {
        &self.function.name
    }

    fn output_types(&self) -> &[TensorType] {
        &self.output_types
    }

    fn call(&self, inputs: &[&Array]) -> Result<Outputs> {
        let mut pairs = inputs.iter().zip(self.function.input_types());
        if let Some((x, ty)) = pairs.find(|(x, ty)| x.dtype() != ty.dtype) {
            bail!("an input is {}; `{}` takes {}", x.tensor_type(), self.name(), ty);
        }
        self.program()?.run(inputs)
    }

    fn effect(&self) -> Effect {
        self.function.effect()
    }

    fn only_reads(&self, input: usize) -> bool {
        self.function.only_reads(input)
    }

    fn graph(&self) -> Option<&dyn std::any::Any> {
        Some(&self.function)
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
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
    pub fn graph(&self) -> &FunctionGraph {
        &self.0.function
    }

    /// The name of the function.
    pub fn name(&self) -> &str {
        &self.0.function.name
    }

    /// The specs of the arguments.
    pub fn input_specs(&self) -> &[AnySpec] {
        &self.0.input_specs
    }

    /// The spec of the result.
    pub fn output_spec(&self) -> &AnySpec {
        &self.0.output_spec
    }

    /// Calls the function with one tensor for each flat input.
    ///
    /// # Errors
    /// `InvalidArgument` for a wrong number of tensors or one of another type than traced for;
    /// and what an op fails with.
    pub fn call_flat(&self, tensors: &[Tensor]) -> Result<Vec<Tensor>> {
        let types = self.0.function.input_types().take(self.0.function.num_arguments);
        if tensors.len() != self.0.function.num_arguments {
            bail!(
                "`{}` takes {} tensors, {} given",
                self.name(),
                self.0.function.num_arguments,
                tensors.len()
            );
        }
        for (i, (t, want)) in tensors.iter().zip(types).enumerate() {
            if t.dtype() != want.dtype || !t.shape().is_compatible_with(&want.shape) {
                bail!("`{}`: tensor {i} is {}, traced for {want}", self.name(), t.tensor_type());
            }
        }
        self.0.call(&tensors.iter().collect::<Vec<_>>()).map(Tensors::into_vec)
    }

    /// Calls the function with one value for each argument.
    ///
    /// # Errors
    /// `InvalidArgument` naming the argument that is not of the type traced for; and what an op
    /// fails with.
    pub fn call_values(&self, values: &[AnyValue]) -> Result<AnyValue> {
        let specs = &self.0.input_specs;
        if values.len() != specs.len() {
            bail!("`{}` takes {} arguments, {} given", self.name(), specs.len(), values.len());
        }
        for (i, (given, want)) in AnyValue::signature(values).iter().zip(specs).enumerate() {
            if !given.is_subtype_of(want) {
                bail!("`{}`: argument {i} is {given}, traced for {want}", self.name());
            }
        }
        let leaves: Vec<&Tensor> = values.iter().flat_map(AnyValue::leaves).collect();
        AnyValue::from_parts(self.0.output_spec.clone(), self.0.call(&leaves)?.into_vec())
    }

    /// What the function uses of its surroundings, by description.
    pub fn captures(&self) -> Vec<String> {
        self.0.captures.iter().map(ToString::to_string).collect()
    }
}

/// The typed spec of a trace's result.
pub(crate) fn typed_output<S: TypeSpec>(trace: &Trace) -> Result<&S> {
    let typed = trace.typed_output.downcast_ref();
    typed.ok_or_else(|| err!(Internal, "a trace of `{}` has another result", trace.function.name))
}

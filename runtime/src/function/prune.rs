//! Functions that are parts of other functions: from given places of a graph to others.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::concrete::{ConcreteFunction, Trace};
use crate::ir::{Effect, Effects, Endpoint, NamedGraph, NodeId};
use crate::spec::{AnySpec, LiteralSpec, Structure, TensorSpec, TypeSpec, nest};
use crate::tensor::{INITIALIZES, Tensor};
use crate::types::{Result, bail};

/// Something in the graph of a function: what a [pruned](ConcreteFunction::prune) function takes or returns.
///
/// | element | is |
/// | --- | --- |
/// | `"Square"`, `"Split:1"` | a result of the node with this [name](crate::ir::Graph::names), the first if no number is given |
/// | an [`Endpoint`] | a result of a node |
/// | a [`Tensor`] that the body made, a reference to a structure of such tensors | what the trace had there |
/// | [`Run`] with a name, a [`NodeId`] | the op itself: it runs, and gives `()` |
/// | a list, an array, a tuple, a string-keyed map of elements | all of them, in this structure |
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no element of a graph",
    label = "neither the name of a node, nor a tensor of the trace, nor a list or tuple of these",
    note = "a structure of tensors is given by reference: `&masked`"
)]
pub trait GraphElement {
    /// The type of its value.
    type Spec: TypeSpec;

    /// True if it is a sequence of elements, each of which can be an argument.
    #[doc(hidden)]
    const IS_SEQUENCE: bool = false;

    /// Looks it up, and adds it to the selection.
    ///
    /// # Errors
    /// `NotFound` for the name of no node; `InvalidArgument` for what is no part of this graph.
    #[doc(hidden)]
    fn select(&self, selection: &mut Selection<'_>) -> Result<Self::Spec>;
}

/// Elements that were found in a graph.
pub struct Selection<'a> {
    named: NamedGraph<'a>,
    endpoints: Vec<Endpoint>,
    run: Vec<NodeId>,
}

impl<'a> Selection<'a> {
    fn of<E: GraphElement>(trace: &'a Trace, elements: &E) -> Result<(Self, E::Spec)> {
        let named = NamedGraph::new(&trace.graph().graph);
        let mut selection = Selection { named, endpoints: Vec::new(), run: Vec::new() };
        let spec = elements.select(&mut selection)?;
        Ok((selection, spec))
    }

    fn add(&mut self, e: Endpoint) -> Result<TensorSpec> {
        self.named.check(e)?;
        self.endpoints.push(e);
        let ty = self.named.graph.output_type(e);
        Ok(TensorSpec::new(ty.shape.clone(), ty.dtype))
    }

    fn run(&mut self, node: NodeId) -> Result<LiteralSpec<()>> {
        self.named.check_node(node)?;
        self.run.push(node);
        Ok(LiteralSpec(()))
    }

    fn add_tensor(&mut self, t: &Tensor) -> Result<TensorSpec> {
        let graph = self.named.graph;
        match t {
            Tensor::Symbol(s) if s.graph() == graph.id() => self.add(s.endpoint()),
            Tensor::Symbol(s) => bail!(
                "a tensor of {} is of another trace, of `{}`, and no element of the graph of `{}`",
                s.tensor_type(),
                s.function(),
                graph.name()
            ),
            Tensor::Value(_) => bail!(
                "a tensor with a value is no element of the graph of `{}`; give a tensor that the body made, or the \
                 name of a node",
                graph.name()
            ),
        }
    }
}

/// An op by the name of its node, which runs for its effect, and gives `()`.
///
/// ```
/// use extype::function::{Effects, Run};
/// use extype::prelude::*;
/// let v = Variable::new(1.0f32)?;
/// let f = function(|x: &Tensor| {
///     v.assign_add(x)?;
///     x.exp()
/// });
/// let f = f.concrete(&TensorSpec::of::<f32>([]))?;
/// let add = f.prune("a", Run("AssignAddVariableOp"), Effects::Drop)?;
/// assert!(add.call_flat(&[scalar(2.0f32)])?.is_empty());
/// assert_eq!(v.read()?.item::<f32>()?, 3.0);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run<'a>(pub &'a str);

impl GraphElement for Run<'_> {
    type Spec = LiteralSpec<()>;

    fn select(&self, selection: &mut Selection<'_>) -> Result<Self::Spec> {
        let node = selection.named.node(self.0.trim_start_matches('^'))?;
        selection.run(node)
    }
}

impl GraphElement for NodeId {
    type Spec = LiteralSpec<()>;

    fn select(&self, selection: &mut Selection<'_>) -> Result<Self::Spec> {
        selection.run(*self)
    }
}

impl GraphElement for &str {
    type Spec = TensorSpec;

    fn select(&self, selection: &mut Selection<'_>) -> Result<TensorSpec> {
        let e = selection.named.endpoint(self)?;
        selection.add(e)
    }
}

impl GraphElement for String {
    type Spec = TensorSpec;

    fn select(&self, selection: &mut Selection<'_>) -> Result<TensorSpec> {
        self.as_str().select(selection)
    }
}

impl GraphElement for Endpoint {
    type Spec = TensorSpec;

    fn select(&self, selection: &mut Selection<'_>) -> Result<TensorSpec> {
        selection.add(*self)
    }
}

impl GraphElement for Tensor {
    type Spec = TensorSpec;

    fn select(&self, selection: &mut Selection<'_>) -> Result<TensorSpec> {
        selection.add_tensor(self)
    }
}

impl<T: Structure> GraphElement for &T {
    type Spec = T::Spec;

    fn select(&self, selection: &mut Selection<'_>) -> Result<T::Spec> {
        let tensors = nest::flatten(*self);
        if tensors.is_empty() {
            let spec = self.type_spec().to_any();
            bail!("{spec} has no tensors, so it is no element of a graph");
        }
        for t in &tensors {
            selection.add_tensor(t)?;
        }
        Ok(self.type_spec())
    }
}

impl<E: GraphElement> GraphElement for Vec<E> {
    type Spec = Vec<E::Spec>;

    const IS_SEQUENCE: bool = true;

    fn select(&self, selection: &mut Selection<'_>) -> Result<Self::Spec> {
        self.iter().map(|element| element.select(selection)).collect()
    }
}

impl<E: GraphElement, const N: usize> GraphElement for [E; N] {
    type Spec = Vec<E::Spec>;

    const IS_SEQUENCE: bool = true;

    fn select(&self, selection: &mut Selection<'_>) -> Result<Self::Spec> {
        self.iter().map(|element| element.select(selection)).collect()
    }
}

impl<E: GraphElement> GraphElement for BTreeMap<String, E> {
    type Spec = BTreeMap<String, E::Spec>;

    fn select(&self, selection: &mut Selection<'_>) -> Result<Self::Spec> {
        self.iter().map(|(key, element)| Ok((key.clone(), element.select(selection)?))).collect()
    }
}

impl GraphElement for () {
    type Spec = LiteralSpec<()>;

    const IS_SEQUENCE: bool = true;

    fn select(&self, _: &mut Selection<'_>) -> Result<Self::Spec> {
        Ok(LiteralSpec(()))
    }
}

macro_rules! tuples {
    ($(($($e:ident $i:tt),+);)*) => {
        $(impl<$($e: GraphElement),+> GraphElement for ($($e,)+) {
            type Spec = ($($e::Spec,)+);

            const IS_SEQUENCE: bool = true;

            fn select(&self, selection: &mut Selection<'_>) -> Result<Self::Spec> {
                Ok(($(self.$i.select(selection)?,)+))
            }
        })*
    };
}
tuples! {
    (A 0);
    (A 0, B 1);
    (A 0, B 1, C 2);
    (A 0, B 1, C 2, D 3);
    (A 0, B 1, C 2, D 3, E 4);
    (A 0, B 1, C 2, D 3, E 4, F 5);
}

impl ConcreteFunction {
    /// The function from some places of the graph to others. `inputs` is one element or a sequence of them, one for each
    /// argument, and may be in the middle of the graph: what only they need is cut off. The result has the structure of
    /// `outputs`. See [`GraphElement`] for what an element can be.
    ///
    /// The new function takes the inputs in their order, named after their nodes. It has all captures of this one, which
    /// need not be given (a capture among the inputs is left out), and the same variables. With [`Effects::Drop`], a
    /// write or another effect stays only if an output needs it, or waits for it: a read after a write needs the write.
    ///
    /// # Errors
    /// `NotFound` for the name of no node, with a similar name; `InvalidArgument` for a tensor that is not of this graph,
    /// for an input that is given twice, and for an output that needs an argument which is not among the inputs.
    ///
    /// ```
    /// use extype::function::Effects;
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::add(x, x.square()?));
    /// let f = f.concrete(&TensorSpec::of::<f32>([]))?;
    /// assert_eq!(f.graph().graph.names(), ["a", "Square", "AddV2"]);
    /// let whole = f.prune("a", "AddV2", Effects::Drop)?;
    /// assert_eq!(whole.call_flat(&[scalar(2.0f32)])?[0].item::<f32>()?, 6.0);
    /// let sum = f.prune(["a", "Square"], "AddV2", Effects::Drop)?;
    /// assert_eq!(sum.call_flat(&[scalar(2.0f32), scalar(2.0f32)])?[0].item::<f32>()?, 4.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn prune<I: GraphElement, O: GraphElement>(
        &self,
        inputs: I,
        outputs: O,
        effects: Effects,
    ) -> Result<ConcreteFunction> {
        let pruned = self.0.pruned(&inputs, &outputs, effects);
        pruned.map_err(|e| e.in_context(format!("pruning {}", self.0.describe())))
    }
}

impl ConcreteFunction {
    /// The function that only gives first values: to the variables of [`Late`](crate::Late) cells whose first value
    /// depends on the arguments, unless they have values. It takes the arguments of this function. All other state was
    /// initialized when it was created, so the function may have nothing to do.
    ///
    /// TensorFlow: `Function.get_initialization_function`.
    ///
    /// # Errors
    /// `FailedPrecondition` if a first value depends on an effect of the body before it, which would run as well.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let scale = Late::<Variable>::new();
    /// let f = function(|x: &Tensor| {
    ///     let scale = scale.get_or_create(|| Variable::new(x.reduce_max(.., false)?))?;
    ///     ops::div(x, scale)
    /// });
    /// let f = f.concrete(&TensorSpec::of::<f32>([2]))?;
    /// f.initialization()?.call_flat(&[tensor![1.0f32, 4.0]])?;
    /// assert_eq!(scale.get().unwrap().read()?.item::<f32>()?, 4.0);
    /// assert_eq!(f.call_flat(&[tensor![2.0f32, 8.0]])?[0].as_slice::<f32>()?, &[0.5, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn initialization(&self) -> Result<ConcreteFunction> {
        let graph = self.graph();
        let argument = |node: &NodeId| Endpoint { node: *node, output: 0 };
        let arguments: Vec<Endpoint> =
            graph.inputs[..graph.num_arguments].iter().map(argument).collect();
        let initializes = |id: &NodeId| graph.graph.node(*id).attrs.get(INITIALIZES).is_ok();
        let run: Vec<NodeId> = graph.graph.node_ids().filter(initializes).collect();
        let part = graph.extract(&arguments, &[], &run, Effects::Drop)?;
        let writes = |id: &NodeId| {
            let node = part.graph.node(*id);
            node.effect() == Effect::Writes && node.attrs.get(INITIALIZES).is_err()
        };
        if let Some(other) = part.graph.node_ids().find(writes) {
            bail!(
                FailedPrecondition,
                "`{}`: a first value depends on `{}`, which changes state",
                self.name(),
                part.graph.names()[other.index()]
            );
        }
        Ok(ConcreteFunction(Arc::new(self.0.with_graph(part))))
    }
}

impl Trace {
    /// The type of the argument that is this endpoint.
    fn argument(&self, e: Endpoint) -> Option<AnySpec> {
        let input = self.graph().inputs.iter().position(|node| *node == e.node)?;
        self.input_specs.iter().flat_map(AnySpec::leaves).nth(self.leaf_of(input))
    }

    fn pruned<I: GraphElement, O: GraphElement>(
        &self,
        inputs: &I,
        outputs: &O,
        effects: Effects,
    ) -> Result<ConcreteFunction> {
        let (given, spec) = Selection::of(self, inputs)?;
        if let Some(node) = given.run.first() {
            let name = given.named.name(*node);
            bail!("an input is a result of an op, as `\"{name}:0\"`, not the op `{name}`");
        }
        let specs = match I::IS_SEQUENCE {
            true => spec.to_any().component_specs(),
            false => vec![spec.to_any()],
        };
        let graph = self.graph();
        let captures = &graph.inputs[graph.num_arguments..];
        let (mut arguments, mut parameters) = (Vec::new(), Vec::new());
        let mut rest = &given.endpoints[..];
        let mut kept: Vec<AnySpec> = Vec::new();
        for spec in specs {
            let (own, others) = rest.split_at(spec.leaves().len());
            rest = others;
            let is_capture = |e: &Endpoint| captures.contains(&e.node);
            match own {
                [one] if is_capture(one) => continue,
                _ if own.iter().any(is_capture) => {
                    bail!("a part of the input {spec} is a capture, which stays as it is")
                }
                _ => {}
            }
            // A variable that is passed stays one.
            let spec = match own {
                [one] => self.argument(*one).unwrap_or(spec),
                _ => spec,
            };
            parameters.push(own.first().map_or("args", |e| given.named.name(e.node)));
            arguments.extend_from_slice(own);
            kept.push(spec);
        }
        let (wanted, output) = Selection::of(self, outputs)?;
        let part = graph.extract(&arguments, &wanted.endpoints, &wanted.run, effects)?;
        let trace = self.derived(part, &arguments, (kept, output), &parameters);
        Ok(ConcreteFunction(Arc::new(trace)))
    }
}

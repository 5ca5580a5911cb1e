//! A graph with inputs and outputs: the result of a trace.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Endpoint, Graph, Node, NodeId};
use crate::ir::{Effect, Kernel, LibraryFunction};
use crate::types::{DType, TensorType};

/// A graph together with its inputs and outputs.
#[derive(Clone, Debug, Default)]
pub struct FunctionGraph {
    /// The name of the function.
    pub name: String,
    /// The ops.
    pub graph: Graph,
    /// The placeholders that are fed, arguments first, then captures.
    pub inputs: Vec<NodeId>,
    /// How many of the inputs are arguments.
    pub num_arguments: usize,
    /// The endpoints that the function returns.
    pub outputs: Vec<Endpoint>,
    /// Nodes that run although no output needs them, in program order.
    pub must_run: Vec<NodeId>,
}

impl FunctionGraph {
    /// The types of the inputs.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor, y: &Tensor| ops::matmul(x, y));
    /// let f = f.concrete(&TensorSpec::of::<f32>([2, 3]), &TensorSpec::of::<f32>([3, 1]))?;
    /// let types: Vec<String> = f.graph().input_types().map(|t| t.to_string()).collect();
    /// assert_eq!(types, ["float32[2, 3]", "float32[3, 1]"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn input_types(&self) -> impl Iterator<Item = &TensorType> {
        self.inputs.iter().map(|n| &self.graph.node(*n).outputs[0])
    }

    /// The types of the outputs.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| Ok((x.reduce_sum(1, false)?, x.greater(0.0)?)));
    /// let f = f.concrete(&TensorSpec::of::<f32>([2, 3]))?;
    /// let types: Vec<String> = f.graph().output_types().iter().map(|t| t.to_string()).collect();
    /// assert_eq!(types, ["float32[2]", "bool[2, 3]"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn output_types(&self) -> Vec<TensorType> {
        self.outputs.iter().map(|e| self.graph.output_type(*e).clone()).collect()
    }

    /// The effect of a call of the function: the greatest effect of its nodes.
    ///
    /// ```
    /// use extype::ir::Effect;
    /// use extype::prelude::*;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let w = v.clone();
    /// let reads = function(move |x: &Tensor| ops::mul(x, &w.read()?));
    /// let writes = function(move |x: &Tensor| v.assign(x));
    /// let spec = TensorSpec::of::<f32>([]);
    /// assert_eq!(reads.concrete(&spec)?.graph().effect(), Effect::Reads);
    /// assert_eq!(writes.concrete(&spec)?.graph().effect(), Effect::Writes);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn effect(&self) -> Effect {
        self.graph.nodes().iter().map(Node::effect).max().unwrap_or(Effect::Pure)
    }

    /// The nodes that the outputs and the must-run nodes need, by node index.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| { let _unused = x.exp()?; x.square() });
    /// let f = f.concrete(&TensorSpec::of::<f32>([2]))?;
    /// assert_eq!(f.graph().graph.names(), ["a", "Exp", "Square"]);
    /// assert_eq!(f.graph().needed(), [true, false, true]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn needed(&self) -> Vec<bool> {
        let mut needed = vec![false; self.graph.nodes().len()];
        let mut stack: Vec<NodeId> =
            self.outputs.iter().map(|e| e.node).chain(self.must_run.iter().copied()).collect();
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut needed[id.index()], true) {
                continue;
            }
            stack.extend(self.graph.node(id).before());
        }
        needed
    }

    /// For each input, true if a node writes the resource behind it.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let f = function(move |x: &Tensor| v.assign_add(x)).concrete(&TensorSpec::of::<f32>([]))?;
    /// // The argument, and the variable that was captured.
    /// assert_eq!(f.graph().written_inputs(), [false, true]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn written_inputs(&self) -> Vec<bool> {
        let at: FxHashMap<NodeId, usize> =
            self.inputs.iter().enumerate().map(|(i, node)| (*node, i)).collect();
        let mut written = vec![false; self.inputs.len()];
        for node in self.graph.nodes() {
            for (i, e) in self.graph.resources(node) {
                if let Some(input) = at.get(&e.node) {
                    written[*input] |= node.writes(i);
                }
            }
        }
        written
    }
}

impl Node {
    /// The functions that the node may call: all its attributes that are functions.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let inner = function(|x: &Tensor| ops::neg(x));
    /// let outer = function(move |x: &Tensor| inner.call(&x.square()?));
    /// let f = outer.concrete(&TensorSpec::of::<f32>([2]))?;
    /// let counts: Vec<usize> = f.graph().graph.nodes().iter().map(|n| n.callees().count()).collect();
    /// // The input, the square, the call.
    /// assert_eq!(counts, [0, 0, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn callees(&self) -> impl Iterator<Item = &Arc<LibraryFunction>> {
        self.attrs.iter().flat_map(|(_, value)| value.functions())
    }

    /// The nodes that run before it: those whose results it reads, and those that it only waits for.
    pub(crate) fn before(&self) -> impl Iterator<Item = NodeId> {
        self.inputs.iter().map(|e| e.node).chain(self.control_inputs.iter().copied())
    }

    /// The effect of the node: the greatest of its op's effect and those of the functions it calls.
    ///
    /// ```
    /// use extype::ir::Effect;
    /// use extype::prelude::*;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let f = function(move |x: &Tensor| v.assign_add(x)).concrete(&TensorSpec::of::<f32>([]))?;
    /// let effects: Vec<Effect> = f.graph().graph.nodes().iter().map(|n| n.effect()).collect();
    /// assert_eq!(effects, [Effect::Pure, Effect::Pure, Effect::Writes]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn effect(&self) -> Effect {
        self.callees().map(|f| f.effect()).fold(self.op.effect, Effect::max)
    }

    /// True if the node writes the resource that is its input `i`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let f = function(move |x: &Tensor| { v.assign(x)?; v.read() });
    /// let f = f.concrete(&TensorSpec::of::<f32>([]))?;
    /// let node = |op: &str| f.graph().graph.nodes().iter().find(|n| n.op_name() == op).unwrap();
    /// assert!(node("AssignVariableOp").writes(0));
    /// assert!(!node("ReadVariableOp").writes(0));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn writes(&self, i: usize) -> bool {
        if self.first_shared().is_none_or(|first| i < first) {
            return !matches!(self.op.effect, Effect::Reads | Effect::Checks);
        }
        // An input that is passed to functions is used only by them. The node's last inputs are
        // the last inputs of each function.
        let after = self.inputs.len() - i;
        let writes = |f: &Arc<LibraryFunction>| match f.input_types().len().checked_sub(after) {
            Some(input) => !f.only_reads(input),
            None => true,
        };
        self.callees().any(writes)
    }

    /// The first input that the node passes to the functions it calls. These inputs are the op's last
    /// argument, a list.
    fn first_shared(&self) -> Option<usize> {
        self.callees().next()?;
        let list = self.op.inputs.iter().position(|argument| argument.list)?;
        (list + 1 == self.op.inputs.len()).then_some(list)
    }
}

impl Graph {
    /// The resource inputs of a node: the index of each, and the endpoint that its handle comes from.
    /// Ops that pass a handle through unchanged are followed to their input.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let f = function(move |x: &Tensor| v.assign_add(x)).concrete(&TensorSpec::of::<f32>([]))?;
    /// let graph = &f.graph().graph;
    /// let (i, handle) = graph.resources(graph.nodes().last().unwrap()).next().unwrap();
    /// assert_eq!(i, 0);
    /// assert_eq!(handle.node, f.graph().inputs[1]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn resources<'a>(&'a self, node: &'a Node) -> impl Iterator<Item = (usize, Endpoint)> + 'a {
        let inputs = node.inputs.iter().enumerate();
        inputs
            .filter(|(_, e)| self.output_type(**e).dtype == DType::Resource)
            .map(|(i, e)| (i, self.origin(*e)))
    }

    fn origin(&self, mut e: Endpoint) -> Endpoint {
        loop {
            let node = self.node(e.node);
            match node.inputs.first() {
                Some(before) if matches!(node.op.kernel, Kernel::Pass) => e = *before,
                _ => return e,
            }
        }
    }
}

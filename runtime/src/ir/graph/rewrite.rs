//! Rewriting by copying: a pass maps each needed node to endpoints of a new graph.

use std::sync::Arc;

use smallvec::SmallVec;

use super::{Endpoint, FunctionGraph, Graph, Node, NodeId, Use, Uses};
use crate::ir::{Effect, Types};
use crate::types::{Error, Result, TensorType, bail};

/// A pass's decision about a node whose inputs are copied already.
pub(crate) enum Rewrite {
    /// Keep the node.
    Keep,
    /// Keep the node; its outputs have these types.
    Typed(Types),
    /// Use these endpoints of the new graph for its outputs.
    Replace(SmallVec<[Endpoint; 1]>),
    /// Leave it out: none of its outputs is used.
    Drop,
}

/// A node as a pass visits it.
pub(crate) struct Visit<'a> {
    /// The node, with its inputs in the new graph.
    pub(crate) node: &'a Node,
    /// The node in the old graph.
    pub(crate) id: NodeId,
    uses: &'a Uses,
}

impl Visit<'_> {
    /// The uses of the node in the old graph.
    pub(crate) fn uses(&self) -> &[Use] {
        self.uses.of(self.id)
    }
}

/// The replacement of an old node in the new graph.
#[derive(Clone, Default)]
struct Copied {
    outputs: SmallVec<[Endpoint; 1]>,
    /// The nodes that control edges onto the old node move to.
    awaited: SmallVec<[NodeId; 1]>,
}

impl FunctionGraph {
    /// Copies the nodes that the outputs and the must-run nodes need, calling `pass` on each
    /// non-input node. Nodes that are not needed are dropped.
    ///
    /// Control edges onto a replaced node move to its control inputs and to its replacement if that
    /// has effects, otherwise to its data inputs. Replacement nodes inherit the old node's name,
    /// name scope, device and line, unless they have their own.
    pub(crate) fn rewrite(
        &self,
        mut pass: impl FnMut(&mut Graph, Visit<'_>) -> Result<Rewrite>,
    ) -> Result<FunctionGraph> {
        let (needed, uses) = (self.needed(), self.uses());
        let mut is_input = vec![false; needed.len()];
        self.inputs.iter().for_each(|n| is_input[n.index()] = true);
        let mut graph = Graph::new(self.graph.name());
        graph.notes = self.graph.notes.clone();
        let mut map = vec![Copied::default(); needed.len()];
        for (id, old) in self.graph.node_ids().zip(self.graph.nodes()) {
            let is_input = is_input[id.index()];
            if !needed[id.index()] && !is_input {
                continue;
            }
            let mut node = old.clone();
            for e in &mut node.inputs {
                *e = map[e.node.index()].outputs[e.output as usize];
            }
            let awaited = old.control_inputs.iter().flat_map(|c| &map[c.index()].awaited);
            node.control_inputs = awaited.copied().collect();
            node.control_inputs.sort_unstable();
            node.control_inputs.dedup();
            let first = graph.nodes().len();
            let rewrite = match is_input {
                true => Rewrite::Keep,
                false => pass(&mut graph, Visit { node: &node, id, uses: &uses })?,
            };
            map[id.index()] = match rewrite {
                Rewrite::Keep | Rewrite::Typed(_) => {
                    if let Rewrite::Typed(types) = rewrite {
                        node.outputs = types;
                    }
                    let count = node.outputs.len() as u32;
                    let node = graph.push(node);
                    let outputs = (0..count).map(|output| Endpoint { node, output }).collect();
                    Copied { outputs, awaited: [node].into() }
                }
                Rewrite::Replace(outputs) => {
                    graph.inherit(first, &node, &outputs);
                    let awaited = graph.awaited_instead(first, &node, Some(&outputs));
                    Copied { outputs, awaited }
                }
                Rewrite::Drop => {
                    let awaited = graph.awaited_instead(first, &node, None);
                    Copied { outputs: SmallVec::new(), awaited }
                }
            };
        }
        let endpoint = |e: &Endpoint| map[e.node.index()].outputs.get(e.output as usize).copied();
        let mut must_run: Vec<NodeId> =
            self.must_run.iter().flat_map(|n| &map[n.index()].awaited).copied().collect();
        must_run.sort_unstable();
        must_run.dedup();
        let Some(outputs) = self.outputs.iter().map(endpoint).collect() else {
            bail!(Internal, "a pass dropped a result of `{}`", self.name);
        };
        Ok(FunctionGraph {
            name: self.name.clone(),
            inputs: self.inputs.iter().flat_map(|n| &map[n.index()].awaited).copied().collect(),
            num_arguments: self.num_arguments,
            outputs,
            must_run,
            graph,
        })
    }
}

impl Graph {
    /// Copies the nodes that a function needs, with these endpoints for its inputs, and returns its results. It stands in
    /// place of the node `instead`, whose control inputs its effects wait for. `None` if an op refuses the types that it
    /// has here: then the function is called, and tells. Errors of the nodes say that they are `within` this.
    pub(crate) fn splice(
        &mut self,
        function: &FunctionGraph,
        given: &[Endpoint],
        instead: &Node,
        within: Option<Arc<str>>,
    ) -> Result<Option<SmallVec<[Endpoint; 1]>>> {
        let first = self.nodes.len();
        let needed = function.needed();
        let mut map = vec![None; needed.len()];
        for (input, given) in function.inputs.iter().zip(given) {
            map[input.index()] = Some(*given);
        }
        for (id, own) in function.graph.node_ids().zip(function.graph.nodes()) {
            if !needed[id.index()] || map[id.index()].is_some() {
                continue;
            }
            let mut copy = own.clone();
            for e in &mut copy.inputs {
                *e = mapped(&map, *e)?;
            }
            let Ok(types) = self.inferred(&copy) else {
                self.nodes.truncate(first);
                return Ok(None);
            };
            copy.outputs = types;
            copy.within = copy.within.or_else(|| within.clone());
            // Control edges onto the function's inputs impose no order: drop them.
            let before = own.control_inputs.iter().filter(|n| !function.inputs.contains(n));
            copy.control_inputs = before.filter_map(|n| Some(map[n.index()]?.node)).collect();
            // What waits for another effect of the function waits for the rest through it.
            let is_first = !copy.control_inputs.iter().any(|n| is_ordered(self.node(*n)));
            if is_first && is_ordered(&copy) {
                copy.control_inputs.extend_from_slice(&instead.control_inputs);
                copy.control_inputs.sort_unstable();
                copy.control_inputs.dedup();
            }
            map[id.index()] = Some(Endpoint { node: self.push(copy), output: 0 });
        }
        function.outputs.iter().map(|e| mapped(&map, *e)).collect::<Result<_>>().map(Some)
    }

    /// The types of a node's results: what was known, and what its inputs tell. Functions that it calls are not looked
    /// into.
    ///
    /// # Errors
    /// What the op refuses.
    pub(crate) fn inferred(&self, node: &Node) -> Result<Types> {
        if node.is_unknown() || node.callees().next().is_some() {
            return Ok(node.outputs.clone());
        }
        let types = self.operands(&node.inputs).infer(node.op, &node.attrs)?;
        if types.len() != node.outputs.len() {
            bail!(Internal, "another number of results");
        }
        let merged = node.outputs.iter().zip(&types).map(|(old, new)| {
            Ok(TensorType { shape: old.shape.merge(&new.shape)?, ..old.clone() })
        });
        merged.collect()
    }

    /// Gives the nodes from `first` on the device, name scope, line and context of the node that they replace, and the first output its name.
    fn inherit(&mut self, first: usize, node: &Node, outputs: &[Endpoint]) {
        for new in &mut self.nodes[first..] {
            new.device = new.device.take().or_else(|| node.device.clone());
            new.scope = new.scope.take().or_else(|| node.scope.clone());
            new.location = new.location.or(node.location);
            new.within = new.within.take().or_else(|| node.within.clone());
        }
        if let Some(e) = outputs.first().filter(|e| e.node.index() >= first) {
            let new = self.node_mut(e.node);
            new.name = new.name.take().or_else(|| node.name.clone());
        }
    }

    /// The nodes that control edges onto the node `gone` move to.
    fn awaited_instead(
        &self,
        first: usize,
        gone: &Node,
        instead: Option<&[Endpoint]>,
    ) -> SmallVec<[NodeId; 1]> {
        let has_effect = |n: &NodeId| self.node(*n).effect() != Effect::Pure;
        let made = (first..self.nodes.len()).map(|i| NodeId(i as u32));
        let given = instead.into_iter().flatten().map(|e| e.node);
        let mut awaited: SmallVec<[NodeId; 1]> = made.chain(given).filter(has_effect).collect();
        if awaited.is_empty() {
            // Its data inputs ran before it, and so before the nodes that waited for it.
            let waits = |n: &Node| n.inputs.len() + n.control_inputs.len() > 0;
            let before = gone.inputs.iter().map(|e| e.node);
            awaited.extend(before.filter(|n| waits(self.node(*n)) || has_effect(n)));
        }
        // What effects that were made wait for is awaited through them.
        let through = |n: &NodeId| {
            self.nodes[first..].iter().any(|new| is_ordered(new) && new.control_inputs.contains(n))
        };
        awaited.extend(gone.control_inputs.iter().filter(|n| !through(n)).copied());
        awaited.sort_unstable();
        awaited.dedup();
        awaited
    }
}

/// True if a node has an effect that others wait for.
fn is_ordered(node: &Node) -> bool {
    !matches!(node.effect(), Effect::Pure | Effect::Checks)
}

/// The endpoint of an output of a copied node.
fn mapped(map: &[Option<Endpoint>], e: Endpoint) -> Result<Endpoint> {
    let first = map[e.node.index()].ok_or_else(|| Error::internal("a node is used before it"))?;
    Ok(Endpoint { node: first.node, output: first.output + e.output })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Array;
    use crate::ir::{ArgDef, ArgType, AttrDef, Attrs, Kernel, OpDef, PLACEHOLDER};
    use crate::types::{DType, DTypeSet, Shape, TensorType};

    const INPUTS: &[ArgDef] = &[ArgDef::one("x", ArgType::Var("T"))];
    const OUTPUTS: &[ArgDef] = &[ArgDef::one("y", ArgType::Var("T"))];
    const ATTRS: &[AttrDef] = &[AttrDef::dtype("T", DTypeSet::ANY)];

    const fn of_one(name: &'static str) -> OpDef {
        OpDef::new(
            name,
            name,
            |c| Ok([c.input(0).clone()].into()),
            Kernel::SelfChecked(|c| Ok([c.input(0).clone()].into())),
        )
        .with_inputs(INPUTS)
        .with_outputs(OUTPUTS)
        .with_attrs(ATTRS)
    }

    static PASS: OpDef = of_one("Pass");
    static WRITE: OpDef = of_one("Write").with_effect(Effect::Writes);

    fn add(graph: &mut Graph, op: &'static OpDef, x: NodeId, after: &[NodeId]) -> NodeId {
        let x = Endpoint { node: x, output: 0 };
        let id = graph.add(op, Attrs::new(), [x].into_iter().collect(), None).unwrap();
        graph.node_mut(id).control_inputs = after.into();
        id
    }

    fn function(graph: Graph, outputs: &[NodeId], must_run: &[NodeId]) -> FunctionGraph {
        let outputs = outputs.iter().map(|n| Endpoint { node: *n, output: 0 }).collect();
        let is_input = |id: &NodeId| graph.node(*id).op == &PLACEHOLDER;
        let inputs: Vec<NodeId> = graph.node_ids().filter(is_input).collect();
        FunctionGraph {
            name: "f".to_owned(),
            num_arguments: inputs.len(),
            inputs,
            outputs,
            must_run: must_run.to_vec(),
            graph,
        }
    }

    fn start() -> (Graph, NodeId) {
        let mut graph = Graph::new("f");
        let x =
            graph.add_placeholder(TensorType::new(DType::F32, Shape::scalar()), Some("x".into()));
        (graph, x)
    }

    /// Removes the nodes of this op; their users use their inputs instead.
    fn without(f: &FunctionGraph, op: &'static OpDef) -> FunctionGraph {
        let pass = |_: &mut Graph, visit: Visit<'_>| match visit.node.op == op {
            true => Ok(Rewrite::Replace(visit.node.inputs.iter().copied().collect())),
            false => Ok(Rewrite::Keep),
        };
        f.rewrite(pass).unwrap()
    }

    #[test]
    fn who_waited_for_a_node_that_is_gone_waits_for_what_it_waited_for() {
        let (mut g, x) = start();
        let first = add(&mut g, &WRITE, x, &[]);
        let between = add(&mut g, &PASS, x, &[first]);
        let further = add(&mut g, &PASS, x, &[between]);
        let last = add(&mut g, &WRITE, x, &[further]);
        let after = without(&function(g, &[last], &[first, last]), &PASS);
        let writes: Vec<NodeId> = after.graph.node_ids().filter(|n| n.index() > 0).collect();
        assert_eq!(after.must_run, writes);
        assert_eq!(after.graph.node(writes[1]).control_inputs[..], [writes[0]]);
    }

    #[test]
    fn what_a_node_computed_from_still_comes_before_who_waited_for_it() {
        let (mut g, x) = start();
        let write = add(&mut g, &WRITE, x, &[]);
        let of_write = add(&mut g, &PASS, write, &[]);
        let last = add(&mut g, &WRITE, x, &[of_write]);
        let after = without(&function(g, &[last], &[write, last]), &PASS);
        assert_eq!(after.graph.node(after.outputs[0].node).control_inputs[..], after.must_run[..1]);
    }

    #[test]
    fn a_node_made_instead_has_name_and_device() {
        let (mut g, x) = start();
        let id = add(&mut g, &PASS, x, &[]);
        g.set_device(id, Some("/device:CPU:1".into()));
        g.node_mut(id).name = Some("pi".into());
        let made = |graph: &mut Graph, _: Visit<'_>| {
            Ok(Rewrite::Replace([graph.add_constant(Array::scalar(3.0f32))].into()))
        };
        let after = function(g, &[id], &[]).rewrite(made).unwrap();
        let node = after.graph.node(after.outputs[0].node);
        assert_eq!(node.name.as_deref(), Some("pi"));
        assert_eq!(node.device.as_deref(), Some("/device:CPU:1"));
    }

    #[test]
    fn uses_are_those_of_nodes_and_of_the_function() {
        let (mut g, x) = start();
        let a = add(&mut g, &PASS, x, &[]);
        let b = add(&mut g, &WRITE, a, &[a]);
        let uses = function(g, &[a], &[b]).uses();
        assert_eq!(uses.of(x), [Use::Input(a, 0)]);
        assert_eq!(uses.of(a), [Use::Input(b, 0), Use::Control(b), Use::Result(0)]);
        assert_eq!(uses.of(b), [Use::MustRun]);
    }

    #[test]
    fn a_hundred_thousand_nodes_are_rewritten_and_written() {
        let (mut g, x) = start();
        let mut last = x;
        for _ in 0..100_000 {
            last = add(&mut g, &PASS, last, &[]);
        }
        let f = function(g, &[last], &[]);
        let kept = f.rewrite(|_, _| Ok(Rewrite::Keep)).unwrap();
        assert_eq!(kept.graph.nodes().len(), 100_001);
        assert_eq!(without(&f, &PASS).outputs[0].node.index(), 0);
        let def = f.to_graph_def().unwrap();
        assert_eq!(def.nodes.last().unwrap().name, "Pass_99999");
        let again = FunctionGraph::from_graph_def(&def, &f.ends(), &|_| None).unwrap();
        assert_eq!(again.graph.nodes().len(), 100_001);
        assert_eq!(f.to_function_def().unwrap().nodes.len(), 100_000);
    }
}

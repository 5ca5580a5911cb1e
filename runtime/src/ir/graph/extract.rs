//! Extraction: the part of a graph between given endpoints, as a function of its own.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::order::parse;
use super::{Endpoint, FunctionGraph, Graph, Node, NodeId, PLACEHOLDER};
use crate::ir::Effect;
use crate::types::{Error, ErrorKind, Result, bail, nearest};

/// The most nodes of a path that an error shows.
const MAX_PATH: usize = 8;

/// What happens to effects that no result of an extracted function needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effects {
    /// They are left out.
    #[default]
    Drop,
    /// They stay, with what they need.
    Keep,
}

impl FunctionGraph {
    /// The part of the graph from `inputs` to `outputs`, as a graph of its own. `run` are further nodes that it runs.
    ///
    /// The new graph takes the inputs in this order, named after their nodes; then all captures of the old one follow.
    /// An input may be a result of any node: what only it needs is not part of the new graph. A node that waits for
    /// another one (a control edge) needs it. All nodes keep their names.
    ///
    /// # Errors
    /// `InvalidArgument` for an endpoint that the graph does not have, for an input that is given twice, and if an
    /// argument is needed that is not among the inputs: then the message tells the path from the argument.
    ///
    /// ```
    /// use extype::ir::Effects;
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| x.square()?.square()).concrete(&TensorSpec::of::<f32>([]))?;
    /// let (graph, end) = (&f.graph().graph, f.graph().outputs[0]);
    /// let middle = graph.node(end.node).inputs[0];
    /// let last = f.graph().extract(&[middle], &[end], &[], Effects::Drop)?;
    /// assert_eq!(last.graph.names(), ["Square", "Square_1"]);
    /// let e = f.graph().extract(&[], &[end], &[], Effects::Drop).unwrap_err();
    /// assert!(e.message().contains("`Square_1` needs the argument `a`"), "{e}");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn extract(
        &self,
        inputs: &[Endpoint],
        outputs: &[Endpoint],
        run: &[NodeId],
        effects: Effects,
    ) -> Result<FunctionGraph> {
        let kept: &[NodeId] = if effects == Effects::Keep { &self.must_run } else { &[] };
        let run: Vec<NodeId> = run.iter().chain(kept).copied().collect();
        let captures = &self.inputs[self.num_arguments..];
        let part = extracted(&self.graph, captures, inputs, outputs, &run)?;
        Ok(FunctionGraph { name: self.name.clone(), ..part })
    }
}

/// [`FunctionGraph::extract`] for a graph with these captures.
pub(crate) fn extracted(
    graph: &Graph,
    captures: &[NodeId],
    inputs: &[Endpoint],
    outputs: &[Endpoint],
    run: &[NodeId],
) -> Result<FunctionGraph> {
    let named = NamedGraph::new(graph);
    inputs.iter().chain(outputs).try_for_each(|e| named.check(*e))?;
    run.iter().try_for_each(|n| named.check_node(*n))?;
    let mut new = Graph::new(graph.name());
    let mut fed = FxHashMap::default();
    for e in inputs {
        let name = named.name(e.node).into();
        let node = new.add_placeholder(graph.output_type(*e).clone(), Some(name));
        if fed.insert(*e, Endpoint { node, output: 0 }).is_some() {
            bail!("`{}` is given twice as an input", named.reference(*e));
        }
    }
    let part = Part { named: &named, captures, fed };
    let needed = part.needed(outputs, run)?;
    let mut map: Vec<Option<NodeId>> = vec![None; needed.len()];
    for id in captures {
        map[id.index()] = Some(new.push(part.copy(*id)));
    }
    for (id, old) in graph.node_ids().zip(graph.nodes()) {
        if !needed[id.index()] || map[id.index()].is_some() {
            continue;
        }
        let mut node = part.copy(id);
        for e in &mut node.inputs {
            *e = part.moved(*e, &map)?;
        }
        let before = old.control_inputs.iter().flat_map(|n| part.awaited(*n, &map));
        node.control_inputs = before.collect();
        node.control_inputs.sort_unstable();
        node.control_inputs.dedup();
        map[id.index()] = Some(new.push(node));
    }
    let at = |id: &NodeId| map[id.index()];
    let mut must_run: Vec<NodeId> = run.iter().filter_map(at).collect();
    must_run.sort_unstable();
    must_run.dedup();
    Ok(FunctionGraph {
        name: graph.name().to_owned(),
        inputs: part.arguments(inputs).chain(captures.iter().filter_map(at)).collect(),
        num_arguments: inputs.len(),
        outputs: outputs.iter().map(|e| part.moved(*e, &map)).collect::<Result<_>>()?,
        must_run,
        graph: new,
    })
}

/// What is extracted from a graph.
struct Part<'a> {
    named: &'a NamedGraph<'a>,
    captures: &'a [NodeId],
    /// The placeholders in the new graph for the endpoints that are inputs.
    fed: FxHashMap<Endpoint, Endpoint>,
}

impl Part<'_> {
    /// True for a node with a result that is given.
    fn is_cut(&self, id: NodeId) -> bool {
        let outputs = 0..self.named.graph.node(id).outputs.len() as u32;
        outputs.into_iter().any(|output| self.fed.contains_key(&Endpoint { node: id, output }))
    }

    /// The nodes that these outputs and nodes need, by index.
    fn needed(&self, outputs: &[Endpoint], run: &[NodeId]) -> Result<Vec<bool>> {
        let graph = self.named.graph;
        let mut needed = vec![false; graph.nodes().len()];
        // For each node one that needs it.
        let mut by: Vec<Option<NodeId>> = vec![None; needed.len()];
        let computed = outputs.iter().filter(|e| !self.fed.contains_key(e)).map(|e| e.node);
        let mut open: Vec<(NodeId, Option<NodeId>)> =
            computed.chain(run.iter().copied()).map(|id| (id, None)).collect();
        while let Some((id, needs)) = open.pop() {
            if std::mem::replace(&mut needed[id.index()], true) {
                continue;
            }
            by[id.index()] = needs;
            let node = graph.node(id);
            if node.op == &PLACEHOLDER && !self.captures.contains(&id) {
                return Err(self.not_given(id, &by));
            }
            let read = node.inputs.iter().filter(|e| !self.fed.contains_key(e)).map(|e| e.node);
            let awaited = node.control_inputs.iter().copied().filter(|n| !self.is_cut(*n));
            open.extend(read.chain(awaited).map(|before| (before, Some(id))));
        }
        Ok(needed)
    }

    /// The error for an argument that is needed and not given.
    #[cold]
    fn not_given(&self, argument: NodeId, by: &[Option<NodeId>]) -> Error {
        let path: Vec<NodeId> =
            std::iter::successors(Some(argument), |id| by[id.index()]).collect();
        let mut names: Vec<&str> = path.iter().map(|id| self.named.name(*id)).collect();
        let last = names.last().copied().unwrap_or_default().to_owned();
        if names.len() > MAX_PATH {
            names.splice(MAX_PATH / 2..names.len() - MAX_PATH / 2, ["…"]);
        }
        let (name, path) = (self.named.name(argument), names.join(" → "));
        match path.contains('→') {
            true => Error::invalid(format!(
                "`{last}` needs the argument `{name}`, which is not among the inputs: {path}"
            )),
            false => {
                Error::invalid(format!("the argument `{name}` is wanted, but is not an input"))
            }
        }
    }

    /// The node with its name in the old graph.
    fn copy(&self, id: NodeId) -> Node {
        Node { name: Some(self.named.name(id).into()), ..self.named.graph.node(id).clone() }
    }

    fn moved(&self, e: Endpoint, map: &[Option<NodeId>]) -> Result<Endpoint> {
        let copied = || map[e.node.index()].map(|node| Endpoint { node, ..e });
        let moved = self.fed.get(&e).copied().or_else(copied);
        moved.ok_or_else(|| Error::internal("a node is used before it"))
    }

    /// The nodes to wait for in place of an old one: itself, or the effects that are left of what came before it.
    fn awaited(&self, id: NodeId, map: &[Option<NodeId>]) -> SmallVec<[NodeId; 2]> {
        if let Some(copied) = map[id.index()] {
            return [copied].into_iter().collect();
        }
        let graph = self.named.graph;
        let (mut found, mut seen) = (SmallVec::new(), FxHashSet::default());
        let mut open: Vec<NodeId> = graph.node(id).before().collect();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            match map[id.index()] {
                Some(copied) if graph.node(id).effect() != Effect::Pure => found.push(copied),
                Some(_) => {}
                None => open.extend(graph.node(id).before()),
            }
        }
        found
    }

    fn arguments<'a>(&'a self, inputs: &'a [Endpoint]) -> impl Iterator<Item = NodeId> + 'a {
        inputs.iter().filter_map(|e| self.fed.get(e)).map(|e| e.node)
    }
}

/// A graph whose nodes are found by name.
pub(crate) struct NamedGraph<'a> {
    pub(crate) graph: &'a Graph,
    names: Vec<String>,
}

impl<'a> NamedGraph<'a> {
    pub(crate) fn new(graph: &'a Graph) -> Self {
        Self { graph, names: graph.names() }
    }

    pub(crate) fn name(&self, id: NodeId) -> &str {
        &self.names[id.index()]
    }

    /// `node:output`, by which the endpoint is found.
    pub(crate) fn reference(&self, e: Endpoint) -> String {
        format!("{}:{}", self.name(e.node), e.output)
    }

    /// Refuses a node that the graph does not have.
    pub(crate) fn check_node(&self, id: NodeId) -> Result<()> {
        let count = self.names.len();
        if id.index() >= count {
            bail!("node {} is not of `{}`, which has {count}", id.index(), self.graph.name());
        }
        Ok(())
    }

    /// Refuses an endpoint that the graph does not have.
    pub(crate) fn check(&self, e: Endpoint) -> Result<()> {
        self.check_node(e.node)?;
        let count = self.graph.node(e.node).outputs.len();
        if e.output as usize >= count {
            let name = self.name(e.node);
            bail!("`{name}` has {count} results, so there is no `{}`", self.reference(e));
        }
        Ok(())
    }

    /// The node with this name.
    pub(crate) fn node(&self, name: &str) -> Result<NodeId> {
        if let Some(i) = self.names.iter().position(|known| known == name) {
            return Ok(NodeId(i as u32));
        }
        let near = nearest(name, self.names.iter().map(String::as_str));
        let advice = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        let text = format!("`{}` has no node `{name}`{advice}", self.graph.name());
        Err(Error::new(ErrorKind::NotFound, text))
    }

    /// The endpoint that a text refers to: `node:output`, or `node` for its first result.
    pub(crate) fn endpoint(&self, text: &str) -> Result<Endpoint> {
        let exact = self.names.iter().any(|known| known == text);
        let (name, index) = match parse(text) {
            refers if !exact && !refers.is_control && refers.result.is_none() => {
                (refers.node, refers.index)
            }
            _ => (text, 0),
        };
        let e = Endpoint { node: self.node(name)?, output: index as u32 };
        self.check(e)?;
        Ok(e)
    }
}

impl Graph {
    /// The node with this [name](Self::names).
    ///
    /// # Errors
    /// `NotFound`, with a name that is similar.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| x.square()?.square()).concrete(&TensorSpec::of::<f32>([]))?;
    /// let graph = &f.graph().graph;
    /// assert_eq!(graph.find("Square_1")?, f.graph().outputs[0].node);
    /// let e = graph.find("Sqare").unwrap_err();
    /// assert_eq!(e.message(), "`closure` has no node `Sqare`; did you mean `Square`?");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn find(&self, name: &str) -> Result<NodeId> {
        NamedGraph::new(self).node(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Array;
    use crate::ir::{Attrs, find_op};
    use crate::types::{DType, Shape, TensorType};

    /// The squares of an argument, one of the other.
    fn squares(count: usize) -> FunctionGraph {
        let mut graph = Graph::new("f");
        let x = graph.add_placeholder(TensorType::new(DType::F32, Shape::scalar()), None);
        let op = find_op("Square").unwrap();
        let mut last = Endpoint { node: x, output: 0 };
        for _ in 0..count {
            let node = graph.add(op, Attrs::new(), [last].into_iter().collect(), None).unwrap();
            last = Endpoint { node, output: 0 };
        }
        FunctionGraph {
            name: "f".to_owned(),
            inputs: vec![x],
            num_arguments: 1,
            outputs: vec![last],
            must_run: Vec::new(),
            graph,
        }
    }

    #[test]
    fn a_part_of_a_hundred_thousand_nodes_is_found() {
        let f = squares(100_000);
        let given = f.graph.node(f.outputs[0].node).inputs[0];
        let part = f.extract(&[given], &f.outputs, &[], Effects::Drop).unwrap();
        assert_eq!(part.graph.names(), ["Square_99998", "Square_99999"]);
        let whole =
            f.extract(&[Endpoint { node: f.inputs[0], output: 0 }], &f.outputs, &[], Effects::Keep);
        assert_eq!(whole.unwrap().graph.names(), f.graph.names());
    }

    #[test]
    fn a_long_path_is_shortened() {
        let f = squares(20);
        let e = f.extract(&[], &f.outputs, &[], Effects::Drop).unwrap_err();
        let path = "Placeholder → Square → Square_1 → Square_2 → … → Square_16 → Square_17 → Square_18 → Square_19";
        assert!(e.message().ends_with(path), "{e}");
    }

    #[test]
    fn what_the_graph_does_not_have_is_refused() {
        let f = squares(1);
        let beyond = Endpoint { node: NodeId(7), output: 0 };
        let extract = |inputs: &[Endpoint], run: &[NodeId]| {
            f.extract(inputs, &[], run, Effects::Drop).unwrap_err().message().to_owned()
        };
        assert_eq!(extract(&[beyond], &[]), "node 7 is not of `f`, which has 2");
        assert_eq!(extract(&[], &[NodeId(7)]), "node 7 is not of `f`, which has 2");
        let second = Endpoint { node: NodeId(1), output: 1 };
        let text = "`Square` has 1 results, so there is no `Square:1`";
        assert_eq!(extract(&[second], &[]), text);
    }

    #[test]
    fn a_name_with_a_colon_is_found_before_a_result() {
        let mut graph = Graph::new("f");
        let a = graph.add_constant(Array::scalar(1.0f32)).node;
        let b = graph.add_constant(Array::scalar(2.0f32)).node;
        graph.node_mut(a).name = Some("x".into());
        graph.node_mut(b).name = Some("x:0".into());
        let named = NamedGraph::new(&graph);
        assert_eq!(named.endpoint("x:0").unwrap().node, b);
        assert_eq!(named.endpoint("x").unwrap().node, a);
        assert!(named.endpoint("^x").is_err() && named.endpoint("x:y").is_err());
    }
}

//! Imports graphs from plain data: puts nodes in an order in which they can run, and infers types again.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use smallvec::SmallVec;

use super::builtin::{
    CONTROL, FILE_NAME, HANDLE_SHAPES, HANDLE_TYPES, OP, OUTPUT_SHAPES, PLACEHOLDER, UNKNOWN,
    USER_NAME,
};
use super::def::{AttrMap, Ends, FunctionDef, FunctionName, GraphDef, NodeDef, Value, Versions};
use super::guess::{Results, list_of};
use super::layout::{Shares, is_told, length_of};
use super::names::argument;
use super::order::{Places, Position, data_inputs, order, parse};
use super::{Endpoint, FunctionGraph, Graph, NodeId, Notes};
use crate::ir::{Attr, AttrValue, Attrs, Effect, LibraryFunction, OpDef, find_op};
use crate::types::{DType, Error, ErrorKind, Result, Shape, TensorType, bail, err};

/// Looks up a function by its name.
pub type Functions<'a> = dyn Fn(&str) -> Option<Arc<LibraryFunction>> + 'a;

/// The function attribute that holds the shapes of the arguments.
pub(super) const INPUT_SHAPES: &str = "_input_shapes";

impl FunctionGraph {
    /// The graph that plain data describes, with these inputs and results. `functions` finds the
    /// functions that it calls; see [`import_library`] for those of the graph's own library.
    ///
    /// Nodes may come in any order. Nodes of unknown ops and functions are kept, but fail when they
    /// run. Besides the nodes that results need, only the `targets` run.
    ///
    /// # Errors
    /// `InvalidArgument` naming the node: for an input that names nothing, nodes that depend on each
    /// other, inputs that the op refuses, and an attribute that is missing, of another kind, or in
    /// conflict with the inputs.
    ///
    /// ```
    /// use extype::ir::FunctionGraph;
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| x.square()).concrete(&TensorSpec::of::<f32>([2]))?;
    /// let (def, ends) = (f.graph().to_graph_def()?, f.graph().ends());
    /// let graph = FunctionGraph::from_graph_def(&def, &ends, &|_| None)?;
    /// assert_eq!(graph.output_types(), f.graph().output_types());
    /// assert_eq!(graph.graph.names(), ["a", "Square"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_graph_def(
        def: &GraphDef,
        ends: &Ends,
        functions: &Functions<'_>,
    ) -> Result<FunctionGraph> {
        def.versions.check()?;
        let outputs: Vec<&str> = ends.outputs.iter().map(String::as_str).collect();
        let mut import = Import::new(&def.nodes, Places::of_graph(&def.nodes)?, functions)?;
        import.guess(outputs.iter().map(|o| (*o, None)));
        import.nodes()?;
        let outputs = outputs.iter().map(|o| import.one(o)).collect::<Result<_>>();
        let target = |name: &String| import.node(name);
        let targets = ends.targets.iter().map(target).collect::<Result<BTreeSet<_>>>()?;
        let inputs = import.inputs(&ends.inputs)?;
        let mut graph = import.graph;
        graph.notes = Some(Arc::new(Notes { versions: def.versions.clone(), ..Notes::default() }));
        Ok(FunctionGraph {
            name: "graph".to_owned(),
            num_arguments: inputs.len(),
            inputs,
            outputs: outputs.map_err(|e| e.prefixed("results"))?,
            must_run: targets.into_iter().collect(),
            graph,
        })
    }

    /// The graph of a function that plain data describes. All its inputs are arguments: a
    /// `FunctionDef` does not record which of them were captured.
    ///
    /// # Errors
    /// As [`from_graph_def`](Self::from_graph_def), and `InvalidArgument` for a result that is of
    /// another dtype than the signature says.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::ir::{FunctionGraph, LibraryFunction};
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| x.square()).concrete(&TensorSpec::of::<f32>([2]))?;
    /// let graph = FunctionGraph::from_function_def(&f.graph().to_function_def()?, &|_| None)?;
    /// let y = graph.into_function().call(&[&Array::from_slice([2], &[2.0f32, 3.0])?])?;
    /// assert_eq!(y[0].as_slice::<f32>()?, &[4.0, 9.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_function_def(
        def: &FunctionDef,
        functions: &Functions<'_>,
    ) -> Result<FunctionGraph> {
        from_function_def(def, functions)
            .map_err(|e| e.prefixed(format!("function `{}`", def.signature.name)))
    }
}

/// Makes the functions of a library, each after those that it calls. `make` gets the graph of a
/// function and returns the callable that runs it. `others` finds functions outside the library.
///
/// # Errors
/// `InvalidArgument` naming a function that calls itself or is defined twice; as
/// [`FunctionGraph::from_function_def`]; and what `make` refuses.
///
/// ```
/// use extype::ir::{import_library, LibraryFunction};
/// use extype::prelude::*;
/// let inner = function(|x: &Tensor| ops::neg(x));
/// let outer = function(move |x: &Tensor| inner.call(x));
/// let def = outer.concrete(&TensorSpec::of::<f32>([2]))?.graph().to_graph_def()?;
/// let made = import_library(&def.library, &|_| None, &mut |graph| {
///     Ok(graph.into_named_function() as std::sync::Arc<LibraryFunction>)
/// })?;
/// assert_eq!(made.len(), 1);
/// # Ok::<(), Error>(())
/// ```
pub fn import_library(
    library: &[FunctionDef],
    others: &Functions<'_>,
    make: &mut dyn FnMut(FunctionGraph) -> Result<Arc<LibraryFunction>>,
) -> Result<BTreeMap<String, Arc<LibraryFunction>>> {
    let mut places = HashMap::new();
    for (i, def) in library.iter().enumerate() {
        if places.insert(def.signature.name.as_str(), i).is_some() {
            bail!("two functions are named `{}`", def.signature.name);
        }
    }
    let called = |i: usize| {
        let values = library[i].nodes.iter().flat_map(|n| n.attrs.values());
        let names = values.flat_map(Value::functions);
        names.filter_map(|f| places.get(f.name.as_str()).copied()).collect()
    };
    let order = order(library.len(), &called).map_err(|i| {
        err!("the function `{}` calls itself, by way of others or not", library[i].signature.name)
    })?;
    let mut made = BTreeMap::new();
    for i in order {
        let known = |name: &str| made.get(name).cloned().or_else(|| others(name));
        let graph = FunctionGraph::from_function_def(&library[i], &known)?;
        let f = make(graph)?;
        made.insert(library[i].signature.name.clone(), f);
    }
    Ok(made)
}

impl Versions {
    /// Refuses graphs that this version can't read.
    pub(crate) fn check(&self) -> Result<()> {
        let own = Self::OWN.producer;
        if self.min_consumer > own || self.bad_consumers.contains(&own) {
            bail!(
                "the graph (of version {}) is for readers from version {} on, not for this one of \
                 version {own}",
                self.producer,
                self.min_consumer
            );
        }
        Ok(())
    }
}

fn from_function_def(def: &FunctionDef, functions: &Functions<'_>) -> Result<FunctionGraph> {
    let signature = &def.signature;
    let mut import = Import::new(&def.nodes, Places::of_function(def)?, functions)?;
    let returned = |name: &str| {
        let found = def.ret.get(name).map(String::as_str);
        found.ok_or_else(|| err!("the result `{name}` is not among those that are returned"))
    };
    let outputs: Vec<(&str, Option<DType>)> = signature
        .outputs
        .iter()
        .map(|o| Ok((returned(&o.name)?, Some(o.dtype))))
        .collect::<Result<_>>()?;
    import.guess(outputs.iter().copied());
    import.arguments(def)?;
    import.nodes()?;
    let mut results = Vec::new();
    for ((reference, _), want) in outputs.iter().zip(&signature.outputs) {
        let e = import.one(reference).map_err(|e| e.prefixed(format!("result `{}`", want.name)))?;
        let got = import.graph.output_type(e).dtype;
        if got != want.dtype {
            bail!("the result `{}` is {got}, not {} as the signature says", want.name, want.dtype);
        }
        results.push(e);
    }
    let mut must_run = BTreeSet::new();
    for (key, name) in &def.control_ret {
        let id = import.node(name)?;
        if key != name {
            import.graph.node_mut(id).attrs.set(CONTROL.name(), key.to_attr());
        }
        must_run.insert(id);
    }
    let mut graph = import.graph;
    let runs = |id: &NodeId| graph.node(*id).effect().must_run();
    let unlisted = graph.node_ids().filter(|id| runs(id) && !must_run.contains(id));
    for id in unlisted.collect::<Vec<_>>() {
        graph.node_mut(id).attrs.set(CONTROL.name(), String::new().to_attr());
        must_run.insert(id);
    }
    graph.notes = Some(Arc::new(Notes {
        outputs: signature.outputs.iter().map(|o| o.name.clone()).collect(),
        attrs: def.attrs.clone(),
        is_stateful: Some(signature.is_stateful),
        versions: Versions::OWN,
    }));
    Ok(FunctionGraph {
        name: signature.name.clone(),
        num_arguments: import.argument_ids.len(),
        inputs: import.argument_ids,
        outputs: results,
        must_run: must_run.into_iter().collect(),
        graph,
    })
}

struct Import<'a> {
    nodes: &'a [NodeDef],
    places: Places<'a>,
    functions: &'a Functions<'a>,
    /// The definitions of the nodes' ops, where they are known.
    ops: Vec<Option<&'static OpDef>>,
    graph: Graph,
    argument_ids: Vec<NodeId>,
    ids: Vec<Option<NodeId>>,
    /// The results of nodes whose op is unknown.
    guessed: HashMap<usize, Results>,
    /// The ranges of results of other nodes, filled when a result is referred to by name.
    shares: HashMap<usize, Shares>,
}

impl<'a> Import<'a> {
    fn new(nodes: &'a [NodeDef], places: Places<'a>, functions: &'a Functions<'a>) -> Result<Self> {
        let known = |node: &NodeDef| match find_op(&node.op) {
            // No graph of this library has a node of a compound, so it is kept like an unknown op.
            Ok(def) => Ok(Some(def).filter(|def| !def.is_compound())),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
            Err(e) => Err(of_node(node, e)),
        };
        Ok(Self {
            nodes,
            places,
            functions,
            ops: nodes.iter().map(known).collect::<Result<_>>()?,
            graph: Graph::new("graph"),
            argument_ids: Vec::new(),
            ids: vec![None; nodes.len()],
            guessed: HashMap::new(),
            shares: HashMap::new(),
        })
    }

    /// Guesses the results of unknown ops from their uses and attributes.
    fn guess<'r>(&mut self, ends: impl Iterator<Item = (&'r str, Option<DType>)>) {
        for (i, _) in self.ops.iter().enumerate().filter(|(_, op)| op.is_none()) {
            self.guessed.insert(i, Results::default());
        }
        if self.guessed.is_empty() {
            return;
        }
        for (node, op) in self.nodes.iter().zip(&self.ops) {
            let wanted = op.map(|op| super::guess::wanted(op, node)).unwrap_or_default();
            for (j, reference) in data_inputs(node).enumerate() {
                let dtype = wanted.get(j).copied().flatten();
                note(&self.places, &mut self.guessed, reference, dtype);
            }
        }
        ends.for_each(|(o, dtype)| note(&self.places, &mut self.guessed, o, dtype));
        self.guessed.iter_mut().for_each(|(i, results)| results.complete(&self.nodes[*i]));
    }

    /// Adds the nodes, each after those that it uses.
    fn nodes(&mut self) -> Result<()> {
        let mut uses: Vec<Vec<usize>> = Vec::with_capacity(self.nodes.len());
        for node in self.nodes {
            let place = |text: &String| match self.places.find(parse(text).node) {
                Some(Position::Node(i)) => Ok(Some(i)),
                Some(Position::Argument(_)) => Ok(None),
                None => Err(of_node(node, err!("the input `{text}` names no node"))),
            };
            let places = node.inputs.iter().map(place).collect::<Result<Vec<_>>>()?;
            uses.push(places.into_iter().flatten().collect());
        }
        let order = order(self.nodes.len(), &|i| uses[i].clone())
            .map_err(|i| of_node(&self.nodes[i], err!("it depends on its own results")))?;
        for i in order {
            let id = self.add(i).map_err(|e| of_node(&self.nodes[i], e))?;
            self.ids[i] = Some(id);
        }
        Ok(())
    }

    fn add(&mut self, i: usize) -> Result<NodeId> {
        let node = &self.nodes[i];
        let mut inputs: SmallVec<[Endpoint; 2]> = SmallVec::new();
        let mut control: SmallVec<[NodeId; 2]> = SmallVec::new();
        for text in &node.inputs {
            match parse(text).is_control {
                true => control.push(self.node(parse(text).node)?),
                false if !control.is_empty() => {
                    bail!("the input `{text}` comes after nodes to wait for")
                }
                false => inputs.extend(self.endpoints(text)?),
            }
        }
        if control.len() > 1 {
            let mut seen = HashSet::new();
            control.retain(|n| seen.insert(*n));
        }
        let id = match self.ops[i] {
            Some(def) => self.known(def, node, inputs)?,
            None => self.unknown(i, inputs)?,
        };
        let added = self.graph.node_mut(id);
        added.control_inputs = control;
        added.device = (!node.device.is_empty()).then(|| node.device.as_str().into());
        added.name = Some(node.name.as_str().into());
        if added.op == &PLACEHOLDER {
            self.show_user_name(id, &node.name);
        }
        Ok(id)
    }

    /// Adds a node of a known op. Attributes that follow from the inputs are compared and left out.
    fn known(
        &mut self,
        def: &'static OpDef,
        node: &NodeDef,
        inputs: SmallVec<[Endpoint; 2]>,
    ) -> Result<NodeId> {
        let (mut attrs, mut given) = (Attrs::new(), Vec::new());
        for attr in def.attrs {
            match (node.attrs.get(attr.name), attr.default) {
                (Some(value), _) => {
                    let value = self.attribute(attr.name, value, node)?;
                    if !attr.kind.takes(&value) {
                        bail!("attribute `{}` is {}, not {value}", attr.name, attr.kind);
                    }
                    match attr.told {
                        true => given.push((attr.name, value)),
                        false => attrs.set(attr.name, value),
                    }
                }
                (None, Some(default)) if !attr.name.starts_with('_') => {
                    attrs.set(attr.name, default());
                }
                (None, None) if !attr.told && !attr.name.starts_with('_') => {
                    bail!("attribute `{}` is missing", attr.name)
                }
                _ => {}
            }
        }
        let others = node.attrs.iter().filter(|(n, _)| def.attrs.iter().all(|a| a.name != *n));
        for (name, value) in others {
            let value = self.attribute(name, value, node)?;
            match is_told(def, name) {
                true => given.push((name, value)),
                false => attrs.set(name.clone(), value),
            }
        }
        let id = self.graph.add(def, attrs, inputs, None)?;
        let length =
            |name: &str| given.iter().find(|(n, _)| *n == name).and_then(|(_, v)| length_of(v));
        let added = self.graph.node(id);
        let alone = self.graph.told(added, |_| None);
        let told = match (self.graph.told(added, length), &alone) {
            (Ok(told), _) => told,
            (Err(_), Ok(told)) => told.clone(),
            (Err(e), Err(_)) => return Err(e),
        };
        // Lengths of lists that only the file gives stay with the node.
        let alone = alone.is_ok_and(|alone| alone == told);
        for (name, value) in given {
            let tell = told.iter().find(|(n, _)| *n == name).map(|(_, v)| v);
            match tell {
                Some(tell) if *tell != value => bail!(
                    "attribute `{name}` is {value}, but by its inputs and results it is {tell}"
                ),
                Some(_) if alone => {}
                _ => self.graph.node_mut(id).attrs.set(name.to_owned(), value),
            }
        }
        let added = self.graph.node_mut(id);
        if added.op_name() != node.op {
            added.attrs.set(OP.name(), node.op.to_attr());
        }
        Ok(id)
    }

    /// Adds a node of an unknown op.
    fn unknown(&mut self, i: usize, inputs: SmallVec<[Endpoint; 2]>) -> Result<NodeId> {
        let node = &self.nodes[i];
        let mut attrs = Attrs::new().with(OP, &node.op);
        self.guessed[&i].describe(&mut attrs);
        for (name, value) in &node.attrs {
            attrs.set(name.clone(), self.attribute(name, value, node)?);
        }
        self.graph.add(&UNKNOWN, attrs, inputs, None)
    }

    /// Adds placeholders for the arguments.
    fn arguments(&mut self, def: &FunctionDef) -> Result<()> {
        let shapes = def.attrs.get(INPUT_SHAPES).and_then(list_of::<Shape>);
        for (i, arg) in def.signature.inputs.iter().enumerate() {
            let own = def.arg_attrs.get(&(i as u32));
            let shape = own.and_then(|a| a.get(OUTPUT_SHAPES.name())).and_then(list_of::<Shape>);
            let shape = shape.and_then(|s| s.into_iter().next());
            let shape = shape.or_else(|| shapes.as_ref()?.get(i).cloned());
            let shape = match arg.dtype {
                DType::Resource => Shape::scalar(),
                _ => shape.unwrap_or_default(),
            };
            let ty = TensorType::new(arg.dtype, shape);
            let id = self.graph.add_placeholder(ty, Some(arg.name.as_str().into()));
            let none = AttrMap::new();
            for (name, value) in own.unwrap_or(&none) {
                let value = self.attribute(name, value, &NodeDef::default())?;
                self.graph.node_mut(id).attrs.set(name.clone(), value);
            }
            if !arg.handle_data.is_empty() {
                let (dtypes, shapes): (Vec<DType>, Vec<Shape>) =
                    arg.handle_data.iter().cloned().unzip();
                let attrs = &mut self.graph.node_mut(id).attrs;
                attrs.set(HANDLE_TYPES.name(), dtypes.to_attr());
                attrs.set(HANDLE_SHAPES.name(), shapes.to_attr());
            }
            self.argument_ids.push(id);
            self.show_user_name(id, &arg.name);
        }
        Ok(())
    }

    /// Displays a placeholder under its user's name, if no other node has that name.
    fn show_user_name(&mut self, id: NodeId, name: &str) {
        let node = self.graph.node_mut(id);
        if let Ok(user) = node.attrs.get(USER_NAME)
            && user != name
            && self.places.take(&user)
        {
            node.name = Some(user.as_str().into());
            let kept = std::mem::take(&mut node.attrs);
            kept.iter().filter(|(n, _)| *n != USER_NAME.name()).for_each(|(n, v)| {
                node.attrs.set(n.to_owned(), v.clone());
            });
        }
        let is_argument = self.places.is_function();
        let shown = node.name.as_deref().unwrap_or_default();
        let made = if is_argument { argument(shown) } else { super::names::legal(shown) };
        if made != name {
            node.attrs.set(FILE_NAME.name(), name.to_owned().to_attr());
        }
    }

    /// The placeholders that are fed.
    fn inputs(&self, names: &[String]) -> Result<Vec<NodeId>> {
        if names.is_empty() {
            let ids = self.ids.iter().flatten().copied();
            return Ok(ids.filter(|id| self.graph.node(*id).op == &PLACEHOLDER).collect());
        }
        let input = |name: &String| {
            let id = self.node(name.strip_suffix(":0").unwrap_or(name))?;
            match self.graph.node(id) {
                node if node.op == &PLACEHOLDER => Ok(id),
                node => bail!("the input `{name}` is a `{}`, not a placeholder", node.op_name()),
            }
        };
        names.iter().map(input).collect()
    }

    /// The node of this name.
    fn node(&self, name: &str) -> Result<NodeId> {
        let id = match self.places.find(name) {
            Some(Position::Node(i)) => self.ids[i],
            Some(Position::Argument(i)) => self.argument_ids.get(i).copied(),
            None => None,
        };
        id.ok_or_else(|| err!("no node is named `{name}`"))
    }

    fn one(&mut self, text: &str) -> Result<Endpoint> {
        match self.endpoints(text)?[..] {
            [e] => Ok(e),
            ref all => bail!("`{text}` is {} tensors, not one", all.len()),
        }
    }

    /// The endpoints that a reference means: one tensor, or all tensors of a list result.
    fn endpoints(&mut self, text: &str) -> Result<SmallVec<[Endpoint; 1]>> {
        let reference = parse(text);
        let node = self.node(reference.node)?;
        let wrong = || err!("the input `{text}` names no result of `{}`", reference.node);
        let is_node = matches!(self.places.find(reference.node), Some(Position::Node(_)));
        let range = match (reference.result, is_node && self.places.is_function()) {
            (None, false) => reference.index..reference.index.checked_add(1).ok_or_else(wrong)?,
            (Some(result), true) => {
                let whole = self.result(node, reference.node, result).ok_or_else(wrong)?;
                let at = whole.start.saturating_add(reference.index);
                let range =
                    if reference.is_whole { whole.clone() } else { at..at.saturating_add(1) };
                if range.end > whole.end { whole.end..usize::MAX } else { range }
            }
            _ => return Err(wrong()),
        };
        if range.end > self.graph.node(node).outputs.len() {
            return Err(wrong());
        }
        Ok(range.map(|output| Endpoint { node, output: output as u32 }).collect())
    }

    /// The range of tensors that make up a result of a node.
    fn result(&mut self, id: NodeId, name: &str, result: &str) -> Option<std::ops::Range<usize>> {
        let Some(Position::Node(i)) = self.places.find(name) else { return None };
        if let Some(guessed) = self.guessed.get(&i) {
            return guessed.range(result);
        }
        if !self.shares.contains_key(&i) {
            let node = self.graph.node(id);
            let told = self.graph.told(node, |_| None).ok()?;
            self.shares.insert(i, node.result_shares(&told).ok()?);
        }
        let share = self.shares[&i].iter().find(|(arg, _)| arg.name == result);
        share.map(|(_, range)| range.clone())
    }

    fn attribute(&self, name: &str, value: &Value, node: &NodeDef) -> Result<AttrValue> {
        if name.starts_with('?') {
            bail!("no attribute may be named `{name}`");
        }
        self.value(value, node, 0).map_err(|e| e.prefixed(format!("attribute `{name}`")))
    }

    fn value(&self, value: &Value, node: &NodeDef, depth: usize) -> Result<AttrValue> {
        /// The deepest nesting of lists; those of TensorFlow hold no lists.
        const DEEPEST: usize = 64;
        Ok(match value {
            Value::None => bail!("it has no value"),
            Value::Bool(x) => AttrValue::Bool(*x),
            Value::Int(x) => AttrValue::Int(*x),
            Value::Float(x) => AttrValue::Float(*x),
            Value::Str(x) => AttrValue::Str(x.as_slice().into()),
            Value::Type(x) => AttrValue::Type(*x),
            Value::Shape(x) => AttrValue::Shape(Box::new(x.clone())),
            Value::Tensor(x) => AttrValue::Tensor(x.clone()),
            Value::Function(f) => AttrValue::Function(self.function(f, node)),
            Value::List(_) if depth == DEEPEST => bail!("its lists nest deeper than {DEEPEST}"),
            Value::List(items) => {
                let items = items.iter().map(|item| self.value(item, node, depth + 1));
                AttrValue::List(items.collect::<Result<_>>()?)
            }
        })
    }

    /// The function of a name. An unknown name gives a function that fails when it runs.
    fn function(&self, f: &FunctionName, node: &NodeDef) -> Arc<LibraryFunction> {
        if let Some(function) = (self.functions)(&f.name) {
            return match f.attrs.is_empty() {
                true => function,
                false => LibraryFunction::referring(f.name.clone(), f.attrs.clone(), function),
            };
        }
        let mut results = Results::default();
        results.complete(node);
        let names = find_op(&node.op).ok().and_then(|def| Some((def.name, def.stateful_name?)));
        let effect = match names {
            Some((pure, _)) if pure == node.op => Effect::Pure,
            _ => Effect::Writes,
        };
        LibraryFunction::unknown(f.name.clone(), f.attrs.clone(), results.types(), effect)
    }
}

/// Records the use of a result, if its op is unknown.
fn note(
    places: &Places<'_>,
    guessed: &mut HashMap<usize, Results>,
    text: &str,
    dtype: Option<DType>,
) {
    let reference = parse(text);
    if let Some(Position::Node(i)) = places.find(reference.node)
        && let Some(results) = guessed.get_mut(&i)
    {
        results.used(reference.result.unwrap_or_default(), reference.index, dtype);
    }
}

fn of_node(node: &NodeDef, e: Error) -> Error {
    e.prefixed(format!("node `{}`", node.name))
}

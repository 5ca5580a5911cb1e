//! Exports graphs as plain data: nodes with every attribute of their ops, and the functions they call.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::builtin::{
    CONTROL, FILE_NAME, HANDLE_SHAPES, HANDLE_TYPES, OUTPUT_SHAPES, RESULTS, USER_NAME,
};
use super::def::{
    ArgumentDef, AttrMap, Ends, FunctionDef, FunctionName, GraphDef, NodeDef, Signature, Value,
    Versions,
};
use super::layout::{Shares, is_told};
use super::names::{Names, argument, legal};
use super::{Endpoint, FunctionGraph, Node, Notes, PLACEHOLDER};
use crate::ir::{Attr, AttrValue, Effect, LibraryFunction};
use crate::types::{DType, Result, Shape, TensorType, bail, err};

/// How a node refers to the tensors and nodes that it uses.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// `node:1`, in a graph.
    Graph,
    /// `node:result:1`, in a function.
    Function,
}

impl FunctionGraph {
    /// The graph as plain data, with every function that it calls, each once. Inputs are
    /// placeholders; [`ends`](Self::ends) gives the names of inputs and results.
    ///
    /// # Errors
    /// `Internal` for a node that lacks an attribute of its op; `Unimplemented` for the results of
    /// an unknown op, if the file it came from did not give their order.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::add(x, x)).concrete(&TensorSpec::new([2], DType::F32))?;
    /// let def = f.graph().to_graph_def()?;
    /// let add = def.nodes.iter().find(|n| n.op == "AddV2").ok_or_else(|| Error::internal("no sum"))?;
    /// assert_eq!(add.attrs["T"], extype::ir::def::Value::Type(DType::F32));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn to_graph_def(&self) -> Result<GraphDef> {
        let functions = self.library();
        let names = FunctionNames::of(&functions);
        let nodes = Exporter::new(self, &names, Form::Graph).nodes()?;
        let graphs = functions.iter().filter_map(|f| Some((f, f.graph()?)));
        let library = graphs.map(|(f, graph)| function_def(graph, names.get(f), &names));
        let library = library.collect::<Result<_>>()?;
        let versions = self.graph.notes.as_ref().map_or(Versions::OWN, |n| n.versions.clone());
        Ok(GraphDef { nodes, library, versions })
    }

    /// The names that the inputs, results and always-run nodes have in
    /// [`to_graph_def`](Self::to_graph_def).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let f = function(move |x: &Tensor| v.assign_add(x).and_then(|()| ops::mul(x, 2.0)));
    /// let ends = f.concrete(&TensorSpec::of::<f32>([]))?.graph().ends();
    /// assert_eq!(ends.inputs, ["a", "capture"]);
    /// assert_eq!(ends.outputs, ["Mul"]);
    /// assert_eq!(ends.targets, ["AssignAddVariableOp"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn ends(&self) -> Ends {
        let names = node_names(self, &mut Names::default(), Form::Graph);
        let of = |n: &super::NodeId| names[n.index()].clone();
        Ends {
            inputs: self.inputs.iter().map(of).collect(),
            outputs: self.outputs.iter().map(|e| indexed(&names[e.node.index()], e)).collect(),
            targets: self.must_run.iter().map(of).collect(),
        }
    }

    /// The graph as a function, without the functions that it calls; for those see
    /// [`library`](Self::library).
    ///
    /// # Errors
    /// As [`to_graph_def`](Self::to_graph_def).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x)).concrete(&TensorSpec::of::<f32>([2]))?;
    /// let def = f.graph().to_function_def()?;
    /// assert_eq!(def.signature.inputs[0].name, "a");
    /// assert_eq!(def.nodes[0].op, "Neg");
    /// assert_eq!(def.ret["neg"], "Neg:y:0");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn to_function_def(&self) -> Result<FunctionDef> {
        let name = super::names::function(&self.name);
        function_def(self, &name, &FunctionNames::of(&self.library()))
    }
}

/// Functions as plain data under these names, one for each. They call each other by them.
#[cfg(feature = "formats")]
pub(crate) fn function_defs(
    functions: &[Arc<LibraryFunction>],
    names: &[String],
) -> Result<Vec<FunctionDef>> {
    let own = functions.iter().zip(names).map(|(f, name)| (f.identity(), name.clone()));
    let own = FunctionNames(own.collect());
    let graphs = functions.iter().zip(names).filter_map(|(f, name)| Some((f.graph()?, name)));
    graphs.map(|(graph, name)| function_def(graph, name, &own)).collect()
}

/// The unique names that functions have in a file.
struct FunctionNames(HashMap<usize, String>);

impl FunctionNames {
    fn of(functions: &[Arc<LibraryFunction>]) -> Self {
        let mut taken = Names::default();
        let named = |f: &Arc<LibraryFunction>| {
            (f.identity(), taken.unique(&super::names::function(f.name())))
        };
        Self(functions.iter().map(named).collect())
    }

    /// The name of a function in the file. A function without a graph keeps its own name.
    fn get<'a>(&'a self, f: &'a Arc<LibraryFunction>) -> &'a str {
        self.0.get(&f.identity()).map_or_else(|| f.name(), String::as_str)
    }
}

/// A name for each node: the printed name, made legal for files.
fn node_names(function: &FunctionGraph, taken: &mut Names, form: Form) -> Vec<String> {
    let shown = function.graph.names();
    let mut names = vec![String::new(); shown.len()];
    if form == Form::Function {
        for n in &function.inputs {
            let read = function.graph.node(*n).attrs.get(FILE_NAME);
            let name = read.unwrap_or_else(|_| argument(&shown[n.index()]));
            names[n.index()] = taken.unique(&name);
        }
    }
    let nodes = function.graph.nodes().iter().zip(&shown);
    for (name, (node, shown)) in names.iter_mut().zip(nodes).filter(|(name, _)| name.is_empty()) {
        *name = taken.unique(&node.attrs.get(FILE_NAME).unwrap_or_else(|_| legal(shown)));
    }
    names
}

fn indexed(name: &str, e: &Endpoint) -> String {
    if e.output == 0 { name.to_owned() } else { format!("{name}:{}", e.output) }
}

struct Exporter<'a> {
    function: &'a FunctionGraph,
    functions: &'a FunctionNames,
    form: Form,
    /// The printed names of nodes.
    shown: Vec<String>,
    /// The names of nodes in the file.
    names: Vec<String>,
    is_argument: Vec<bool>,
    /// The output arguments of nodes and their ranges of results, filled on demand.
    results: HashMap<usize, Shares>,
}

impl<'a> Exporter<'a> {
    fn new(function: &'a FunctionGraph, functions: &'a FunctionNames, form: Form) -> Self {
        let mut is_argument = vec![false; function.graph.nodes().len()];
        if form == Form::Function {
            function.inputs.iter().for_each(|n| is_argument[n.index()] = true);
        }
        Self {
            function,
            functions,
            form,
            shown: function.graph.names(),
            names: node_names(function, &mut Names::default(), form),
            is_argument,
            results: HashMap::new(),
        }
    }

    fn nodes(&mut self) -> Result<Vec<NodeDef>> {
        let all = 0..self.function.graph.nodes().len();
        let nodes = all.filter(|i| !self.is_argument[*i]).collect::<Vec<_>>();
        nodes.into_iter().map(|i| self.node(i)).collect()
    }

    fn node(&mut self, i: usize) -> Result<NodeDef> {
        let node = &self.function.graph.nodes()[i];
        let mut inputs = Vec::with_capacity(node.inputs.len() + node.control_inputs.len());
        for e in &node.inputs {
            inputs.push(self.reference(e)?);
        }
        inputs.extend(node.control_inputs.iter().map(|n| format!("^{}", self.names[n.index()])));
        let name = &self.names[i];
        let mut attrs = self.attrs(node).map_err(|e| e.prefixed(format!("node `{name}`")))?;
        if node.op == &PLACEHOLDER && *name != self.shown[i] {
            let shown = Value::Str(self.shown[i].clone().into_bytes());
            attrs.insert(USER_NAME.name().to_owned(), shown);
        }
        Ok(NodeDef {
            name: name.clone(),
            op: node.op_name().to_owned(),
            inputs,
            device: node.device.as_deref().unwrap_or_default().to_owned(),
            attrs,
        })
    }

    /// The text that refers to an endpoint as an input.
    fn reference(&mut self, e: &Endpoint) -> Result<String> {
        let i = e.node.index();
        let (name, node) = (&self.names[i], self.function.graph.node(e.node));
        if self.is_argument[i] {
            return Ok(name.clone());
        }
        match (self.form, node.is_unknown()) {
            (Form::Graph, false) => Ok(indexed(name, e)),
            (form, true) => unknown_reference(form, name, node, e),
            (Form::Function, false) => {
                let shares = match self.results.get(&i) {
                    Some(shares) => shares,
                    None => {
                        let told = self.function.graph.told(node, |_| None)?;
                        self.results.entry(i).or_insert(node.result_shares(&told)?)
                    }
                };
                let output = e.output as usize;
                let share = shares.iter().find(|(_, range)| range.contains(&output));
                let (arg, range) = share.ok_or_else(|| no_result(name, output))?;
                Ok(format!("{name}:{}:{}", arg.name, output - range.start))
            }
        }
    }

    /// Every attribute of a node.
    fn attrs(&self, node: &Node) -> Result<AttrMap> {
        let mut attrs = self.plain(node)?;
        if node.is_unknown() {
            return Ok(attrs);
        }
        for (name, value) in self.function.graph.told(node, |_| None)? {
            if !attrs.contains_key(name) {
                attrs.insert(name.to_owned(), self.value(&value)?);
            }
        }
        for attr in node.op.attrs.iter().filter(|a| !a.name.starts_with('_')) {
            if attrs.contains_key(attr.name) {
                continue;
            }
            match attr.default {
                Some(default) => attrs.insert(attr.name.to_owned(), self.value(&default())?),
                // An empty list determines no dtype.
                None if is_told(node.op, attr.name) => continue,
                None => bail!(Internal, "attribute `{}` of {} is missing", attr.name, node.op.name),
            };
        }
        Ok(attrs)
    }

    /// The attributes that the node itself has.
    fn plain(&self, node: &Node) -> Result<AttrMap> {
        let own = node.attrs.iter().filter(|(name, _)| !name.starts_with('?'));
        own.map(|(name, value)| Ok((name.to_owned(), self.value(value)?))).collect()
    }

    fn value(&self, value: &AttrValue) -> Result<Value> {
        Ok(match value {
            AttrValue::Bool(x) => Value::Bool(*x),
            AttrValue::Int(x) => Value::Int(*x),
            AttrValue::Float(x) => Value::Float(*x),
            AttrValue::Str(x) => Value::Str(x.to_vec()),
            AttrValue::Type(x) => Value::Type(*x),
            AttrValue::Shape(x) => Value::Shape((**x).clone()),
            AttrValue::Tensor(x) => Value::Tensor(x.clone()),
            AttrValue::Function(f) if f.graph().is_none() && f.reference().is_none() => bail!(
                Unimplemented,
                "the function `{}` has no graph that could be written",
                f.name()
            ),
            AttrValue::Function(f) => Value::Function(FunctionName {
                name: self.functions.get(f).to_owned(),
                attrs: f.reference().map_or_else(AttrMap::new, |r| r.attrs.clone()),
            }),
            AttrValue::List(items) => {
                Value::List(items.iter().map(|item| self.value(item)).collect::<Result<_>>()?)
            }
        })
    }
}

fn no_result(name: &str, output: usize) -> crate::types::Error {
    err!(Internal, "node `{name}` has no result {output}")
}

/// The text that refers to a result of an unknown op, as in the file it was read from.
fn unknown_reference(form: Form, name: &str, node: &Node, e: &Endpoint) -> Result<String> {
    let output = e.output as usize;
    let names = node.attrs.get(RESULTS).unwrap_or_default();
    let of = names.get(output).ok_or_else(|| no_result(name, output));
    match form {
        Form::Function if names.is_empty() => bail!(
            Unimplemented,
            "node `{name}` is a `{}`, which is not known: its results have no names for a function",
            node.op_name()
        ),
        Form::Function => {
            let of = of?;
            let first = names.iter().position(|n| n == of).unwrap_or(output);
            Ok(format!("{name}:{of}:{}", output - first))
        }
        Form::Graph if names.iter().all(|n| Some(n) == names.first()) => Ok(indexed(name, e)),
        Form::Graph => bail!(
            Unimplemented,
            "node `{name}` is a `{}`, which is not known: the order of its results is not told",
            node.op_name()
        ),
    }
}

fn function_def(
    function: &FunctionGraph,
    name: &str,
    names: &FunctionNames,
) -> Result<FunctionDef> {
    let mut exporter = Exporter::new(function, names, Form::Function);
    let of = |e: crate::types::Error| e.prefixed(format!("function `{name}`"));
    let nodes = exporter.nodes().map_err(of)?;
    let notes = function.graph.notes.as_deref();
    let mut arg_attrs = BTreeMap::new();
    let mut inputs = Vec::new();
    for (i, n) in function.inputs.iter().enumerate() {
        let (node, name) = (function.graph.node(*n), &exporter.names[n.index()]);
        let attrs = exporter.argument_attrs(node, name, &exporter.shown[n.index()], notes)?;
        if !attrs.is_empty() {
            arg_attrs.insert(i as u32, attrs);
        }
        inputs.push(ArgumentDef {
            name: name.clone(),
            dtype: node.outputs[0].dtype,
            handle_data: handle_data(node),
        });
    }
    let mut ret = BTreeMap::new();
    let mut outputs = Vec::new();
    let result_names = exporter.result_names(notes);
    for (e, name) in function.outputs.iter().zip(result_names) {
        let dtype = function.graph.output_type(*e).dtype;
        let handle_data = handle_data(function.graph.node(e.node));
        outputs.push(ArgumentDef { name: name.clone(), dtype, handle_data });
        ret.insert(name, exporter.reference(e).map_err(of)?);
    }
    let mut control_outputs = Vec::new();
    let mut control_ret = BTreeMap::new();
    for n in &function.must_run {
        let (node, name) = (function.graph.node(*n), &exporter.names[n.index()]);
        let listed = node.attrs.get(CONTROL).unwrap_or_else(|_| name.clone());
        if listed.is_empty() {
            continue;
        }
        control_outputs.push(listed.clone());
        control_ret.insert(listed, name.clone());
    }
    control_outputs.sort_unstable();
    let told = notes.and_then(|n| n.is_stateful);
    let signature = Signature {
        name: name.to_owned(),
        inputs,
        outputs,
        control_outputs,
        is_stateful: told.unwrap_or_else(|| function.graph.nodes().iter().any(is_stateful)),
    };
    let attrs = notes.map(|n| n.attrs.clone()).unwrap_or_default();
    Ok(FunctionDef { signature, arg_attrs, nodes, ret, control_ret, attrs })
}

/// True if TensorFlow calls the op of the node stateful.
fn is_stateful(node: &Node) -> bool {
    node.op.effect != Effect::Pure
        || node.effect() != Effect::Pure
        || node.callees().any(|f| f.is_stateful())
}

/// The types that a resource argument holds.
fn handle_data(node: &Node) -> Vec<(DType, Shape)> {
    let dtypes = node.attrs.get(HANDLE_TYPES).unwrap_or_default();
    dtypes.into_iter().zip(node.attrs.get(HANDLE_SHAPES).unwrap_or_default()).collect()
}

impl Exporter<'_> {
    /// The attributes of an argument: the user's name for it, if it differs from the name in the
    /// file, and its shape.
    fn argument_attrs(
        &self,
        node: &Node,
        name: &str,
        shown: &str,
        notes: Option<&Notes>,
    ) -> Result<AttrMap> {
        let own = self.plain(node)?;
        let mut attrs: AttrMap = own.into_iter().filter(|(n, _)| n.starts_with('_')).collect();
        if name != shown {
            attrs.insert(USER_NAME.name().to_owned(), Value::Str(shown.as_bytes().to_vec()));
        }
        let TensorType { dtype, shape } = &node.outputs[0];
        let is_read = notes.is_some_and(|n| n.attrs.contains_key(super::import::INPUT_SHAPES));
        if !is_read && *dtype != DType::Resource && shape.rank().is_some() {
            let shapes = self.value(&vec![shape.clone()].to_attr())?;
            attrs.insert(OUTPUT_SHAPES.name().to_owned(), shapes);
        }
        Ok(attrs)
    }

    /// The names of the function's results: those of the file that it came from, otherwise made
    /// from the names of the nodes.
    fn result_names(&self, notes: Option<&Notes>) -> Vec<String> {
        let outputs = &self.function.outputs;
        if let Some(notes) = notes.filter(|n| n.outputs.len() == outputs.len()) {
            return notes.outputs.clone();
        }
        let mut taken = Names::default();
        for n in &self.function.inputs {
            taken.claim(&self.names[n.index()]);
        }
        let name = |e: &Endpoint| taken.unique(&argument(&self.names[e.node.index()]));
        outputs.iter().map(name).collect()
    }
}

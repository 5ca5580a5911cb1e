//! The functions of a model that is saved, as TensorFlow has them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::function::ConcreteFunction;
use crate::ir::def::{FunctionDef, NodeDef, Value};
use crate::ir::{LibraryFunction, Node, function_defs, legal_function_name, unique_names};
use crate::spec::AnySpec;
use crate::tensor::Variable;
use crate::types::{DTypeSet, Result, bail, err};

/// An op whose results are those of its first inputs; its gradient is not exported.
const GRADIENT: &str = "Extype>CustomGradient";
/// The attribute that tells how many.
const RESULTS: &str = "results";
/// A call of a function that runs again for its gradient.
const RECOMPUTE: &str = "Extype>Recompute";
/// The attribute of calls with the function.
const CALLED: &str = "f";
/// Ops of this library that have plain names, and that TensorFlow does not have.
const OWN: [&str; 3] =
    ["LookupTableContains", "ResourceStridedSliceAdd", "ResourceStridedSliceSub"];
/// The attribute of functions that TensorFlow reads the shapes of arguments from.
pub(super) const INPUT_SHAPES: &str = "_input_shapes";

/// Functions with all that they call.
pub(super) struct Functions {
    pub(super) defs: Vec<FunctionDef>,
    names: HashMap<usize, String>,
}

impl Functions {
    pub(super) fn of<'a>(traces: impl Iterator<Item = &'a ConcreteFunction>) -> Result<Self> {
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        let mut captured = HashMap::new();
        for trace in traces {
            if seen.insert(trace.function().identity()) {
                captured.insert(found.len(), trace);
                found.push(trace.function().clone());
            }
        }
        let (mut refused, mut next) = (Vec::new(), 0);
        while let Some(f) = found.get(next).cloned() {
            next += 1;
            let Some(graph) = f.graph() else { continue };
            let needed = graph.needed();
            for (node, _) in graph.graph.nodes().iter().zip(needed).filter(|(_, needed)| *needed) {
                if let Some(why) = refusal(node) {
                    let at = node.location.map_or_else(String::new, |at| format!(", {at}"));
                    refused.push(format!("{why} in `{}`{at}", f.title()));
                } else if node.op_name() != GRADIENT {
                    found.extend(node.callees().filter(|f| seen.insert(f.identity())).cloned());
                }
            }
        }
        if !refused.is_empty() {
            bail!(
                Unimplemented,
                "TensorFlow can't run all of the model:\n  {}",
                refused.join("\n  ")
            );
        }
        let name = |(i, f): (usize, &Arc<LibraryFunction>)| {
            legal_function_name(&format!("__inference_{}_{i}", f.title()))
        };
        let names: Vec<String> = found.iter().enumerate().map(name).collect();
        let mut defs = function_defs(&found, &names)?;
        let stateful: HashSet<String> = defs
            .iter()
            .filter(|f| f.signature.is_stateful)
            .map(|f| f.signature.name.clone())
            .collect();
        for (i, (def, f)) in defs.iter_mut().zip(&found).enumerate() {
            def.nodes.iter_mut().for_each(|node| plain(node, &stateful));
            drop_unused(def);
            let shapes = f.input_types().iter().map(|ty| Value::Shape(ty.shape.clone())).collect();
            def.attrs.entry(INPUT_SHAPES.to_owned()).or_insert(Value::List(shapes));
            if let Some(trace) = captured.get(&i) {
                let first = trace.graph().num_arguments;
                for (input, capture) in
                    def.signature.inputs[first..].iter_mut().zip(trace.captured_inputs()?)
                {
                    if let Some(v) = Variable::of(&capture) {
                        input.handle_data = vec![(v.dtype(), v.shape().clone())];
                    }
                }
            }
        }
        let names = found.iter().zip(names).map(|(f, name)| (f.identity(), name)).collect();
        Ok(Self { defs, names })
    }

    /// The function of a trace.
    pub(super) fn of_trace(&self, trace: &ConcreteFunction) -> Result<&FunctionDef> {
        let name = self.names.get(&trace.function().identity());
        let found = self.defs.iter().find(|def| Some(&def.signature.name) == name);
        found.ok_or_else(|| err!(Internal, "a trace without a function"))
    }
}

/// What an op is called if TensorFlow does not have it, with the reason.
fn refusal(node: &Node) -> Option<String> {
    let op = node.op_name();
    if let Some(missing) =
        node.callees().find(|f| f.graph().is_none()).filter(|_| op != "Host>Function")
    {
        return Some(format!("`{op}` calls `{}`, which has no graph", missing.name()));
    }
    let why = match op {
        GRADIENT | RECOMPUTE => return None,
        "Host>Function" => "is Rust code",
        // Its result has another name, by which it is read.
        "RandomGammaGrad" => "is written in another way there",
        "Extype>WhileSaving" => {
            "is a loop whose gradient is taken; save a function that only computes the result"
        }
        _ if op.contains('>') || OWN.contains(&op) => "is an op of this library alone",
        _ if !node.op.is_own() && !node.is_unknown() => "is an op of this program",
        _ => return None,
    };
    Some(format!("`{op}` {why},"))
}

/// Makes an op that only differs from one of TensorFlow in its gradient that one.
fn plain(node: &mut NodeDef, stateful: &HashSet<String>) {
    match node.op.as_str() {
        GRADIENT => {
            let results = match node.attrs.get(RESULTS) {
                Some(Value::Int(n)) => usize::try_from(*n).unwrap_or(0),
                _ => 0,
            };
            let mut at = 0..;
            node.inputs
                .retain(|input| at.next().is_some_and(|i| i < results) || input.starts_with('^'));
            let types = node.attrs.remove("Tout").unwrap_or(Value::List(Vec::new()));
            node.attrs = BTreeMap::from([("T".to_owned(), types)]);
            node.op = "IdentityN".to_owned();
        }
        RECOMPUTE => {
            let called = match node.attrs.get(CALLED) {
                Some(Value::Function(f)) => stateful.contains(&f.name),
                _ => false,
            };
            let op = if called { "StatefulPartitionedCall" } else { "PartitionedCall" };
            node.op = op.to_owned();
        }
        // TensorFlow pads this one only as `padding` says.
        "MaxPoolGradGrad" => {
            node.attrs.remove("explicit_paddings");
        }
        _ => {}
    }
}

/// Drops the nodes that no result needs.
fn drop_unused(def: &mut FunctionDef) {
    let at: HashMap<&str, usize> =
        def.nodes.iter().enumerate().map(|(i, node)| (node.name.as_str(), i)).collect();
    let node_of = |input: &str| {
        let input = input.strip_prefix('^').unwrap_or(input);
        at.get(input.split(':').next().unwrap_or(input)).copied()
    };
    let mut open: Vec<usize> = def
        .ret
        .values()
        .chain(def.control_ret.values())
        .filter_map(|input| node_of(input))
        .collect();
    let mut needed = vec![false; def.nodes.len()];
    while let Some(i) = open.pop() {
        if !std::mem::replace(&mut needed[i], true) {
            open.extend(def.nodes[i].inputs.iter().filter_map(|input| node_of(input)));
        }
    }
    let mut needed = needed.into_iter();
    def.nodes.retain(|_| needed.next().unwrap_or(true));
}

/// A trace as servers call it.
pub(super) struct Interface {
    /// The inputs by name: which of the flat arguments each is.
    pub(super) inputs: BTreeMap<String, usize>,
    /// The results by name: which of the flat results each is.
    pub(super) outputs: BTreeMap<String, usize>,
}

impl Interface {
    pub(super) fn of(trace: &ConcreteFunction) -> Result<Self> {
        let graph = trace.graph();
        let mut types = graph.input_types().take(graph.num_arguments);
        if types.any(|ty| !DTypeSet::DATA.contains(ty.dtype)) {
            bail!("an argument is a variable or other state, which no signature takes");
        }
        let names = keywords(trace);
        let spec = trace.output_spec();
        let parts: Vec<(String, AnySpec)> = match spec {
            AnySpec::Tensor(_) => vec![("output_0".to_owned(), spec.clone())],
            AnySpec::Tuple(items) | AnySpec::List(items) => {
                let named = |(i, item): (usize, &AnySpec)| (format!("output_{i}"), item.clone());
                items.iter().enumerate().map(named).collect()
            }
            AnySpec::Map(items) => {
                items.iter().map(|(name, item)| (name.clone(), item.clone())).collect()
            }
            AnySpec::Composite(_) => spec
                .named_components()
                .into_iter()
                .map(|(name, part)| (name.trim_start_matches('.').to_owned(), part))
                .collect(),
            _ if spec.leaves().is_empty() => Vec::new(),
            other => vec![("the result".to_owned(), other.clone())],
        };
        if let Some((name, part)) =
            parts.iter().find(|(_, part)| !matches!(part, AnySpec::Tensor(_)))
        {
            bail!(
                "`{name}` is {part}, and signatures return tensors by name: return a tuple, a map or a struct of tensors"
            );
        }
        Ok(Self {
            inputs: names.into_iter().enumerate().map(|(i, name)| (name, i)).collect(),
            outputs: parts.into_iter().enumerate().map(|(i, (name, _))| (name, i)).collect(),
        })
    }
}

/// The names of the flat arguments as Python has them.
pub(super) fn keywords(trace: &ConcreteFunction) -> Vec<String> {
    let names: Vec<String> = trace.argument_names().iter().map(|name| python_name(name)).collect();
    unique_names(names.iter().map(String::as_str))
}

/// A name that a parameter can have in Python.
pub(super) fn python_name(name: &str) -> String {
    const RESERVED: &str = "False None True and as assert async await break class continue def del elif else except finally for \
        from global if import in is lambda nonlocal not or pass raise return self try while with yield";
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut legal: String = name.chars().map(plain).collect();
    legal.truncate(legal.trim_end_matches('_').len());
    if legal.is_empty() || legal.starts_with(|c: char| c.is_ascii_digit()) {
        legal.insert_str(0, "arg_");
    }
    if RESERVED.split_ascii_whitespace().any(|word| word == legal) {
        legal.push('_');
    }
    legal
}

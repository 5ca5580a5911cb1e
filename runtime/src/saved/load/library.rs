//! The functions of a model, made callable.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use extype_formats::proto::{self, attr_value};

use super::compounds::{expanded, is_expandable};
use super::lower::lower;
use crate::ir::def::FunctionDef;
use crate::ir::{LibraryFunction, find_op, import_library};
use crate::saved::graphs::function;
use crate::saved::tensors::Room;
use crate::types::{ErrorKind, Result, bail};

/// The functions of a library that `roots` need, by their names. A root is a name and how many of the last inputs are
/// captures. Functions are read only if they are needed: others, such as those that save, may have ops that are not here.
pub(super) fn import(
    library: Vec<proto::FunctionDef>,
    roots: &BTreeMap<String, usize>,
    unknown_ops: bool,
    room: &Room,
) -> Result<BTreeMap<String, Arc<LibraryFunction>>> {
    let mut messages: BTreeMap<String, proto::FunctionDef> = BTreeMap::new();
    for message in library {
        let name = message.signature.as_ref().map(|s| s.name.clone()).unwrap_or_default();
        if messages.insert(name.clone(), message).is_some() {
            bail!("two functions are named `{name}`");
        }
    }
    let mut open: Vec<String> = roots.keys().cloned().collect();
    let mut needed = Vec::new();
    while let Some(name) = open.pop() {
        // What is missing is called by nobody, or fails when it is called.
        let Some(message) = messages.remove(&name) else { continue };
        let attrs = message.node_def.iter().flat_map(|node| node.attr.values());
        attrs.for_each(|attr| callees(attr, &mut open));
        let mut f = function(message, room)?;
        lower(&mut f)?;
        needed.push(f);
    }
    if !unknown_ops {
        check_ops(&needed)?;
    }
    import_library(&needed, &|_| None, &mut |mut graph| {
        if let Some(captures) = roots.get(&graph.name) {
            let Some(arguments) = graph.inputs.len().checked_sub(*captures) else {
                bail!("function `{}` has {captures} captures among fewer inputs", graph.name);
            };
            graph.num_arguments = arguments;
        }
        Ok(expanded(graph)?.into_named_function())
    })
}

/// The names of the functions in an attribute.
fn callees(attr: &proto::AttrValue, names: &mut Vec<String>) {
    let mut add = |f: &proto::NameAttrList| names.push(f.name.clone());
    match &attr.value {
        Some(attr_value::Value::Func(f)) => add(f),
        Some(attr_value::Value::List(list)) => list.func.iter().for_each(add),
        _ => {}
    }
}

/// Refuses ops that are not here, all of them at once.
fn check_ops(functions: &[FunctionDef]) -> Result<()> {
    let mut missing: BTreeMap<&str, (usize, &str, &str)> = BTreeMap::new();
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for f in functions {
        for node in &f.nodes {
            if known.contains(node.op.as_str()) {
                continue;
            }
            match find_op(&node.op) {
                Err(e) if e.kind() != ErrorKind::NotFound => return Err(e),
                Ok(op) if !op.is_compound() || is_expandable(op) => {
                    known.insert(&node.op);
                }
                _ => {
                    let first = (0, node.name.as_str(), f.signature.name.as_str());
                    missing.entry(&node.op).or_insert(first).0 += 1;
                }
            }
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let shown = missing.iter().map(|(op, (count, node, function))| match count {
        1 => format!("`{op}` (node `{node}` of function `{function}`)"),
        _ => format!("`{op}` ({count} nodes, such as `{node}` of function `{function}`)"),
    });
    bail!(
        Unimplemented,
        "the model has ops that this library does not have: {}. Functions without them can be called if the model is \
         loaded with `LoadOptions {{ unknown_ops: true, .. }}`",
        shown.collect::<Vec<_>>().join(", ")
    )
}

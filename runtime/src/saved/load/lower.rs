//! Ops of TensorFlow that are other ops here, rewritten before their graphs are read.

use std::collections::BTreeMap;

use crate::array::Array;
use crate::ir::def::{FunctionDef, NodeDef, Value};
use crate::types::{DType, Result, bail};

/// Rewrites the nodes of a function that are other ops here, and tells reads of variables what shape the variables have.
pub(super) fn lower(f: &mut FunctionDef) -> Result<()> {
    let held: BTreeMap<String, Value> = f
        .signature
        .inputs
        .iter()
        .filter_map(|i| match &i.handle_data[..] {
            [(_, shape)] => Some((i.name.clone(), Value::Shape(shape.clone()))),
            _ => None,
        })
        .collect();
    let (mut more, mut renamed) = (Vec::new(), Vec::new());
    for node in &mut f.nodes {
        match node.op.as_str() {
            "PlaceholderWithDefault" => {
                node.op = "Identity".to_owned();
                node.attrs.remove("shape");
                rename(node, "dtype", "T");
            }
            // Of strings; the result has another name there.
            "Add" if attr(node, "T") == Some(&Value::Type(DType::String)) => {
                node.op = "StringJoin".to_owned();
                node.attrs = [("N".to_owned(), Value::Int(2))].into();
                renamed.push((format!("{}:z:0", node.name), format!("{}:output:0", node.name)));
            }
            "Add" => node.op = "AddV2".to_owned(),
            "ResourceGather" => more.extend(gather(node, "GatherV2")?),
            "ResourceGatherNd" => more.extend(gather(node, "GatherNd")?),
            _ => {}
        }
    }
    f.nodes.append(&mut more);
    for (old, new) in renamed {
        let inputs = f.nodes.iter_mut().flat_map(|node| &mut node.inputs);
        inputs
            .chain(f.ret.values_mut())
            .filter(|text| **text == old)
            .for_each(|text| *text = new.clone());
    }
    for node in f.nodes.iter_mut().filter(|n| n.op == "ReadVariableOp") {
        if let Some(shape) = node.inputs.first().and_then(|input| held.get(input)) {
            node.attrs.insert("_shape".to_owned(), shape.clone());
        }
    }
    Ok(())
}

/// An attribute of an op that has no row.
fn attr<'a>(node: &'a NodeDef, name: &str) -> Option<&'a Value> {
    node.attrs.get(name)
}

fn rename(node: &mut NodeDef, from: &str, to: &str) {
    if let Some(value) = node.attrs.remove(from) {
        node.attrs.insert(to.to_owned(), value);
    }
}

/// Makes a gather from a variable a read of it, which is among the nodes that come back, and a gather from its value.
fn gather(node: &mut NodeDef, op: &str) -> Result<Vec<NodeDef>> {
    let (data, control) = match node.inputs.iter().position(|i| i.starts_with('^')) {
        Some(at) => node.inputs.split_at(at),
        None => (&node.inputs[..], &[][..]),
    };
    let [variable, indices] = data else {
        bail!("node `{}`: a gather has a variable and indices", node.name)
    };
    let Some(dtype) = attr(node, "dtype").cloned() else {
        bail!("node `{}`: attribute `dtype` is missing", node.name)
    };
    // No name of TensorFlow ends so.
    let named = |what: &str| format!("{}/{what}.lowered", node.name);
    let read = NodeDef {
        name: named("read"),
        op: "ReadVariableOp".to_owned(),
        inputs: std::iter::once(variable).chain(control).cloned().collect(),
        device: node.device.clone(),
        attrs: [("dtype".to_owned(), dtype)].into(),
    };
    let mut made = vec![];
    let mut inputs = vec![format!("{}:value:0", read.name), indices.clone()];
    if op == "GatherV2" {
        let axis = match attr(node, "batch_dims") {
            Some(Value::Int(n)) => *n as i32,
            _ => 0,
        };
        let attrs =
            [("dtype", Value::Type(DType::I32)), ("value", Value::Tensor(Array::scalar(axis)))];
        let axis = NodeDef {
            name: named("axis"),
            op: "Const".to_owned(),
            attrs: attrs.map(|(name, value)| (name.to_owned(), value)).into(),
            ..NodeDef::default()
        };
        inputs.push(format!("{}:output:0", axis.name));
        node.attrs.insert("Taxis".to_owned(), Value::Type(DType::I32));
        made.push(axis);
    }
    made.push(read);
    node.op = op.to_owned();
    node.inputs = inputs;
    node.attrs.remove("validate_indices");
    rename(node, "dtype", "Tparams");
    Ok(made)
}

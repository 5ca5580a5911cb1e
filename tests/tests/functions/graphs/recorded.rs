//! Every recorded call of an op, traced, written and read again.

use std::path::Path;

use extype::ir::FunctionGraph;
use extype::ir::def::{NodeDef, Value};
use extype::prelude::*;
use extype_tests::conformance::{Case, ops::computation};

use super::comes_back;

/// Why a written graph is not what it should be.
type Wrong = String;

#[test]
fn graphs_of_recorded_calls_are_the_same_after_writing_and_reading() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/conformance");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("the sample").flatten().map(|e| e.path()).collect();
    files.sort();
    let (mut checked, mut wrong) = (0, Vec::new());
    for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "jsonl")) {
        for line in std::fs::read_to_string(file).expect("text").lines() {
            let Ok(case) = Case::parse(line) else { continue };
            let Some(op) = case.text("op").filter(|_| !case.is_refused()) else { continue };
            let Ok((call, inputs)) = computation(&case, op) else { continue };
            let traced = function(move |x: &Vec<Tensor>| call(x));
            let Ok(concrete) = traced.concrete(&inputs.type_spec()) else { continue };
            checked += 1;
            if let Err(why) = check(concrete.graph(), op, &case) {
                wrong.push(format!("{}: {why}", case.text("id").unwrap_or(op)));
            }
        }
    }
    assert!(checked > 500, "only {checked} calls were traced");
    assert!(wrong.is_empty(), "{} of {checked}:\n{}", wrong.len(), wrong.join("\n"));
}

fn check(graph: &FunctionGraph, op: &str, case: &Case) -> Result<(), Wrong> {
    comes_back(graph)?;
    let def = graph.to_function_def().map_err(|e| e.to_string())?;
    match def.nodes.iter().find(|n| n.op == op) {
        Some(node) => has_recorded_attributes(node, case),
        None => Err("the node is missing".to_owned()),
    }
}

/// The node has what TensorFlow's node has, where this library's op has the attribute.
fn has_recorded_attributes(node: &NodeDef, case: &Case) -> Result<(), Wrong> {
    let op = extype::ir::find_op(&node.op).map_err(|e| e.to_string())?;
    let Some(recorded) = case.json["attrs"].as_object() else { return Ok(()) };
    for (name, json) in recorded {
        let is_type = json.get("type").is_some();
        let Some(value) = node.attrs.get(name) else {
            // Attributes that only TensorFlow has are not of a dtype.
            match is_type || op.attrs.iter().any(|a| a.name == name) {
                true => return Err(format!("attribute {name} = {json} is missing")),
                false => continue,
            }
        };
        let same = match value {
            Value::Bool(x) => json.as_bool() == Some(*x),
            Value::Int(x) => json.as_i64() == Some(*x),
            Value::Type(x) => json["type"].as_str() == Some(x.name()),
            _ => true,
        };
        if !same {
            return Err(format!("attribute {name} is {value:?}, recorded {json}"));
        }
    }
    Ok(())
}

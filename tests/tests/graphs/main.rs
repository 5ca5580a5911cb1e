//! Graphs as plain data: what is written is what TensorFlow reads, and it is read again.

mod models;
mod names;
mod reading;
mod recorded;
mod unknown;
mod writing;

use std::sync::Arc;

use extype::graph::FunctionGraph;
use extype::graph::def::{AttrMap, GraphDef, NodeDef, Value};
use extype::op::Callable;
use extype::prelude::*;

/// The text of an error, which is wanted.
fn refused<T>(result: Result<T>) -> String {
    match result {
        Ok(_) => panic!("not refused"),
        Err(e) => e.to_string(),
    }
}

/// Functions by name: none.
fn none(_: &str) -> Option<Arc<dyn Callable>> {
    None
}

/// The functions that a graph calls, by name.
fn called(graph: &FunctionGraph) -> impl Fn(&str) -> Option<Arc<dyn Callable>> {
    let functions = graph.library();
    move |name| functions.iter().find(|f| f.name() == name).cloned()
}

/// A node.
fn node(name: &str, op: &str, inputs: &[&str], attrs: &[(&str, Value)]) -> NodeDef {
    NodeDef {
        name: name.to_owned(),
        op: op.to_owned(),
        inputs: inputs.iter().map(|i| (*i).to_owned()).collect(),
        device: String::new(),
        attrs: attrs.iter().map(|(n, v)| ((*n).to_owned(), v.clone())).collect(),
    }
}

/// A placeholder for three numbers.
fn placeholder(name: &str) -> NodeDef {
    let attrs = [("dtype", Value::Type(DType::F32)), ("shape", Value::Shape(Shape::from([3])))];
    node(name, "Placeholder", &[], &attrs)
}

/// A graph of these nodes.
fn graph(nodes: Vec<NodeDef>) -> GraphDef {
    GraphDef { nodes, ..GraphDef::default() }
}

/// The attributes of the node of this op.
fn attrs_of<'a>(nodes: &'a [NodeDef], op: &str) -> &'a AttrMap {
    &nodes.iter().find(|n| n.op == op).expect("a node of the op").attrs
}

const T: (&str, Value) = ("T", Value::Type(DType::F32));

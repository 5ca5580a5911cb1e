//! Graphs as plain data: what is written is what TensorFlow reads, and it is read again.

mod derived;
mod models;
mod names;
mod pictures;
mod reading;
mod recorded;
mod scopes;
mod unknown;
mod writing;

use std::sync::Arc;

use extype::ir::def::{AttrMap, GraphDef, NodeDef, Value};
use extype::ir::{FunctionGraph, LibraryFunction};
use extype::prelude::*;

/// The text of an error, which is wanted.
fn refused<T>(result: Result<T>) -> String {
    match result {
        Ok(_) => panic!("not refused"),
        Err(e) => e.to_string(),
    }
}

/// Functions by name: none.
fn none(_: &str) -> Option<Arc<LibraryFunction>> {
    None
}

/// The functions that a graph calls, by the names that they have in its file.
fn called(graph: &FunctionGraph) -> impl Fn(&str) -> Option<Arc<LibraryFunction>> {
    let functions = graph.library();
    let library = graph.to_graph_def().expect("a graph that is written").library;
    let names: Vec<String> = library.into_iter().map(|f| f.signature.name).collect();
    move |name| functions.get(names.iter().position(|n| n == name)?).cloned()
}

/// Graph and function are the same when they are written and read.
fn comes_back(graph: &FunctionGraph) -> std::result::Result<(), String> {
    let told = |e: Error| e.to_string();
    let def = graph.to_graph_def().map_err(told)?;
    let mut again =
        FunctionGraph::from_graph_def(&def, &graph.ends(), &called(graph)).map_err(told)?;
    again.name.clone_from(&graph.name);
    again.num_arguments = graph.num_arguments;
    same(&graph.to_text(), &again.to_text())?;
    same(&def, &again.to_graph_def().map_err(told)?)?;

    let def = graph.to_function_def().map_err(told)?;
    let mut again = FunctionGraph::from_function_def(&def, &called(graph)).map_err(told)?;
    same(&def, &again.to_function_def().map_err(told)?)?;
    again.num_arguments = graph.num_arguments;
    // A name with spaces is written with `_`.
    again.name.clone_from(&graph.name);
    same(&graph.to_text(), &again.to_text())
}

fn same<X: PartialEq + std::fmt::Debug>(before: &X, after: &X) -> std::result::Result<(), String> {
    match before == after {
        true => Ok(()),
        false => Err(format!("before\n{before:?}\nafter\n{after:?}")),
    }
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

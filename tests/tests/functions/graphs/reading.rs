//! Reading: nodes in any order, what the inputs tell is checked, errors name the node.

use std::sync::Arc;

use extype::function::call;
use extype::ir::def::{
    ArgumentDef, Ends, FunctionDef, FunctionName, GraphDef, NodeDef, Signature, Value, Versions,
};
use extype::ir::{FunctionGraph, LibraryFunction, import_library};
use extype::prelude::*;

use super::{T, graph, node, none, placeholder, refused};

fn read(nodes: Vec<NodeDef>, output: &str) -> Result<FunctionGraph> {
    let ends = Ends { outputs: vec![output.to_owned()], ..Ends::default() };
    FunctionGraph::from_graph_def(&graph(nodes), &ends, &none)
}

fn why(nodes: Vec<NodeDef>, output: &str) -> String {
    refused(read(nodes, output))
}

#[test]
fn nodes_come_in_any_order() -> Result<()> {
    let f = read(
        vec![
            node("z", "Neg", &["y:0", "^w"], &[T]),
            node("w", "Abs", &["y"], &[T]),
            node("y", "AddV2", &["x", "x"], &[T]),
            placeholder("x"),
        ],
        "z:0",
    )?;
    assert_eq!(f.graph.names(), ["x", "y", "w", "z"]);
    assert_eq!(f.output_types()[0].to_string(), "float32[3]");
    Ok(())
}

#[test]
fn references_that_name_nothing_are_errors_with_the_node() {
    let y = |input: &str| vec![placeholder("x"), node("y", "Neg", &[input], &[T])];
    assert_eq!(why(y("q"), "y"), "node `y`: the input `q` names no node");
    assert_eq!(why(y("x:1"), "y"), "node `y`: the input `x:1` names no result of `x`");
    assert_eq!(
        why(y("x:output:0"), "y"),
        "node `y`: the input `x:output:0` names no result of `x`"
    );
    for far in [1u64 << 32, u64::MAX] {
        let input = format!("x:{far}");
        let said = format!("node `y`: the input `{input}` names no result of `x`");
        assert_eq!(why(y(&input), "y"), said);
        assert!(why(vec![placeholder("x")], &input).contains("names no result of `x`"));
    }
    assert_eq!(why(y("x"), "q"), "results: no node is named `q`");
    assert_eq!(why(y("y"), "y"), "node `y`: it depends on its own results");
    let twice = vec![placeholder("x"), placeholder("x")];
    assert_eq!(why(twice, "x"), "two nodes are named `x`");
    let order = vec![placeholder("x"), node("y", "AddV2", &["x", "^x", "x"], &[T])];
    assert_eq!(why(order, "y"), "node `y`: the input `x` comes after nodes to wait for");
}

#[test]
fn lists_within_lists_without_end_are_refused() {
    for depth in [70, 100_000] {
        let mut value = Value::Int(1);
        for _ in 0..depth {
            value = Value::List(vec![value]);
        }
        let mut deep = node("y", "Neg", &["x"], &[T]);
        deep.attrs.insert("_deep".to_owned(), value);
        let nodes = graph(vec![placeholder("x"), deep]);
        let ends = Ends { outputs: vec!["y".to_owned()], ..Ends::default() };
        let e = refused(FunctionGraph::from_graph_def(&nodes, &ends, &none));
        assert!(e.contains("`y`") && e.contains("_deep") && e.contains("deeper than 64"), "{e}");
        // The file's owner drops what it made: level by level.
        let mut rest: Vec<Value> =
            nodes.nodes.into_iter().flat_map(|node| node.attrs.into_values()).collect();
        while let Some(value) = rest.pop() {
            if let Value::List(items) = value {
                rest.extend(items);
            }
        }
    }
}

#[test]
fn a_cycle_names_a_node_of_it() {
    let nodes = vec![
        placeholder("x"),
        node("a", "AddV2", &["x", "b"], &[T]),
        node("b", "Neg", &["a"], &[T]),
    ];
    assert_eq!(why(nodes, "b"), "node `a`: it depends on its own results");
}

#[test]
fn attributes_are_checked() {
    let sum = |attrs: &[(&str, Value)]| {
        vec![placeholder("x"), node("y", "Sum", &["x", "axes"], attrs), {
            let axes = Value::Tensor(extype::array::Array::from_slice([1], &[0i64]).expect("axes"));
            node("axes", "Const", &[], &[("value", axes), ("dtype", Value::Type(DType::I64))])
        }]
    };
    let keep = |x| ("keep_dims", x);
    assert!(read(sum(&[T, keep(Value::Bool(true))]), "y").is_ok());
    assert_eq!(
        why(sum(&[T, keep(Value::Int(1))]), "y"),
        "node `y`: attribute `keep_dims` is a bool, not 1"
    );
    assert_eq!(
        why(sum(&[("T", Value::Type(DType::I32))]), "y"),
        "node `y`: attribute `T` is int32, but by its inputs and results it is float32"
    );
    assert_eq!(
        why(vec![node("c", "Const", &[], &[])], "c"),
        "node `c`: attribute `value` is missing"
    );
    assert_eq!(
        why(sum(&[("later", Value::None)]), "y"),
        "node `y`: attribute `later`: it has no value"
    );
    assert_eq!(
        why(sum(&[("?op", Value::Bool(true))]), "y"),
        "node `y`: no attribute may be named `?op`"
    );
    let pack = [T, ("N", Value::Int(3)), ("axis", Value::Int(0))];
    assert_eq!(
        why(vec![placeholder("x"), node("y", "Pack", &["x", "x"], &pack)], "y"),
        "node `y`: attribute `N` is 3, but by its inputs and results it is 2"
    );
    let wrong = vec![placeholder("x"), node("y", "AddV2", &["x"], &[T])];
    assert_eq!(why(wrong, "y"), "node `y`: takes 2 tensors, 1 given");
}

#[test]
fn defaults_are_filled_in_and_told_attributes_left_out() -> Result<()> {
    let nodes = vec![placeholder("x"), node("y", "MatMul", &["m", "m"], &[]), {
        let attrs =
            [("dtype", Value::Type(DType::F32)), ("shape", Value::Shape(Shape::from([2, 2])))];
        node("m", "Placeholder", &[], &attrs)
    }];
    let f = read(nodes, "y")?;
    let text = f.to_string();
    assert!(text.contains("MatMul(m, m) {transpose_a: false, transpose_b: false}"), "{text}");
    let def = f.to_graph_def()?;
    assert_eq!(super::attrs_of(&def.nodes, "MatMul")["T"], T.1);
    Ok(())
}

#[test]
fn the_inputs_are_those_that_are_asked_for() -> Result<()> {
    let nodes = || vec![placeholder("b"), placeholder("a"), node("y", "AddV2", &["a", "b"], &[T])];
    let names = |f: &FunctionGraph| -> Vec<String> {
        f.inputs.iter().map(|n| f.graph.names()[n.index()].clone()).collect()
    };
    assert_eq!(names(&read(nodes(), "y")?), ["b", "a"]);
    let asked = |inputs: &[&str]| {
        let inputs = inputs.iter().map(|i| (*i).to_owned()).collect();
        let ends = Ends { inputs, outputs: vec!["y".to_owned()], ..Ends::default() };
        FunctionGraph::from_graph_def(&graph(nodes()), &ends, &none)
    };
    assert_eq!(names(&asked(&["a:0", "b"])?), ["a", "b"]);
    assert_eq!(refused(asked(&["y"])), "the input `y` is a `AddV2`, not a placeholder");
    Ok(())
}

#[test]
fn a_graph_for_later_readers_is_refused() {
    let versions = Versions { producer: 9999, min_consumer: 9000, bad_consumers: Vec::new() };
    let def = GraphDef { versions, ..GraphDef::default() };
    let why = refused(FunctionGraph::from_graph_def(&def, &Ends::default(), &none));
    assert!(why.contains("is for readers from version 9000 on"), "{why}");
    let versions = Versions { min_consumer: 12, ..def.versions };
    let def = GraphDef { versions, ..GraphDef::default() };
    assert!(FunctionGraph::from_graph_def(&def, &Ends::default(), &none).is_ok());
}

/// A function of `x` that calls another.
fn calling(name: &str, other: Option<&str>) -> FunctionDef {
    let argument = |name: &str| ArgumentDef {
        name: name.to_owned(),
        dtype: DType::F32,
        handle_data: Vec::new(),
    };
    let one = Value::List(vec![T.1]);
    let call = |f: &str| {
        let f = FunctionName { name: f.to_owned(), ..FunctionName::default() };
        let attrs = [("Tin", one.clone()), ("Tout", one.clone()), ("f", Value::Function(f))];
        node("y", "PartitionedCall", &["x"], &attrs)
    };
    FunctionDef {
        signature: Signature {
            name: name.to_owned(),
            inputs: vec![argument("x")],
            outputs: vec![argument("y")],
            ..Signature::default()
        },
        nodes: vec![other.map_or_else(|| node("y", "Neg", &["x"], &[T]), call)],
        ret: [("y".to_owned(), other.map_or("y:y:0", |_| "y:output:0").to_owned())].into(),
        ..FunctionDef::default()
    }
}

/// The function of a call in another graph, in place of what a program makes of a graph.
fn stand_in() -> Result<Arc<LibraryFunction>> {
    let inner = function(|x: &Tensor| ops::neg(x));
    let outer = function(move |x: &Tensor| inner.call(x));
    let outer = outer.concrete(&TensorSpec::new(Shape::unknown(), DType::F32))?;
    let found = outer.graph().library().into_iter().next();
    found.ok_or_else(|| Error::internal("a call"))
}

#[test]
fn a_library_is_made_in_the_order_of_calls() -> Result<()> {
    let library = [calling("f", Some("g")), calling("h", Some("f")), calling("g", None)];
    let mut made = Vec::new();
    let functions = import_library(&library, &none, &mut |graph| {
        made.push(graph.name.clone());
        stand_in()
    })?;
    assert_eq!(made, ["g", "f", "h"]);
    assert_eq!(functions.keys().collect::<Vec<_>>(), ["f", "g", "h"]);
    let round = [calling("f", Some("g")), calling("g", Some("f"))];
    let why = refused(import_library(&round, &none, &mut |_| stand_in()));
    assert_eq!(why, "the function `f` calls itself, by way of others or not");
    Ok(())
}

#[test]
fn a_call_that_does_not_fit_its_function_is_not_read() -> Result<()> {
    let inner = function(|x: &Tensor, y: &Tensor| ops::add(x, y));
    let outer = function(move |x: &Tensor| inner.call(x, x));
    let f = outer.concrete(&TensorSpec::of::<f32>([]))?;
    let def = f.graph().to_graph_def()?;
    let with = |inputs: &[&str]| {
        let mut def = def.clone();
        let call =
            def.nodes.iter_mut().find(|n| n.op.ends_with("PartitionedCall")).expect("a call");
        call.inputs = inputs.iter().map(|name| (*name).to_owned()).collect();
        call.attrs.insert("Tin".to_owned(), Value::List(vec![Value::Type(f32); inputs.len()]));
        FunctionGraph::from_graph_def(&def, &f.graph().ends(), &super::called(f.graph()))
    };
    let x = f.graph().graph.names()[0].clone();
    with(&[&x, &x])?;
    let why = refused(with(&[&x]));
    assert!(why.contains("takes 2 tensors, and the op passes it 1"), "{why}");
    Ok(())
}

#[test]
fn a_call_by_name_and_attributes_is_run_differentiated_and_batched() -> Result<()> {
    let level = ("_level".to_owned(), Value::Int(3));
    let mut outer = calling("f", Some("g"));
    let Some(Value::Function(called)) = outer.nodes[0].attrs.get_mut("f") else {
        panic!("a call");
    };
    called.attrs.extend([level.clone()]);
    let library = [outer, calling("g", None)];
    let make = &mut |graph: FunctionGraph| Ok(graph.into_named_function());
    let f = import_library(&library, &none, make)?["f"].clone();
    let run = move |x: &Tensor| Ok(call(&f, &[x])?.remove(0));

    let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
    let negative = tensor![[-1.0f32, -2.0], [-3.0, -4.0]];
    assert_eq!(run(&x)?.to_vec::<f32>()?, negative.to_vec::<f32>()?);
    let (tape, traced) = (GradientTape::new(), function(run.clone()));
    tape.watch(&x);
    let y = ops::square(traced.call(&x)?)?;
    let gradient = tape.gradient(&y, &x)?.into_structure()?;
    assert_eq!(gradient.to_vec::<f32>()?, [2.0, 4.0, 6.0, 8.0]);
    let rows = vectorized_map(&x, |row: Tensor| run(&row))?;
    assert_eq!(rows.to_vec::<f32>()?, negative.to_vec::<f32>()?);

    let traced = traced.concrete(&TensorSpec::of::<f32>([2, 2]))?;
    let def = traced.graph().to_graph_def()?;
    let written = def.library.iter().flat_map(|f| &f.nodes).filter_map(|n| n.attrs.get("f"));
    let kept = written.filter(|f| matches!(f, Value::Function(f) if f.attrs[&level.0] == level.1));
    assert_eq!(kept.count(), 1);
    Ok(())
}

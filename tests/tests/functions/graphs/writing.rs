//! Writing: names, references and attributes by TensorFlow's rules.

use extype::ir::{FunctionGraph, def::Value};
use extype::prelude::*;

use super::{attrs_of, called};

#[tf_function]
fn bump(v: &Variable, x: &Tensor) -> Result<Tensor> {
    v.assign_add(x)?;
    v.read()
}

#[tf_function]
fn twice(v: &Variable, x: &Tensor) -> Result<Tensor> {
    ops::mul(bump(v, x)?, 2.0)
}

#[tf_function]
fn parts(x: &Tensor) -> Result<(Tensor, Tensor)> {
    let all = ops::unique(x)?;
    Ok((all.0, ops::neg(all.1)?))
}

#[test]
fn a_function_names_results_by_argument_and_a_graph_by_number() -> Result<()> {
    let f = parts::concrete(&TensorSpec::new([3], DType::F32))?;
    let in_graph = f.graph().to_graph_def()?;
    let neg = in_graph.nodes.iter().find(|n| n.op == "Neg").expect("a node");
    assert_eq!(neg.inputs, ["Unique:1"]);
    let in_function = f.graph().to_function_def()?;
    let neg = in_function.nodes.iter().find(|n| n.op == "Neg").expect("a node");
    assert_eq!(neg.inputs, ["Unique:idx:0"]);
    assert_eq!(in_function.ret["unique"], "Unique:y:0");
    assert_eq!(in_function.ret["neg"], "Neg:y:0");
    let unique = attrs_of(&in_function.nodes, "Unique");
    assert_eq!(unique["T"], Value::Type(DType::F32));
    assert_eq!(f.graph().ends().outputs, ["Unique", "Neg"]);
    Ok(())
}

#[test]
fn a_call_of_a_function_with_effects_is_a_stateful_call() -> Result<()> {
    let v = Variable::new(scalar(1.0f32))?;
    let f = twice::concrete(&v.type_spec(), &TensorSpec::new(Shape::scalar(), DType::F32))?;
    let def = f.graph().to_graph_def()?;
    let call = def.nodes.iter().find(|n| n.op == "StatefulPartitionedCall").expect("a call");
    assert_eq!(
        call.attrs["Tin"],
        Value::List(vec![Value::Type(DType::Resource), Value::Type(DType::F32)])
    );
    assert_eq!(call.attrs["Tout"], Value::List(vec![Value::Type(DType::F32)]));
    let [library] = &def.library[..] else { panic!("{} functions", def.library.len()) };
    let Value::Function(name) = &call.attrs["f"] else { panic!("no function") };
    assert_eq!(name.name, library.signature.name);
    assert!(library.signature.is_stateful);
    assert_eq!(library.signature.control_outputs, ["AssignAddVariableOp"]);
    let read = library.nodes.iter().find(|n| n.op == "ReadVariableOp").expect("a read");
    assert_eq!(read.inputs[1], "^AssignAddVariableOp");
    assert_eq!(attrs_of(&library.nodes, "AssignAddVariableOp")["dtype"], Value::Type(DType::F32));
    let again = FunctionGraph::from_graph_def(&def, &f.graph().ends(), &called(f.graph()))?;
    assert_eq!(again.to_graph_def()?, def);
    Ok(())
}

#[test]
fn text_and_drawing_show_functions_and_devices() -> Result<()> {
    let v = Variable::new(scalar(1.0f32))?;
    let f = twice::concrete(&v.type_spec(), &TensorSpec::new(Shape::scalar(), DType::F32))?;
    let mut graph = f.graph().clone();
    let id = graph.outputs[0].node;
    graph.graph.set_device(id, Some("/device:CPU:0".into()));
    let text = graph.to_text();
    let inner = &graph.library()[0];
    assert!(text.contains(&format!("{{f: @{}}}", inner.name())), "{text}");
    assert!(
        text.contains("Mul = Mul(StatefulPartitionedCall, Const) on /device:CPU:0 : "),
        "{text}"
    );
    assert_eq!(text.matches("AssignAddVariableOp(").count(), 1, "{text}");
    let drawing = graph.to_dot();
    assert!(drawing.contains(&format!("@{}", inner.name())), "{drawing}");
    assert!(drawing.contains("on /device:CPU:0"), "{drawing}");
    let def = graph.to_graph_def()?;
    let mul = def.nodes.iter().find(|n| n.op == "Mul").expect("a node");
    assert_eq!(mul.device, "/device:CPU:0");
    let again = FunctionGraph::from_graph_def(&def, &graph.ends(), &called(&graph))?;
    assert!(again.to_string().contains("on /device:CPU:0"), "{again}");
    Ok(())
}

#[test]
fn two_functions_of_one_name_have_two_in_a_file() -> Result<()> {
    let inner = function(|x: &Tensor| ops::neg(x));
    let f = function(move |x: &Tensor| {
        let row = ops::reshape(x, [1, 3])?;
        ops::add(inner.call(x)?, inner.call(&row)?)
    });
    let f = f.concrete(&TensorSpec::new([3], DType::F32))?;
    let def = f.graph().to_graph_def()?;
    let mut names: Vec<&str> = def.library.iter().map(|f| f.signature.name.as_str()).collect();
    names.dedup();
    assert_eq!(names.len(), 2);
    let called = def.nodes.iter().filter_map(|n| n.attrs.get("f")).filter_map(|f| match f {
        Value::Function(f) => Some(f.name.as_str()),
        _ => None,
    });
    assert_eq!(called.collect::<Vec<_>>(), names);
    Ok(())
}

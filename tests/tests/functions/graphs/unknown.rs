//! Ops, functions and attributes that nothing here knows are kept, and refused when they run.

use extype::ir::FunctionGraph;
use extype::ir::def::{ArgumentDef, Ends, FunctionDef, FunctionName, NodeDef, Signature, Value};
use extype::prelude::*;

use super::{T, graph, node, none, placeholder, refused};

fn output(name: &str) -> Ends {
    Ends { outputs: vec![name.to_owned()], ..Ends::default() }
}

fn types(dtypes: &[DType]) -> Value {
    Value::List(dtypes.iter().map(|d| Value::Type(*d)).collect())
}

#[test]
fn a_node_of_an_unknown_op_is_shown_written_and_refused() -> Result<()> {
    let mut foo = node("foo", "FooBar", &["x", "^w"], &[("speed", Value::Float(0.5))]);
    foo.device = "/device:CPU:0".to_owned();
    let def = graph(vec![
        placeholder("x"),
        node("w", "FooBar", &["x"], &[]),
        foo,
        node("y", "AddV2", &["foo:1", "x"], &[T]),
    ]);
    let f = FunctionGraph::from_graph_def(&def, &output("y"), &none)?;
    assert_eq!(
        f.to_string(),
        "fn graph(x: float32[3]) -> float32<?> {\n  \
           w = FooBar(x) : ()\n  \
           foo = FooBar(x, ^w) {speed: 0.5} on /device:CPU:0 : (variant<?>, float32<?>)\n  \
           y = AddV2(foo:1, x) : float32<?>\n  \
           return y\n}"
    );
    assert_eq!(f.to_graph_def()?, def);
    let foo = f.graph.nodes().iter().find(|n| n.op_name() == "FooBar").expect("the node");
    assert!(foo.is_unknown());
    let message = refused(foo.op.run(&[], &foo.attrs));
    assert!(message.starts_with("FooBar: no op is named `FooBar`; "), "{message}");
    Ok(())
}

#[test]
fn results_of_an_unknown_op_in_a_function_keep_their_names() -> Result<()> {
    let argument = |name: &str| ArgumentDef {
        name: name.to_owned(),
        dtype: DType::F32,
        handle_data: Vec::new(),
    };
    let def = FunctionDef {
        signature: Signature {
            name: "f".to_owned(),
            inputs: vec![argument("x")],
            outputs: vec![argument("sum"), argument("rest")],
            ..Signature::default()
        },
        nodes: vec![
            node("split", "Splitter", &["x"], &[]),
            node("add", "AddV2", &["split:parts:0", "split:parts:1"], &[T]),
        ],
        ret: [("sum", "add:z:0"), ("rest", "split:rest:0")]
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .into(),
        ..FunctionDef::default()
    };
    let f = FunctionGraph::from_function_def(&def, &none)?;
    assert_eq!(f.to_function_def()?, def);
    assert_eq!(f.must_run.len(), 1, "an unknown op may have effects");
    let why = refused(f.to_graph_def());
    assert!(why.contains("`split` is a `Splitter`, which is not known"), "{why}");
    Ok(())
}

#[test]
fn unknown_attributes_of_known_ops_are_kept() -> Result<()> {
    let grad = ("grad_a", Value::Bool(false));
    let def = graph(vec![placeholder("x"), node("y", "AddV2", &["x", "x"], &[T, grad.clone()])]);
    let f = FunctionGraph::from_graph_def(&def, &output("y"), &none)?;
    assert!(f.to_string().contains("y = AddV2(x, x) {grad_a: false}"), "{f}");
    assert_eq!(f.to_graph_def()?, def);
    Ok(())
}

fn call(function: FunctionName, op: &str) -> NodeDef {
    let attrs = [
        ("Tin", types(&[DType::F32])),
        ("Tout", types(&[DType::F32])),
        ("f", Value::Function(function)),
    ];
    node("call", op, &["x"], &attrs)
}

#[test]
fn an_unknown_function_is_kept_and_refused() -> Result<()> {
    let attrs = [("k".to_owned(), Value::Int(3))].into();
    let name = FunctionName { name: "away_7".to_owned(), attrs };
    for op in ["PartitionedCall", "StatefulPartitionedCall"] {
        let def = graph(vec![placeholder("x"), call(name.clone(), op)]);
        let f = FunctionGraph::from_graph_def(&def, &output("call"), &none)?;
        assert!(f.to_string().contains(&format!("call = {op}(x) {{f: @away_7}}")), "{f}");
        assert_eq!(f.to_graph_def()?, def);
        let node = f.graph.nodes().iter().find(|n| n.op_name() == op).expect("the call");
        let x = tensor![1f32, 2., 3.];
        let why = refused(node.op.run(&[x.value()?], &node.attrs));
        assert!(why.contains("no function is named `away_7`"), "{why}");
    }
    Ok(())
}

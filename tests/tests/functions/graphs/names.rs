//! Names: unique, legal, and shown as the user gave them.

use extype::ir::FunctionGraph;
use extype::ir::def::{Ends, Value};
use extype::prelude::*;

use super::{T, called, graph, node, none, placeholder};

#[tf_function]
fn scaled(xs: &[Tensor], scale: &Tensor) -> Result<Tensor> {
    ops::mul(ops::add(&xs[0], &xs[1])?, scale)
}

#[test]
fn arguments_have_plain_names_in_files_and_their_own_for_people() -> Result<()> {
    let x = TensorSpec::new([3], DType::F32);
    let f = function(|(a, _b1): &(Tensor, Vec<Tensor>)| ops::neg(a));
    let f = f.concrete(&(x.clone(), vec![x.clone(), x.clone()]))?;
    let def = f.graph().to_function_def()?;
    let names: Vec<&str> = def.signature.inputs.iter().map(|a| a.name.as_str()).collect();
    for name in &names {
        assert!(
            name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'),
            "{name}"
        );
    }
    let again = FunctionGraph::from_function_def(&def, &none)?;
    assert_eq!(again.to_string(), f.graph().to_string());
    Ok(())
}

#[test]
fn nodes_of_a_graph_have_legal_names() -> Result<()> {
    let x = TensorSpec::new([3], DType::F32);
    let f = scaled::concrete(&vec![x.clone(), x.clone()], &x)?;
    let def = f.graph().to_graph_def()?;
    let names: Vec<&str> = def.nodes.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["xs_0_", "xs_1_", "scale", "AddV2", "Mul"]);
    assert_eq!(def.nodes[0].attrs["_user_specified_name"], Value::Str(b"xs[0]".to_vec()));
    assert_eq!(def.nodes[3].inputs, ["xs_0_", "xs_1_"]);
    let again = FunctionGraph::from_graph_def(&def, &f.graph().ends(), &called(f.graph()))?;
    assert!(again.to_string().contains("AddV2 = AddV2(xs[0], xs[1])"), "{again}");
    let def = f.graph().to_function_def()?;
    let names: Vec<&str> = def.signature.inputs.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["xs_0_", "xs_1_", "scale"]);
    Ok(())
}

#[test]
fn a_given_name_is_kept_where_another_would_be_made_like_it() -> Result<()> {
    let add = |name: &str, x: &str| node(name, "AddV2", &[x, x], &[T]);
    let def = graph(vec![placeholder("x"), add("AddV2_1", "x"), add("AddV2", "AddV2_1")]);
    let ends = Ends { outputs: vec!["AddV2".to_owned()], ..Ends::default() };
    let g = FunctionGraph::from_graph_def(&def, &ends, &none)?;
    assert_eq!(g.graph.names(), ["x", "AddV2_1", "AddV2"]);
    Ok(())
}

//! Control edges between the nodes of a graph, and which nodes run.

use extype::control::host_function;
use extype::ir::FunctionGraph;
use extype::prelude::*;

/// The nodes of an op, each with those that it waits for besides its inputs.
fn waits(graph: &FunctionGraph, op: &str) -> Vec<(usize, Vec<usize>)> {
    let nodes = graph.graph.node_ids().map(|id| (id, graph.graph.node(id)));
    nodes
        .filter(|(_, node)| node.op_name() == op)
        .map(|(id, node)| (id.index(), node.control_inputs.iter().map(|n| n.index()).collect()))
        .collect()
}

#[test]
fn an_assignment_waits_for_both_reads_before_it_and_a_read_for_no_read() -> Result<()> {
    let v = Variable::new(1.0f32)?;
    let f = function(|x: &Tensor| {
        let before = ops::add(v.read()?, v.read()?)?;
        v.assign(x)?;
        Ok((before, v.read()?))
    });
    let f = f.concrete(&TensorSpec::of::<f32>([]))?;
    let (reads, writes) =
        (waits(f.graph(), "ReadVariableOp"), waits(f.graph(), "AssignVariableOp"));
    assert_eq!((reads.len(), writes.len()), (3, 1), "{}", f.graph());
    assert!(reads[0].1.is_empty() && reads[1].1.is_empty(), "{}", f.graph());
    assert_eq!(writes[0].1, [reads[0].0, reads[1].0]);
    assert_eq!(reads[2].1, [writes[0].0]);
    let y = f.call_flat(&[scalar(5.0f32)])?;
    assert_eq!((y[0].item::<f32>()?, y[1].item::<f32>()?), (2.0, 5.0));
    Ok(())
}

#[test]
fn a_read_that_nobody_uses_does_not_run_and_an_assignment_does() -> Result<()> {
    let v = Variable::new(1.0f32)?;
    let f = function(|x: &Tensor| {
        v.assign(x)?;
        let _unused = v.read()?;
        ops::neg(x)
    });
    let f = f.concrete(&TensorSpec::of::<f32>([]))?;
    let needed = f.graph().needed();
    let of = |op: &str| waits(f.graph(), op).iter().map(|(i, _)| needed[*i]).collect::<Vec<_>>();
    assert_eq!((of("AssignVariableOp"), of("ReadVariableOp")), (vec![true], vec![false]));
    f.call_flat(&[scalar(5.0f32)])?;
    assert_eq!(v.read()?.item::<f32>()?, 5.0);
    Ok(())
}

#[tf_function]
fn prints_twice(x: &Tensor, v: &Variable) -> Result<Tensor> {
    println!("first {x}");
    v.assign(x)?;
    println!("second {x}");
    ops::neg(x)
}

// What prints is not ordered with variables.
#[test]
fn prints_wait_for_prints_and_not_for_variables() -> Result<()> {
    let v = Variable::new(1.0f32)?;
    let f = prints_twice::concrete(&TensorSpec::of::<f32>([]), &v.type_spec())?;
    let (prints, writes) = (waits(f.graph(), "PrintV2"), waits(f.graph(), "AssignVariableOp"));
    assert_eq!((prints.len(), writes.len()), (2, 1), "{}", f.graph());
    assert!(prints[0].1.is_empty() && writes[0].1.is_empty(), "{}", f.graph());
    assert_eq!(prints[1].1, [prints[0].0]);
    Ok(())
}

#[test]
fn a_function_that_only_reads_is_no_write_and_what_one_writes_is_seen_after_it() -> Result<()> {
    let v = Variable::new(1.0f32)?;
    let scaled = function(|x: &Tensor| ops::mul(x, v.read()?));
    let added = function(|x: &Tensor| v.assign_add(x));
    let f = function(|x: &Tensor| {
        let (a, b) = (scaled.call(x)?, scaled.call(x)?);
        added.call(x)?;
        Ok((a, b, scaled.call(x)?))
    });
    let f = f.concrete(&TensorSpec::of::<f32>([]))?;
    let calls = waits(f.graph(), "StatefulPartitionedCall");
    assert_eq!(calls.len(), 4, "{}", f.graph());
    assert!(calls[0].1.is_empty() && calls[1].1.is_empty(), "{}", f.graph());
    assert_eq!(calls[2].1, [calls[0].0, calls[1].0]);
    assert_eq!(calls[3].1, [calls[2].0]);
    let y = f.call_flat(&[scalar(2.0f32)])?;
    let y = y.iter().map(Tensor::item::<f32>).collect::<Result<Vec<_>>>()?;
    assert_eq!(y, [2.0, 2.0, 6.0]);
    Ok(())
}

#[test]
fn an_op_that_gets_a_variable_twice_waits_for_others_and_not_for_itself() -> Result<()> {
    let v = Variable::new(1.0f32)?;
    let f = function(|x: &Tensor| {
        v.assign(x)?;
        let add = |(a, b): (Variable, Variable)| {
            a.assign_add(1.0)?;
            b.assign_add(10.0)
        };
        host_function(&().type_spec(), add, &(v.clone(), v.clone()))?;
        v.read()
    });
    assert_eq!(f.call(&scalar(5.0f32))?.item::<f32>()?, 16.0);
    let traces = f.concrete_functions();
    let graph = traces[0].graph();
    let host = graph.graph.node_ids().find(|id| graph.graph.node(*id).callees().count() == 1);
    let host = graph.graph.node(host.expect("the host function"));
    assert!(host.inputs.len() == 2 && host.inputs[0] == host.inputs[1], "{graph}");
    let waited: Vec<usize> = host.control_inputs.iter().map(|n| n.index()).collect();
    assert_eq!(waited, [waits(graph, "AssignVariableOp")[0].0], "{graph}");
    Ok(())
}

// What gradients can flow to is an input at any size.
#[test]
fn small_outer_data_without_gradients_is_constant_and_other_data_is_an_input() -> Result<()> {
    let captures = |data: Tensor| {
        let spec = data.type_spec();
        let f = function(move |x: &Tensor| ops::add(x, &data)).concrete(&spec)?;
        Ok::<_, Error>((f.graph().inputs.len(), f.captures()))
    };
    let ints = |n: usize| Tensor::from_vec(vec![1i32; n]);
    assert_eq!(captures(ints(128))?, (1, vec![]));
    assert_eq!(captures(ints(129))?, (2, vec!["tensor: int32[129]".to_owned()]));
    assert_eq!(captures(tensor![1.0f32])?, (2, vec!["tensor: float32[1]".to_owned()]));
    Ok(())
}

//! A traced graph, run node by node as it was traced: what compiled programs are compared with.

use extype::array::Array;
use extype::ir::{FunctionGraph, Kernel, LibraryFunction, Looping, Node, decision};
use extype::prelude::*;
use extype::tensor::execute;

/// The results of a graph for all its inputs. No rule simplifies it, and each op runs by itself.
pub(super) fn results(function: &FunctionGraph, inputs: &[Tensor]) -> Result<Vec<Tensor>> {
    let graph = &function.graph;
    let needed = function.needed();
    let mut values: Vec<Option<Vec<Tensor>>> = vec![None; needed.len()];
    for (id, x) in function.inputs.iter().zip(inputs) {
        values[id.index()] = Some(vec![x.clone()]);
    }
    let read = |values: &[Option<Vec<Tensor>>], e: &extype::ir::Endpoint| {
        let results = values[e.node.index()].as_ref().expect("a node runs after its inputs");
        results[e.output as usize].clone()
    };
    for id in graph.node_ids().filter(|id| needed[id.index()]) {
        if values[id.index()].is_none() {
            let node = graph.node(id);
            let inputs: Vec<Tensor> = node.inputs.iter().map(|e| read(&values, e)).collect();
            values[id.index()] = Some(computed(node, &inputs)?);
        }
    }
    Ok(function.outputs.iter().map(|e| read(&values, e)).collect())
}

fn computed(node: &Node, inputs: &[Tensor]) -> Result<Vec<Tensor>> {
    match node.op.kernel {
        Kernel::Call(function) => called(&*function(&node.attrs)?, inputs),
        Kernel::Branch(branching) => {
            let branches = (branching.branches)(&node.attrs)?;
            let picked = branching.picked(inputs[0].value()?, branches.len())?;
            called(&branches[picked], &inputs[1..])
        }
        Kernel::Loop(looping) => looped(&looping(&node.attrs)?, inputs),
        _ => {
            let inputs: Vec<&Tensor> = inputs.iter().collect();
            Ok(execute(node.op, node.attrs.clone(), &inputs)?.into_vec())
        }
    }
}

fn called(f: &LibraryFunction, inputs: &[Tensor]) -> Result<Vec<Tensor>> {
    results(f.graph().expect("functions of these programs are graphs"), inputs)
}

fn looped(looping: &Looping, inputs: &[Tensor]) -> Result<Vec<Tensor>> {
    let mut state = inputs.to_vec();
    let types = &looping.body.output_types()[state.len()..];
    let mut kept: Vec<Vec<Tensor>> = vec![Vec::new(); types.len()];
    let mut steps = 0i64;
    while decision(called(&looping.test, &state)?[0].value()?)? {
        let mut next = called(&looping.body, &state)?;
        for (all, value) in kept.iter_mut().zip(next.drain(state.len()..)) {
            all.push(value);
        }
        state = next;
        steps += 1;
    }
    let Some(saves) = looping.saves else { return Ok(state) };
    state.push(scalar(steps));
    for (i, (ty, values)) in types.iter().zip(kept).enumerate() {
        state.push(if saves.lists(i, ty) {
            let values: Result<Vec<Array>> = values.iter().map(|x| x.value().cloned()).collect();
            (saves.list)(ty, values?)?.into()
        } else if values.is_empty() {
            let sizes = ty.shape.sizes().expect("the shape of what is stacked is known");
            Array::zeros(ty.dtype, [&[0], &sizes[..]].concat())?.into()
        } else {
            ops::stack(&values.iter().collect::<Vec<_>>(), 0)?
        });
    }
    Ok(state)
}

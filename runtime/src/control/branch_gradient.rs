//! The gradient of a conditional: a conditional of the gradients of its branches.
//!
//! In place of a conditional, tapes run one whose branches also return the intermediates that gradients need. A branch
//! returns fake values for the intermediates of the other branches; they are never used.

use std::sync::Arc;

use super::arm::{Arm, branch, traced};
use super::rows::{CASE, FAKE_PARAM, IF, branching, with_branches};
use super::state::Site;
use crate::gradient::{backward_of, forward, forward_graph, forward_of_graph, run_backward};
use crate::ir::{Attrs, Branches, DTYPE, Endpoint, Forward, LibraryFunction, OpDef, SHAPE};
use crate::ops::methods::*;
use crate::ops::{Gradient, GradientEntry, InputGradients};
use crate::tensor::context::call_site_at;
use crate::tensor::{Tensor, Variable, is_tracing};
use crate::types::{DType, Error, Result, TensorType};

inventory::submit!(GradientEntry::new(&IF, gradient).with_forward(forward_branching));
inventory::submit!(GradientEntry::new(&CASE, gradient).with_forward(forward_branching));

fn branches(op: &'static OpDef, attrs: &Attrs) -> Result<Branches> {
    let branching = branching(op).ok_or_else(|| Error::internal("an op without branches"))?;
    (branching.branches)(attrs)
}

/// The same op with branches that also return the intermediates for their gradients.
fn forward_branching(op: &'static OpDef, attrs: &Attrs) -> Result<Forward> {
    let branches = branches(op, attrs)?;
    let results = branches.first().map_or(0, |b| b.output_types().len());
    let forwards = branches.iter().map(forward).collect::<Result<Vec<_>>>()?;
    if forwards.iter().all(|f| f.output_types().len() == results) {
        let attrs = with_branches(op, attrs, &forwards)?;
        return Ok(Forward { op, attrs, results });
    }
    let graphs = forwards.iter().map(forward_graph).collect::<Result<Vec<_>>>()?;
    let of_all = |i: usize| -> Result<Arc<LibraryFunction>> {
        let mut graph = graphs[i].clone();
        let own = graph.outputs.split_off(results);
        for (j, forward) in forwards.iter().enumerate() {
            if i == j {
                graph.outputs.extend_from_slice(&own);
                continue;
            }
            for ty in &forward.output_types()[results..] {
                let attrs = Attrs::new().with(DTYPE, &ty.dtype).with(SHAPE, &ty.shape);
                let node = graph.graph.add(&FAKE_PARAM, attrs, [].into_iter().collect(), None)?;
                graph.outputs.push(Endpoint { node, output: 0 });
            }
        }
        forward_of_graph(graph)
    };
    let all = (0..forwards.len()).map(of_all).collect::<Result<Vec<_>>>()?;
    Ok(Forward { op, attrs: with_branches(op, attrs, &all)?, results })
}

fn gradient(g: &Gradient<'_>) -> Result<InputGradients> {
    // If the conditional can't be differentiated, it was recorded unchanged, and this returns the reason.
    forward_branching(g.op, g.attrs)?;
    let branches = branches(g.op, g.attrs)?;
    let forwards = branches.iter().map(forward).collect::<Result<Vec<_>>>()?;
    if forwards.iter().zip(&branches).any(|(forward, own)| !Arc::ptr_eq(forward, own)) {
        return Err(Error::internal("the call was recorded without its intermediates"));
    }
    // For each input the type of its gradient, if some branch has one.
    let has = |(c, y): (&Option<Tensor>, &Tensor)| c.is_some() && y.dtype() != DType::Resource;
    let has: Vec<bool> = g.cotangents.iter().zip(g.outputs).map(has).collect();
    let mut wanted: Vec<Option<TensorType>> = vec![None; g.inputs.len() - 1];
    for forward in &forwards {
        let backward = backward_of(forward, &has, g.wanted_from(1))?;
        let mut types = backward.function.output_types().iter();
        for (wanted, connected) in wanted.iter_mut().zip(&backward.connected) {
            if *connected && let Some(ty) = types.next() {
                wanted.get_or_insert_with(|| ty.clone());
            }
        }
    }
    let run = |forward: &Arc<LibraryFunction>| -> Result<Vec<Tensor>> {
        let found = run_backward(forward, g, &g.inputs[1..])?.into_iter();
        let all = found.zip(&g.inputs[1..]).zip(&wanted);
        let all = all.filter_map(|((g, x), wanted)| Some((g, x, wanted.as_ref()?)));
        all.map(|(g, x, ty)| g.map_or_else(|| zeros(x, ty), Ok)).collect()
    };
    let found = match (is_tracing(), g.x(0)) {
        (false, Tensor::Value(pick)) => {
            let branching = branching(g.op).ok_or_else(|| Error::internal("no branches"))?;
            run(&forwards[branching.picked(pick, forwards.len())?])?
        }
        _ => {
            let site = Site::of_gradient();
            let trace = |(i, forward): (usize, &Arc<LibraryFunction>)| {
                traced(&site, &format!("gradient_of_branch{i}"), || {
                    let _site = call_site_at(Some(site.location));
                    run(forward)
                })
            };
            let arms = forwards.iter().enumerate().map(trace);
            let arms: Vec<Arm<Vec<Tensor>>> = arms.collect::<Result<_>>()?;
            branch(&site, g.op, g.x(0), arms)?
        }
    };
    let mut found = found.into_iter();
    let of = |wanted: &Option<TensorType>| if wanted.is_some() { found.next() } else { None };
    Ok(std::iter::once(None).chain(wanted.iter().map(of)).collect())
}

/// A zero gradient for an input that the results do not depend on.
pub(super) fn zeros(x: &Tensor, ty: &TensorType) -> Result<Tensor> {
    match x.dtype() {
        DType::Resource => Variable::from_handle(x.clone(), ty.clone(), true).read()?.zeros_like(),
        _ => x.zeros_like(),
    }
}

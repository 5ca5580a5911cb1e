//! Gradients of poolings.

use super::Family;
use crate::ir::OpDef;
use crate::ops::methods::*;
use crate::ops::movement::gradient::size_vector;
use crate::ops::rules::gradient::{Gradient, InputGradients, first};
use crate::ops::{
    Axis, Gather, MaxPoolGradWithArgmax, MaxPoolWithArgmax, NamedOp, Op as _, concat,
};
use crate::tensor::{Tensor, execute_one};
use crate::types::{DType, Result};

/// Calls an op on three operands and the window sizes and strides, if it has them as inputs: those behind the first
/// `own` of the op whose gradient this is.
fn run(g: &Gradient<'_>, op: &'static OpDef, operands: [&Tensor; 3], own: usize) -> Result<Tensor> {
    let inputs: Vec<&Tensor> = operands.into_iter().chain(&g.inputs[own..]).collect();
    execute_one(op, g.attrs.clone(), &inputs)
}

/// The gradients of three operands, of which the last has one, and of what follows them.
fn of_third(g: &Gradient<'_>, dy: Tensor) -> InputGradients {
    (0..g.inputs.len()).map(|i| (i == 2).then(|| dy.clone())).collect()
}

pub(in crate::ops) fn max<F: Family>(g: &Gradient<'_>) -> Result<InputGradients> {
    let dx = run(g, F::Grad::DEF, [g.x(0), g.y(), g.dy()?], 1)?;
    Ok((0..g.inputs.len()).map(|i| (i == 0).then(|| dx.clone())).collect())
}

pub(in crate::ops) fn max_gradient<F: Family>(g: &Gradient<'_>) -> Result<InputGradients> {
    Ok(of_third(g, run(g, F::GradGrad::DEF, [g.x(0), g.x(1), g.dy()?], 3)?))
}

pub(in crate::ops) fn max_second<F: Family>(g: &Gradient<'_>) -> Result<InputGradients> {
    Ok(of_third(g, run(g, F::Grad::DEF, [g.x(0), g.x(1), g.dy()?], 3)?))
}

pub(in crate::ops) fn with_argmax(g: &Gradient<'_>) -> Result<InputGradients> {
    let Some(dy) = &g.cotangents[0] else { return Ok(first(g, g.x(0).zeros_like()?)) };
    let op = MaxPoolGradWithArgmax {
        ksize: g.get(MaxPoolWithArgmax::KSIZE)?,
        strides: g.get(MaxPoolWithArgmax::STRIDES)?,
        padding: g.get(MaxPoolWithArgmax::PADDING)?,
        include_batch_in_index: g.get(MaxPoolWithArgmax::INCLUDE_BATCH_IN_INDEX)?,
    };
    Ok(first(g, op.run(&[g.x(0), dy, &g.outputs[1]])?))
}

/// The elements of the cotangent at the places.
pub(in crate::ops) fn grad_with_argmax(g: &Gradient<'_>) -> Result<InputGradients> {
    let (places, dx) = (g.x(2), g.dy()?);
    let places = places.cast(DType::I64)?;
    let dy = match g.get(MaxPoolWithArgmax::INCLUDE_BATCH_IN_INDEX)? {
        true => dx.reshape([-1])?.gather(&places, 0)?,
        false => {
            let batch = size_vector(dx)?.slice([0], [1])?;
            let rows =
                |x: &Tensor| x.reshape(&concat(&[&batch, &Tensor::from_vec(vec![-1i64])], 0)?);
            let op = Gather { batch_dims: 1, axis: Axis(1) };
            op.run(&[&rows(dx)?, &rows(&places)?])?.reshape(&size_vector(&places)?)?
        }
    };
    Ok([None, Some(dy), None].into_iter().collect())
}

pub(in crate::ops) fn mean<G: NamedOp>(g: &Gradient<'_>) -> Result<InputGradients> {
    let sizes = size_vector(g.x(0))?.cast(DType::I32)?;
    Ok(first(g, execute_one(G::DEF, g.attrs.clone(), &[&sizes, g.dy()?])?))
}

pub(in crate::ops) fn mean_gradient<F: NamedOp>(g: &Gradient<'_>) -> Result<InputGradients> {
    Ok([None, Some(execute_one(F::DEF, g.attrs.clone(), &[g.dy()?])?)].into_iter().collect())
}

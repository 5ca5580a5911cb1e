//! Batches of products.

use super::equation::Equation;
use crate::ops::methods::*;
use crate::ops::rules::batch::{Batch, Batched, Lane, one};
use crate::ops::{BatchMatMul, BiasAdd, BiasAddGrad, Einsum, MatMul, Op};
use crate::types::Result;

/// A product of stacks of matrices.
pub(in crate::ops) fn mat_mul(b: &Batch<'_>) -> Result<Batched> {
    // With an unknown rank, a stack of tensors that are not matrices would be accepted.
    if b.types.iter().any(|ty| ty.shape.rank().is_none()) {
        return Ok(None);
    }
    let (adj_x, adj_y) = (b.get(MatMul::TRANSPOSE_A)?, b.get(MatMul::TRANSPOSE_B)?);
    let operands = b.inputs.iter().map(|lane| match lane {
        Lane::Same(t) | Lane::Each(t) => t,
    });
    let operands: Vec<_> = operands.collect();
    // `MatMul` only transposes, but `BatchMatMul` also conjugates.
    if operands[0].dtype().is_complex() && (adj_x || adj_y) {
        return Ok(None);
    }
    one(BatchMatMul { adj_x, adj_y }.run(&operands)?)
}

/// Adds a label for the batch axis to the equation.
pub(in crate::ops) fn einsum(b: &Batch<'_>) -> Result<Batched> {
    let equation: String = b.get(Einsum::EQUATION)?;
    let equation = Equation::parse(&equation, b.inputs.len())?.to_string();
    let free = (b'a'..=b'z').chain(b'A'..=b'Z').map(char::from).find(|l| !equation.contains(*l));
    let (Some(label), Some((inputs, output))) = (free, equation.split_once("->")) else {
        return Ok(None);
    };
    let mut operands = Vec::with_capacity(b.inputs.len());
    let inputs = inputs.split(',').zip(b.inputs).map(|(labels, lane)| match lane {
        Lane::Same(t) => {
            operands.push(t.clone());
            labels.to_owned()
        }
        Lane::Each(t) => {
            operands.push(t.clone());
            format!("{label}{labels}")
        }
    });
    let inputs: Vec<String> = inputs.collect();
    let equation = format!("{}->{label}{output}", inputs.join(","));
    b.run_with(b.attrs.clone().with(Einsum::EQUATION, &equation), &operands)
}

/// Only for channels in the last axis, which stays the last.
pub(in crate::ops) fn bias_add(b: &Batch<'_>) -> Result<Batched> {
    let format: String = b.get(BiasAdd::DATA_FORMAT)?;
    match (b.inputs, format.as_str()) {
        ([Lane::Each(x), Lane::Same(bias)], "NHWC") if b.rank(0).is_some() => {
            b.run(&[x.clone(), bias.clone()])
        }
        _ => Ok(None),
    }
}

/// The sum of each call over all its axes but the last.
pub(in crate::ops) fn bias_add_grad(b: &Batch<'_>) -> Result<Batched> {
    let format: String = b.get(BiasAddGrad::DATA_FORMAT)?;
    match (b.each(0), b.rank(0), format.as_str()) {
        (Some(dy), Some(rank), "NHWC") => {
            one(dy.reduce_sum((1..rank as i64).collect::<Vec<_>>(), false)?)
        }
        _ => Ok(None),
    }
}

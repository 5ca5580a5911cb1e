//! Gradients: cells of recurrent networks. Those of one step are made of other ops, so they have gradients themselves.
//! As in TensorFlow, the bound of an LSTM's state counts for nothing.

use super::{BlockLstmGradV2, BlockLstmV2, LstmBlockCell};
use crate::ops::methods::*;
use crate::ops::movement::gradient::size_vector;
use crate::ops::rules::gradient::{Gradient, InputGradients};
use crate::ops::{self, MatMul, Op as _, SigmoidGrad, TanhGrad};
use crate::tensor::Tensor;
use crate::types::{Result, bail};

/// The gradients of `[x, h] · w + b` by its four operands.
fn product(dy: &Tensor, x: &Tensor, h: &Tensor, w: &Tensor) -> Result<[Tensor; 4]> {
    let matmul = |a: &Tensor, b: &Tensor, transpose_a, transpose_b| -> Result<Tensor> {
        MatMul { transpose_a, transpose_b }.run(&[a, b])
    };
    let (both, width) = (matmul(dy, w, false, true)?, size_vector(x)?);
    let begin = ops::mul(&width, Tensor::from_vec(vec![0i64, 1]))?;
    Ok([
        both.slice([0, 0], &width)?,
        both.slice(&begin, &size_vector(h)?)?,
        matmul(&ops::concat(&[x, h], 1)?, dy, true, false)?,
        dy.reduce_sum(0, false)?,
    ])
}

fn sigmoid(y: &Tensor, dy: Tensor) -> Result<Tensor> {
    SigmoidGrad {}.run(&[y, &dy])
}

fn tanh(y: &Tensor, dy: Tensor) -> Result<Tensor> {
    TanhGrad {}.run(&[y, &dy])
}

/// The cotangent of result `k`.
fn cotangent(g: &Gradient<'_>, k: usize) -> Result<Tensor> {
    g.cotangents[k].clone().map_or_else(|| g.outputs[k].zeros_like(), Ok)
}

pub(super) fn lstm_cell(g: &Gradient<'_>) -> Result<InputGradients> {
    let [x, past, h, w, input_peephole, forget_peephole, output_peephole, _] = g.inputs else {
        bail!(Internal, "an LSTM of {} operands", g.inputs.len())
    };
    let [input, state, forget, output, candidate, squashed, _] = g.outputs else {
        bail!(Internal, "an LSTM of {} results", g.outputs.len())
    };
    let peephole = g.get(LstmBlockCell::USE_PEEPHOLE)?;
    let dh = cotangent(g, 6)?;
    let d_output = sigmoid(output, cotangent(g, 3)? + &dh * squashed)?;
    let mut d_state = cotangent(g, 1)? + tanh(squashed, cotangent(g, 5)? + dh * output)?;
    if peephole {
        d_state += &d_output * output_peephole;
    }
    let d_input = sigmoid(input, cotangent(g, 0)? + &d_state * candidate)?;
    let d_candidate = tanh(candidate, cotangent(g, 4)? + &d_state * input)?;
    let d_forget = sigmoid(forget, cotangent(g, 2)? + &d_state * past)?;
    let mut d_past = d_state * forget;
    let mut peepholes = [None, None, None];
    if peephole {
        d_past = d_past + &d_input * input_peephole + &d_forget * forget_peephole;
        let seen = [(&d_input, past), (&d_forget, past), (&d_output, state)];
        for (sum, (gate, seen)) in peepholes.iter_mut().zip(seen) {
            *sum = Some((gate * seen).reduce_sum(0, false)?);
        }
    }
    let gates = ops::concat(&[d_input, d_candidate, d_forget, d_output], 1)?;
    let [dx, dh, dw, db] = product(&gates, x, h, w)?.map(Some);
    Ok([dx, Some(d_past), dh, dw].into_iter().chain(peepholes).chain([db]).collect())
}

pub(super) fn lstm(g: &Gradient<'_>) -> Result<InputGradients> {
    if let Some(k) = (0..7).find(|k| ![1, 6].contains(k) && g.cotangents[*k].is_some()) {
        let name = ["i", "cs", "f", "o", "ci", "co", "h"][k];
        bail!(
            Unimplemented,
            "the gradient of an LSTM over all steps is that of its results `cs` and `h`, not of \
             `{name}`"
        );
    }
    let grads = [cotangent(g, 1)?, cotangent(g, 6)?];
    let operands: Vec<&Tensor> = g.inputs.iter().chain(g.outputs).chain(&grads).collect();
    let op = BlockLstmGradV2 { use_peephole: g.get(BlockLstmV2::USE_PEEPHOLE)? };
    let found = op.run_as::<Vec<Tensor>>(&operands)?;
    Ok(std::iter::once(None).chain(found.into_iter().map(Some)).collect())
}

pub(super) fn gru(g: &Gradient<'_>) -> Result<InputGradients> {
    let [x, h, gate_weights, weights, ..] = g.inputs else {
        bail!(Internal, "a GRU of {} operands", g.inputs.len())
    };
    let [reset, update, candidate, _] = g.outputs else {
        bail!(Internal, "a GRU of {} results", g.outputs.len())
    };
    let dh = cotangent(g, 3)?;
    let kept = ops::sub(update.ones_like()?, update)?;
    let d_candidate = tanh(candidate, cotangent(g, 2)? + &dh * kept)?;
    let [dx, d_past, dw, db] = product(&d_candidate, x, &(reset * h), weights)?;
    let d_reset = sigmoid(reset, cotangent(g, 0)? + &d_past * h)?;
    let d_update = sigmoid(update, cotangent(g, 1)? + &dh * (h - candidate))?;
    let gates = ops::concat(&[d_reset, d_update], 1)?;
    let [dx_gates, dh_gates, dw_gates, db_gates] = product(&gates, x, h, gate_weights)?;
    let dh = dh * update + d_past * reset + dh_gates;
    Ok([dx + dx_gates, dh, dw_gates, dw, db_gates, db].into_iter().map(Some).collect())
}

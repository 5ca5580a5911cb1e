//! How gradients go back through the steps of an LSTM.

use super::cells::{check, check_lstm, finished, matmul, times, wide, zeros};
use super::{BlockLstmGradV2, LstmBlockCellGrad};
use crate::array::{Array, vec_for};
use crate::ir::{InferContext, KernelContext, Outputs, Types};
use crate::types::{Dim, Result, Shape, TensorType, bail};

/// Checks results of an LSTM and their gradients, from operand `first` on.
fn check_results(c: &InferContext<'_>, first: usize, dims: &[Dim]) -> Result<()> {
    let names = ["i", "cs", "f", "o", "ci", "co", "h", "cs_grad", "h_grad"];
    // A single step does without `h`.
    let names = names.iter().filter(|name| dims.len() == 3 || **name != "h");
    names.zip(first..).try_for_each(|(name, i)| check(c, &[(name, i, dims)]))
}

pub(in crate::ops) fn infer_cell(c: &InferContext<'_>) -> Result<Types> {
    let x = c.shape(0).with_rank(2).map_err(|e| e.prefixed("`x`"))?;
    let [batch, cells] = check_lstm(c, 1, [x.dim(0)?, x.dim(1)?])?;
    check_results(c, 8, &[batch, cells])?;
    let gates = Shape::from_iter([batch, times(cells, 4)]);
    let gates = TensorType::new(c.input(0).dtype, gates);
    let peepholes = (4..7).map(|i| c.input(i).clone());
    Ok([c.input(1).clone(), gates].into_iter().chain(peepholes).collect())
}

pub(in crate::ops) fn infer(c: &InferContext<'_>) -> Result<Types> {
    let types = super::cells::infer_lstm(c)?;
    let dims = types[0].shape.dims().map_or_else(Vec::new, <[Dim]>::to_vec);
    check_results(c, 9, &dims)?;
    Ok((1..9).map(|i| c.input(i).clone()).collect())
}

/// The way back through an LSTM.
struct Back<'a> {
    /// Where the gates lie: input gate, candidate, forget gate, output gate.
    order: [usize; 4],
    cells: usize,
    /// The weights of the peepholes, if they count, and the sums of their gradients.
    peepholes: Option<[&'a [f32]; 3]>,
    sums: [Vec<f32>; 3],
}

impl Back<'_> {
    /// Goes back through a step. `known` are the state before it, and the first six results of the step. `state` is the
    /// gradient of the state behind the step, and becomes that of the state before it.
    fn step(&mut self, known: [&[f32]; 7], hidden: &[f32], state: &mut [f32], gates: &mut [f32]) {
        let slope = |y: f32| y * (1.0 - y);
        for at in 0..state.len() {
            let [past, input, next, forget, output, candidate, squashed] = known.map(|x| x[at]);
            let (row, cell) = (at / self.cells, at % self.cells);
            let d_output = slope(output) * hidden[at] * squashed;
            let mut d_next = state[at] + (1.0 - squashed * squashed) * hidden[at] * output;
            if let Some([_, _, seen]) = self.peepholes {
                d_next += d_output * seen[cell];
            }
            let d_input = slope(input) * d_next * candidate;
            let d_candidate = (1.0 - candidate * candidate) * d_next * input;
            let d_forget = slope(forget) * d_next * past;
            state[at] = d_next * forget;
            if let Some([by_input, by_forget, _]) = self.peepholes {
                state[at] += d_input * by_input[cell] + d_forget * by_forget[cell];
                let parts = [d_input * past, d_forget * past, d_output * next];
                self.sums.iter_mut().zip(parts).for_each(|(sum, part)| sum[cell] += part);
            }
            let all = [d_input, d_candidate, d_forget, d_output];
            for (gate, d) in self.order.iter().zip(all) {
                gates[(row * 4 + gate) * self.cells + cell] = d;
            }
        }
    }
}

pub(in crate::ops) fn cell(c: &KernelContext<'_>) -> Result<Outputs> {
    let wide = wide(c, 0)?;
    let x = wide.iter().map(Array::as_slice::<f32>).collect::<Result<Vec<_>>>()?;
    let &[batch, cells] = wide[1].dims() else { bail!("the state is a matrix") };
    let peepholes = c.get(LstmBlockCellGrad::USE_PEEPHOLE)?.then_some([x[4], x[5], x[6]]);
    let mut back = Back { order: [0, 1, 2, 3], cells, peepholes, sums: zeros(cells)? };
    let (mut state, [mut gates]) = (x[14].to_vec(), zeros(batch * cells * 4)?);
    back.step([x[1], x[8], x[9], x[10], x[11], x[12], x[13]], x[15], &mut state, &mut gates);
    let dtype = c.input(0).dtype();
    let mut all = finished(&[state], &[batch, cells], dtype)?;
    all.extend(finished(&[gates], &[batch, 4 * cells], dtype)?);
    all.extend(finished(&back.sums, &[cells], dtype)?);
    Ok(all)
}

pub(in crate::ops) fn steps(c: &KernelContext<'_>) -> Result<Outputs> {
    // Inference has refused other numbers of steps.
    let steps = c.input(0).to_i64s()?[0] as usize;
    let wide = wide(c, 1)?;
    let x = wide.iter().map(Array::as_slice::<f32>).collect::<Result<Vec<_>>>()?;
    let (&[time, batch, inputs], &[_, cells]) = (wide[0].dims(), wide[1].dims()) else {
        bail!("the inputs of an LSTM have rank 3, and its state is a matrix");
    };
    let (size, width) = (batch * cells, 4 * cells);
    // Steps without numbers change nothing, however many they are.
    let steps = if size == 0 { 0 } else { steps };
    let peepholes = c.get(BlockLstmGradV2::USE_PEEPHOLE)?.then_some([x[4], x[5], x[6]]);
    let mut back = Back { order: [0, 2, 1, 3], cells, peepholes, sums: zeros(cells)? };
    let weights =
        |rows: std::ops::Range<usize>| wide[3].view(rows.start * width, [rows.len(), width]);
    let (by_input, by_state) = (weights(0..inputs)?, weights(inputs..inputs + cells)?);
    let [mut gates] = zeros(steps * size * 4)?;
    let [mut state, mut hidden] = zeros(size)?;
    for t in (0..steps).rev() {
        let at = |k: usize| &x[k][t * size..][..size];
        state.iter_mut().zip(at(15)).for_each(|(sum, d)| *sum += d);
        hidden.iter_mut().zip(at(16)).for_each(|(sum, d)| *sum += d);
        let past = if t == 0 { x[1] } else { &x[9][(t - 1) * size..][..size] };
        let known = [past, at(8), at(9), at(10), at(11), at(12), at(13)];
        let own = &mut gates[t * size * 4..][..size * 4];
        back.step(known, &hidden, &mut state, own);
        let own = Array::from_slice([batch, width], own)?;
        hidden.copy_from_slice(matmul(&own, &by_state, false, true)?.as_slice()?);
    }
    let mut joined = vec_for(steps * batch * (inputs + cells))?;
    for t in 0..steps {
        let past = if t == 0 { x[2] } else { &x[14][(t - 1) * size..][..size] };
        for row in 0..batch {
            joined.extend_from_slice(&x[0][(t * batch + row) * inputs..][..inputs]);
            joined.extend_from_slice(&past[row * cells..][..cells]);
        }
    }
    let [mut bias] = zeros(width)?;
    for row in gates.chunks_exact(width.max(1)) {
        bias.iter_mut().zip(row).for_each(|(sum, d)| *sum += d);
    }
    let gates = Array::from_slice([steps * batch, width], &gates)?;
    let joined = Array::from_slice([steps * batch, inputs + cells], &joined)?;
    let mut of_inputs = matmul(&gates, &by_input, false, true)?.as_slice::<f32>()?.to_vec();
    // The steps that were not done.
    of_inputs.resize(x[0].len(), 0.0);
    let of_weights = matmul(&joined, &gates, true, false)?.as_slice::<f32>()?.to_vec();
    let dtype = c.input(1).dtype();
    let mut all = finished(&[of_inputs], &[time, batch, inputs], dtype)?;
    all.extend(finished(&[state, hidden], &[batch, cells], dtype)?);
    all.extend(finished(&[of_weights], &[inputs + cells, width], dtype)?);
    all.extend(finished(&back.sums, &[cells], dtype)?);
    all.extend(finished(&[bias], &[width], dtype)?);
    Ok(all)
}

pub(in crate::ops) fn infer_gru(c: &InferContext<'_>) -> Result<Types> {
    let step = super::cells::infer_gru(c)?.into_iter().next().map_or(Shape::unknown(), |t| t.shape);
    let [batch, cells] = [step.dim(0)?, step.dim(1)?];
    for (name, i) in ["r", "u", "c", "d_h"].into_iter().zip(6..) {
        check(c, &[(name, i, &[batch, cells])])?;
    }
    let of = |shape: Shape| TensorType::new(c.input(0).dtype, shape);
    let gates = Shape::from_iter([batch, times(cells, 2)]);
    Ok([c.input(0).clone(), c.input(1).clone(), of(step), of(gates)].into_iter().collect())
}

pub(in crate::ops) fn gru(c: &KernelContext<'_>) -> Result<Outputs> {
    let wide = wide(c, 0)?;
    let x = wide.iter().map(Array::as_slice::<f32>).collect::<Result<Vec<_>>>()?;
    let (&[batch, inputs], &[_, cells]) = (wide[0].dims(), wide[1].dims()) else {
        bail!("the inputs and the state of a GRU are matrices");
    };
    let (past, reset, update, candidate, d) = (x[1], x[6], x[7], x[8], x[9]);
    let (size, width) = (batch * cells, inputs + cells);
    let slope = |y: f32| y * (1.0 - y);
    let [mut d_candidate] = zeros(size)?;
    let [mut d_gates] = zeros(2 * size)?;
    for at in 0..size {
        let squashed = 1.0 - candidate[at] * candidate[at];
        d_candidate[at] = d[at] * (1.0 - update[at]) * squashed;
    }
    // The gradients of inputs and states side by side, first by way of the candidate, then by way of the gates.
    let step = Array::from_slice([batch, cells], &d_candidate)?;
    let first = matmul(&step, &wide[3], false, true)?;
    let first = first.as_slice::<f32>()?;
    let seen = |at: usize| first[at / cells * width + inputs + at % cells];
    for at in 0..size {
        let gate = at / cells * 2 * cells + at % cells;
        d_gates[gate] = seen(at) * past[at] * slope(reset[at]);
        d_gates[gate + cells] = d[at] * (past[at] - candidate[at]) * slope(update[at]);
    }
    let gates = Array::from_slice([batch, 2 * cells], &d_gates)?;
    let second = matmul(&gates, &wide[2], false, true)?;
    let second = second.as_slice::<f32>()?;
    let ([mut d_x], [mut d_past]) = (zeros(x[0].len())?, zeros(size)?);
    for (at, sum) in d_x.iter_mut().enumerate() {
        let place = at / inputs * width + at % inputs;
        *sum = first[place] + second[place];
    }
    for (at, sum) in d_past.iter_mut().enumerate() {
        let by_gates = second[at / cells * width + inputs + at % cells];
        *sum = by_gates + seen(at) * reset[at] + d[at] * update[at];
    }
    let dtype = c.input(0).dtype();
    let mut all = finished(&[d_x], &[batch, inputs], dtype)?;
    all.extend(finished(&[d_past, d_candidate], &[batch, cells], dtype)?);
    all.extend(finished(&[d_gates], &[batch, 2 * cells], dtype)?);
    Ok(all)
}

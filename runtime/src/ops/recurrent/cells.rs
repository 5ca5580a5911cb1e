//! What cells of recurrent networks compute.

use crate::array::{Array, vec_for};
use crate::ir::{InferContext, KernelContext, Outputs, Types};
use crate::ops::ordering::kernel::cast;
use crate::ops::quantization::clipped;
use crate::ops::{BlockLstmV2, LstmBlockCell, MatMul, NamedOp as _, Op as _};
use crate::types::{DType, Dim, Result, Shape, TensorType, bail};

/// `dim * n`, if it is known.
pub(super) fn times(dim: Dim, n: usize) -> Dim {
    Dim::from(dim.size().and_then(|size| size.checked_mul(n)))
}

fn sum(a: Dim, b: Dim) -> Dim {
    Dim::from(a.size().zip(b.size()).and_then(|(a, b)| a.checked_add(b)))
}

/// Checks the shapes of operands, which are given by name, number and sizes.
pub(super) fn check(c: &InferContext<'_>, operands: &[(&str, usize, &[Dim])]) -> Result<()> {
    for (name, i, dims) in operands {
        let wanted: Shape = dims.iter().copied().collect();
        if !c.shape(*i).is_compatible_with(&wanted) {
            bail!("`{name}` has shape {wanted}, not {}", c.shape(*i));
        }
    }
    Ok(())
}

/// `n` results of the dtype of input `i`.
fn results(c: &InferContext<'_>, i: usize, n: usize, dims: &[Dim]) -> Types {
    let each = TensorType::new(c.input(i).dtype, dims.iter().copied().collect::<Shape>());
    (0..n).map(|_| each.clone()).collect()
}

/// Checks the operands of an LSTM from number `i` on, the one after the inputs. The sizes of batch and states.
pub(super) fn check_lstm(
    c: &InferContext<'_>,
    i: usize,
    [batch, inputs]: [Dim; 2],
) -> Result<[Dim; 2]> {
    let state = c.shape(i).with_rank(2).map_err(|e| e.prefixed("`cs_prev`"))?;
    let cells = state.dim(1)?;
    let gates = times(cells, 4);
    let operands: [(_, _, &[Dim]); 7] = [
        ("cs_prev", i, &[batch, cells]),
        ("h_prev", i + 1, &[batch, cells]),
        ("w", i + 2, &[sum(inputs, cells), gates]),
        ("wci", i + 3, &[cells]),
        ("wcf", i + 4, &[cells]),
        ("wco", i + 5, &[cells]),
        ("b", i + 6, &[gates]),
    ];
    check(c, &operands)?;
    Ok([batch, cells])
}

pub(in crate::ops) fn infer_lstm_cell(c: &InferContext<'_>) -> Result<Types> {
    let x = c.shape(0).with_rank(2).map_err(|e| e.prefixed("`x`"))?;
    let sizes = check_lstm(c, 1, [x.dim(0)?, x.dim(1)?])?;
    Ok(results(c, 0, 7, &sizes))
}

pub(in crate::ops) fn infer_lstm(c: &InferContext<'_>) -> Result<Types> {
    c.shape(0).with_rank(0).map_err(|e| e.prefixed("`seq_len_max`"))?;
    let x = c.shape(1).with_rank(3).map_err(|e| e.prefixed("`x`"))?;
    let [batch, cells] = check_lstm(c, 2, [x.dim(1)?, x.dim(2)?])?;
    if let (Some([n]), Some(time)) = (c.integers(0).as_deref(), x.dim(0)?.size())
        && !(0..=time as i64).contains(n)
    {
        bail!("`seq_len_max` = {n}; there are {time} steps");
    }
    Ok(results(c, 1, 7, &[x.dim(0)?, batch, cells]))
}

pub(in crate::ops) fn infer_gru(c: &InferContext<'_>) -> Result<Types> {
    let x = c.shape(0).with_rank(2).map_err(|e| e.prefixed("`x`"))?;
    let h = c.shape(1).with_rank(2).map_err(|e| e.prefixed("`h_prev`"))?;
    let (batch, cells) = (x.dim(0)?, h.dim(1)?);
    let rows = sum(x.dim(1)?, cells);
    let operands: [(_, _, &[Dim]); 5] = [
        ("h_prev", 1, &[batch, cells]),
        ("w_ru", 2, &[rows, times(cells, 2)]),
        ("w_c", 3, &[rows, cells]),
        ("b_ru", 4, &[times(cells, 2)]),
        ("b_c", 5, &[cells]),
    ];
    check(c, &operands)?;
    Ok(results(c, 0, 4, &[batch, cells]))
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The inputs and states of each row side by side, times the weights, `[batch, columns]`.
fn product(
    x: &[f32],
    h: &[f32],
    [batch, inputs, cells]: [usize; 3],
    weights: &Array,
) -> Result<Array> {
    let mut joined = vec_for(x.len() + h.len())?;
    for row in 0..batch {
        joined.extend_from_slice(&x[row * inputs..][..inputs]);
        joined.extend_from_slice(&h[row * cells..][..cells]);
    }
    matmul(&Array::from_slice([batch, inputs + cells], &joined)?, weights, false, false)
}

pub(super) fn matmul(a: &Array, b: &Array, transpose_a: bool, transpose_b: bool) -> Result<Array> {
    MatMul::DEF.run_one(&[a, b], &MatMul { transpose_a, transpose_b }.attrs())
}

/// The inputs from `first` on, as float32.
pub(super) fn wide(c: &KernelContext<'_>, first: usize) -> Result<Vec<Array>> {
    c.inputs[first..].iter().map(|x| cast(x, DType::F32)).collect()
}

/// Results of these sizes, zero at first.
pub(super) fn zeros<const N: usize>(len: usize) -> Result<[Vec<f32>; N]> {
    let mut all = [const { Vec::new() }; N];
    for part in &mut all {
        *part = vec_for(len)?;
        part.resize(len, 0.0);
    }
    Ok(all)
}

pub(super) fn finished(all: &[Vec<f32>], dims: &[usize], dtype: DType) -> Result<Outputs> {
    all.iter().map(|part| cast(&Array::from_slice(dims, part)?, dtype)).collect()
}

/// How an LSTM differs from another one.
struct Variant {
    /// The blocks of the weights: input gate, candidate, forget gate, output gate.
    order: [usize; 4],
    forget_bias: f32,
    clip: f32,
    peephole: bool,
}

/// An LSTM over some steps; its inputs are those from `first` on.
fn lstm_over(
    c: &KernelContext<'_>,
    first: usize,
    steps: usize,
    variant: &Variant,
) -> Result<Outputs> {
    let (wide, dims) = (wide(c, first)?, c.input(first).dims());
    let &[batch, cells] = wide[1].dims() else { bail!("the state is a matrix") };
    let inputs = dims[dims.len() - 1];
    let mut parts = Vec::new();
    for x in &wide {
        parts.push(x.as_slice::<f32>()?);
    }
    let (x, mut state, mut h) = (parts[0], parts[1].to_vec(), parts[2].to_vec());
    let ([input_peephole, forget_peephole, output_peephole], bias) =
        ([parts[4], parts[5], parts[6]], parts[7]);
    let size = batch * cells;
    let mut dims = dims.to_vec();
    dims.pop();
    dims.push(cells);
    let mut all = zeros::<7>(crate::array::num_elements(&dims, 4)?)?;
    // Steps without numbers need no work, however many they are.
    for t in 0..if size == 0 { 0 } else { steps } {
        let gates = product(
            &x[t * batch * inputs..][..batch * inputs],
            &h,
            [batch, inputs, cells],
            &wide[3],
        )?;
        let gates = gates.as_slice::<f32>()?;
        for at in 0..size {
            let (row, cell) = (at / cells, at % cells);
            let gate = |k: usize| {
                let k = variant.order[k] * cells + cell;
                gates[row * 4 * cells + k] + bias[k]
            };
            let seen = |w: &[f32], x: f32| if variant.peephole { x * w[cell] } else { 0.0 };
            let input = sigmoid(gate(0) + seen(input_peephole, state[at]));
            let forget = gate(2) + variant.forget_bias + seen(forget_peephole, state[at]);
            let (candidate, forget) = (gate(1).tanh(), sigmoid(forget));
            let mut next = candidate * input + state[at] * forget;
            if variant.clip > 0.0 {
                next = clipped(next, -variant.clip, variant.clip);
            }
            let output = sigmoid(gate(3) + seen(output_peephole, next));
            let squashed = next.tanh();
            (state[at], h[at]) = (next, squashed * output);
            let results = [input, next, forget, output, candidate, squashed, h[at]];
            for (part, result) in all.iter_mut().zip(results) {
                part[t * size + at] = result;
            }
        }
    }
    finished(&all, &dims, c.input(first).dtype())
}

pub(in crate::ops) fn lstm_cell(c: &KernelContext<'_>) -> Result<Outputs> {
    let variant = Variant {
        order: [0, 1, 2, 3],
        forget_bias: c.get(LstmBlockCell::FORGET_BIAS)?,
        clip: c.get(LstmBlockCell::CELL_CLIP)?,
        peephole: c.get(LstmBlockCell::USE_PEEPHOLE)?,
    };
    lstm_over(c, 0, 1, &variant)
}

pub(in crate::ops) fn lstm(c: &KernelContext<'_>) -> Result<Outputs> {
    // Inference has refused other numbers of steps.
    let steps = c.input(0).to_i64s()?[0] as usize;
    let variant = Variant {
        order: [0, 2, 1, 3],
        forget_bias: 0.0,
        clip: c.get(BlockLstmV2::CELL_CLIP)?,
        peephole: c.get(BlockLstmV2::USE_PEEPHOLE)?,
    };
    lstm_over(c, 1, steps, &variant)
}

pub(in crate::ops) fn gru(c: &KernelContext<'_>) -> Result<Outputs> {
    let wide = wide(c, 0)?;
    let &[batch, cells] = wide[1].dims() else { bail!("the state is a matrix") };
    let (x, h) = (wide[0].as_slice::<f32>()?, wide[1].as_slice::<f32>()?);
    let (gate_bias, bias) = (wide[4].as_slice::<f32>()?, wide[5].as_slice::<f32>()?);
    let size = batch * cells;
    let [mut reset, mut update, mut candidate, mut next] = zeros::<4>(size)?;
    if size == 0 {
        return finished(&[reset, update, candidate, next], &[batch, cells], c.input(0).dtype());
    }
    let sizes = [batch, c.input(0).dims()[1], cells];
    let gates = product(x, h, sizes, &wide[2])?;
    let gates = gates.as_slice::<f32>()?;
    let mut past = h.to_vec();
    for at in 0..size {
        let (row, cell) = (at / cells, at % cells);
        let gate = |k: usize| sigmoid(gates[row * 2 * cells + k] + gate_bias[k]);
        (reset[at], update[at]) = (gate(cell), gate(cells + cell));
        past[at] *= reset[at];
    }
    let candidates = product(x, &past, sizes, &wide[3])?;
    for (at, sum) in candidates.as_slice::<f32>()?.iter().enumerate() {
        candidate[at] = (sum + bias[at % cells]).tanh();
        next[at] = (1.0 - update[at]) * candidate[at] + update[at] * h[at];
    }
    finished(&[reset, update, candidate, next], &[batch, cells], c.input(0).dtype())
}

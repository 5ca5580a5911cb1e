//! Cells of recurrent networks: one step of an LSTM or a GRU, and an LSTM over all steps; the ops of their gradients.

mod back;
mod cells;
mod gradient;

use crate::define_op;
use crate::types::{DType, DTypeSet};

/// The dtypes of cells.
const CELLS: DTypeSet = DTypeSet::of(&[DType::F16, DType::F32]);

define_op! {
    /// One step of an LSTM: input gate, state, forget gate, output gate, the candidate, the squashed state, and the
    /// output.
    ///
    /// TensorFlow: `LSTMBlockCell`. Inputs `[batch, n]`, states and outputs `[batch, cells]`, weights `[n + cells, 4 * cells]`
    /// in the order input gate, candidate, forget gate, output gate. A `cell_clip` above zero bounds the state; the three
    /// vectors of peepholes count with `use_peephole`.
    pub op LstmBlockCell = "LSTMBlockCell" {
        inputs: { x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T },
        outputs: { i: T, cs: T, f: T, o: T, ci: T, co: T, h: T },
        types: { T: CELLS },
        attrs: { forget_bias: f32 = 1.0, cell_clip: f32 = 3.0, use_peephole: bool = false },
        dispatch: none,
        infer: cells::infer_lstm_cell, kernel: cells::lstm_cell,
        gradient: gradient::lstm_cell,
    }

    /// An LSTM over all steps: the seven results of [`LstmBlockCell`] for each step.
    ///
    /// TensorFlow: `BlockLSTMV2`. Inputs `[time, batch, n]`; the order of the weights is input gate, forget gate, candidate,
    /// output gate. Steps from `seq_len_max` on are zero. As in TensorFlow, it has the gradients of the states and the outputs;
    /// those of the other results are refused.
    pub op BlockLstmV2 = "BlockLSTMV2" {
        inputs: {
            seq_len_max: {I64}, x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T
        },
        outputs: { i: T, cs: T, f: T, o: T, ci: T, co: T, h: T },
        types: { T: CELLS },
        attrs: { cell_clip: f32 = 0.0, use_peephole: bool = false },
        dispatch: none,
        infer: cells::infer_lstm, kernel: cells::lstm,
        gradient: gradient::lstm,
    }

    /// One step of a GRU: reset gate, update gate, the candidate, and the output, which is the next state.
    ///
    /// TensorFlow: `GRUBlockCell`. Inputs `[batch, n]`, states `[batch, cells]`, weights `[n + cells, 2 * cells]` of both gates and
    /// `[n + cells, cells]` of the candidate.
    pub op GruBlockCell = "GRUBlockCell" {
        inputs: { x: T, h_prev: T, w_ru: T, w_c: T, b_ru: T, b_c: T },
        outputs: { r: T, u: T, c: T, h: T },
        types: { T: CELLS },
        dispatch: none,
        infer: cells::infer_gru, kernel: cells::gru,
        gradient: gradient::gru,
    }

    /// The gradients of one step of an LSTM by the state before it, by its four gates before they are squashed, and by its
    /// peepholes.
    ///
    /// TensorFlow: `LSTMBlockCellGrad`. The operands and the first six results of [`LstmBlockCell`], and the gradients with
    /// respect to its state and its output.
    pub op LstmBlockCellGrad = "LSTMBlockCellGrad" {
        inputs: {
            x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T, i: T, cs: T, f: T, o: T, ci: T, co: T,
            cs_grad: T, h_grad: T
        },
        outputs: { cs_prev_grad: T, dicfo: T, wci_grad: T, wcf_grad: T, wco_grad: T },
        types: { T: CELLS }, attrs: { use_peephole: bool },
        dispatch: none,
        infer: back::infer_cell, kernel: back::cell,
        gradient: none,
    }

    /// The gradients of one step of a GRU by its input, by the state before it, by the candidate before it is squashed, and
    /// by both gates before they are.
    ///
    /// TensorFlow: `GRUBlockCellGrad`. The operands and the first three results of [`GruBlockCell`], and the gradient with
    /// respect to its output.
    pub op GruBlockCellGrad = "GRUBlockCellGrad" {
        inputs: { x: T, h_prev: T, w_ru: T, w_c: T, b_ru: T, b_c: T, r: T, u: T, c: T, d_h: T },
        outputs: { d_x: T, d_h_prev: T, d_c_bar: T, d_r_bar_u_bar: T },
        types: { T: CELLS },
        dispatch: none,
        infer: back::infer_gru, kernel: back::gru,
        gradient: none,
    }

    /// The gradients of an LSTM over all steps by its operands.
    ///
    /// TensorFlow: `BlockLSTMGradV2`. The operands and the results of [`BlockLstmV2`], and the gradients with respect to its
    /// states and its outputs. TensorFlow's kernel for CPUs takes the second and the third gate for each other; this is the
    /// derivative.
    pub op BlockLstmGradV2 = "BlockLSTMGradV2" {
        inputs: {
            seq_len_max: {I64}, x: T, cs_prev: T, h_prev: T, w: T, wci: T, wcf: T, wco: T, b: T, i: T, cs: T, f: T,
            o: T, ci: T, co: T, h: T, cs_grad: T, h_grad: T
        },
        outputs: {
            x_grad: T, cs_prev_grad: T, h_prev_grad: T, w_grad: T, wci_grad: T, wcf_grad: T, wco_grad: T, b_grad: T
        },
        types: { T: CELLS }, attrs: { use_peephole: bool },
        dispatch: none,
        infer: back::infer, kernel: back::steps,
        gradient: none,
    }
}

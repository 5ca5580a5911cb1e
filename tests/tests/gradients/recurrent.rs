//! Gradients of cells of recurrent networks, compared with those of the same functions made of other ops.

use super::floats;
use extype::prelude::*;

/// Numbers that look like none in particular.
fn numbers(dims: &[usize], seed: usize) -> Tensor {
    let len = dims.iter().product::<usize>();
    let x: Vec<f32> = (0..len).map(|i| ((i * 7 + seed * 13) as f32).sin() * 0.8).collect();
    Tensor::from_slice(&x, dims).expect("a number for each place")
}

fn weighted(results: &[Tensor]) -> Result<Tensor> {
    let mut sum = scalar(0.0f32);
    for (k, y) in results.iter().enumerate() {
        let weights = ops::sin(&ops::add(y.zeros_like()?, (k + 1) as f32)?)?;
        sum = ops::add(&sum, &ops::mul(y, &weights)?.reduce_sum(.., false)?)?;
    }
    Ok(sum)
}

/// The gradients of a weighted sum of the results, and those of the sum of their squares.
fn slopes(f: impl Fn(&[Tensor]) -> Result<Vec<Tensor>>, x: &[Tensor]) -> Result<[Vec<Tensor>; 2]> {
    let first = grad(|x: &Vec<Tensor>| weighted(&f(x)?));
    let second = grad(|x: &Vec<Tensor>| {
        let mut sum = scalar(0.0f32);
        for y in first(x)? {
            sum = ops::add(&sum, &y.square()?.reduce_sum(.., false)?)?;
        }
        Ok(sum)
    });
    Ok([first(&x.to_vec())?, second(&x.to_vec())?])
}

#[track_caller]
fn assert_near(found: &[Tensor], wanted: &[Tensor]) {
    assert_eq!(found.len(), wanted.len());
    for (k, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        assert_eq!(found.shape(), wanted.shape());
        for (a, b) in floats(found).iter().zip(floats(wanted)) {
            assert!((a - b).abs() < 2e-4 * (1.0 + b.abs()), "operand {k}: {found} and {wanted}");
        }
    }
}

/// A step of an LSTM, with the places of its gates: input gate, candidate, forget gate, output gate.
fn lstm_step(
    x: &[Tensor],
    order: [i64; 4],
    forget_bias: f32,
    peephole: bool,
) -> Result<Vec<Tensor>> {
    let [x, state, h, w, wci, wcf, wco, b] = x else { panic!("an LSTM has eight operands") };
    let gates = ops::add(&ops::concat(&[x, h], 1)?.matmul(w)?, b)?;
    let cells = state.shape().dim(1)?.size().expect("known") as i64;
    let gate = |k: usize, seen: Option<(&Tensor, &Tensor)>| -> Result<Tensor> {
        let part = gates.slice([0, order[k] * cells], [-1, cells])?;
        match seen.filter(|_| peephole) {
            Some((state, weights)) => ops::add(&part, &ops::mul(state, weights)?),
            None => Ok(part),
        }
    };
    let input = gate(0, Some((state, wci)))?.sigmoid()?;
    let candidate = gate(1, None)?.tanh()?;
    let forget = ops::add(&gate(2, Some((state, wcf)))?, forget_bias)?.sigmoid()?;
    let next = &candidate * &input + state * &forget;
    let output = gate(3, Some((&next, wco)))?.sigmoid()?;
    let squashed = next.tanh()?;
    let h = &squashed * &output;
    Ok(vec![input, next, forget, output, candidate, squashed, h])
}

fn lstm_operands(x: &[usize], cells: usize) -> Vec<Tensor> {
    let (batch, inputs) = (x[x.len() - 2], x[x.len() - 1]);
    let (state, gates) = ([batch, cells], 4 * cells);
    let dims: [&[usize]; 8] =
        [x, &state, &state, &[inputs + cells, gates], &[cells], &[cells], &[cells], &[gates]];
    dims.iter().enumerate().map(|(k, dims)| numbers(dims, k)).collect()
}

#[test]
fn a_step_of_an_lstm_has_gradients_of_all_results_and_orders() -> Result<()> {
    let x = lstm_operands(&[2, 3], 2);
    for use_peephole in [false, true] {
        let op = ops::LstmBlockCell { forget_bias: 0.5, cell_clip: -1.0, use_peephole };
        let found = slopes(|x| op.run_as(&x.iter().collect::<Vec<_>>()), &x)?;
        let wanted = slopes(|x| lstm_step(x, [0, 1, 2, 3], 0.5, use_peephole), &x)?;
        // Peepholes that do not count have no gradient, or zeros.
        let counts = |k: &usize| use_peephole || !(4..7).contains(k);
        for (found, wanted) in found.iter().zip(&wanted) {
            let of = |all: &[Tensor]| -> Vec<Tensor> {
                (0..8).filter(counts).map(|k| all[k].clone()).collect()
            };
            assert_near(&of(found), &of(wanted));
        }
    }
    Ok(())
}

#[test]
fn a_step_of_a_gru_has_gradients_of_all_results_and_orders() -> Result<()> {
    let dims: [&[usize]; 6] = [&[2, 3], &[2, 2], &[5, 4], &[5, 2], &[4], &[2]];
    let x: Vec<Tensor> = dims.iter().enumerate().map(|(k, dims)| numbers(dims, k)).collect();
    let found = slopes(|x| ops::GruBlockCell {}.run_as(&x.iter().collect::<Vec<_>>()), &x)?;
    let wanted = slopes(
        |x| {
            let [x, h, gate_weights, weights, gate_bias, bias] = x else { panic!("six operands") };
            let gates = ops::add(&ops::concat(&[x, h], 1)?.matmul(gate_weights)?, gate_bias)?;
            let gates = gates.sigmoid()?;
            let (reset, update) = (gates.slice([0, 0], [-1, 2])?, gates.slice([0, 2], [-1, 2])?);
            let past = ops::concat(&[x, &(&reset * h)], 1)?;
            let candidate = ops::add(&past.matmul(weights)?, bias)?.tanh()?;
            let next = ops::sub(1.0, &update)? * &candidate + &update * h;
            Ok(vec![reset, update, candidate, next])
        },
        &x,
    )?;
    assert_near(&found[0], &wanted[0]);
    assert_near(&found[1], &wanted[1]);
    Ok(())
}

/// Fewer steps than there are inputs; also in a trace that knows no sizes.
#[test]
fn the_gradient_of_an_lstm_over_all_steps_is_that_of_its_steps() -> Result<()> {
    let x = lstm_operands(&[3, 2, 3], 2);
    for use_peephole in [false, true] {
        let op = ops::BlockLstmV2 { cell_clip: 0.0, use_peephole };
        let whole = |x: &[Tensor]| -> Result<Tensor> {
            let steps = Tensor::scalar(2i64);
            let operands: Vec<&Tensor> = std::iter::once(&steps).chain(x).collect();
            let all: Vec<Tensor> = op.run_as(&operands)?;
            weighted(&[all[1].clone(), all[6].clone()])
        };
        let by_steps = |x: &[Tensor]| -> Result<Tensor> {
            let (mut states, mut outputs) = (Vec::new(), Vec::new());
            let mut operands = x.to_vec();
            for t in 0..3 {
                operands[0] = x[0].index(t)?;
                let step = lstm_step(&operands, [0, 2, 1, 3], 0.0, use_peephole)?;
                // The last step is not done.
                let done = if t < 2 { 1.0f32 } else { 0.0 };
                states.push(ops::mul(&step[1], done)?);
                outputs.push(ops::mul(&step[6], done)?);
                (operands[1], operands[2]) = (step[1].clone(), step[6].clone());
            }
            weighted(&[ops::stack(&states, 0)?, ops::stack(&outputs, 0)?])
        };
        let found = grad(|x: &Vec<Tensor>| whole(x))(&x)?;
        assert_near(&found, &grad(|x: &Vec<Tensor>| by_steps(x))(&x)?);
        let traced = function(move |x: &Vec<Tensor>| grad(|x: &Vec<Tensor>| whole(x))(x));
        let unknown: Vec<TensorSpec> =
            x.iter().map(|x| TensorSpec::new(Shape::of_rank(x.rank().unwrap_or(0)), f32)).collect();
        assert_near(&traced.concrete(&unknown)?.call_flat(&x)?, &found);
    }
    Ok(())
}

/// Operands of an LSTM of one cell, with these inputs.
fn small_operands(x: Tensor) -> [Tensor; 8] {
    [
        x,
        tensor![[0.9f32]],
        tensor![[0.2f32]],
        tensor![[0.3f32, -0.2, 0.8, 0.5], [0.1, 0.4, -0.6, 0.7]],
        tensor![0.2f32],
        tensor![-0.1f32],
        tensor![0.3f32],
        tensor![0.1f32, 0.2, 0.3, -0.4],
    ]
}

#[track_caller]
fn assert_told(found: &[Tensor], told: &[&[f32]]) {
    assert_eq!(found.len(), told.len());
    for (found, told) in found.iter().zip(told) {
        let found = floats(found);
        assert_eq!(found.len(), told.len());
        for (a, b) in found.iter().zip(*told) {
            assert!((a - b).abs() < 1e-5, "{found:?} and {told:?}");
        }
    }
}

/// TensorFlow's for these steps made of other ops, with the bound of the state, which the first step reaches, passed by. (Its
/// own op for CPUs takes the second and the third gate for each other: what it gives is no derivative.)
#[test]
fn recorded_gradients_of_an_lstm_with_a_bound() -> Result<()> {
    let x = small_operands(tensor![[[0.5f32]], [[-0.3]]]);
    let slopes = grad(|x: &Vec<Tensor>| {
        let steps = Tensor::scalar(2i64);
        let operands: Vec<&Tensor> = std::iter::once(&steps).chain(x).collect();
        let op = ops::BlockLstmV2 { cell_clip: 0.6, use_peephole: true };
        let all: Vec<Tensor> = op.run_as(&operands)?;
        let states = ops::mul(&all[1], tensor![[[1.0f32]], [[2.0]]])?.reduce_sum(.., false)?;
        ops::add(states, &ops::mul(&all[6], tensor![[[3.0f32]], [[-1.0]]])?.reduce_sum(.., false)?)
    });
    let told: [&[f32]; 8] = [
        &[1.197_689, 0.578_600_5],
        &[1.554_088],
        &[-0.249_116_5],
        &[
            0.197_406_4,
            0.263_163_6,
            0.404_907_1,
            0.189_498_6,
            0.060_539_1,
            0.200_213_1,
            0.507_637_7,
            0.047_703_41,
        ],
        &[0.304_266_6],
        &[0.736_864_3],
        &[0.183_309_5],
        &[0.323_142_7, 0.895_688_4, 2.154_543, 0.269_699_3],
    ];
    assert_told(&slopes(&x.to_vec())?, &told);
    Ok(())
}

/// As TensorFlow's.
#[test]
fn the_op_of_the_gradient_of_a_step() -> Result<()> {
    let x = small_operands(tensor![[0.5f32]]);
    let op = ops::LstmBlockCell { forget_bias: 1.0, cell_clip: -1.0, use_peephole: true };
    let results: Vec<Tensor> = op.run_as(&x.iter().collect::<Vec<_>>())?;
    let grads = [tensor![[1.0f32]], tensor![[3.0f32]]];
    let operands: Vec<&Tensor> = x.iter().chain(&results[..6]).chain(&grads).collect();
    let op = ops::LstmBlockCellGrad { use_peephole: true };
    let found: Vec<Tensor> = op.run_as(&operands)?;
    let told: [&[f32]; 5] = [
        &[1.653_747_9],
        &[0.086_334_094, 1.205_638_3, 0.275_445_34, 0.508_095_2],
        &[0.077_700_68],
        &[0.247_900_8],
        &[0.428_432_76],
    ];
    assert_told(&found, &told);
    Ok(())
}

/// As TensorFlow's.
#[test]
fn the_op_of_the_gradient_of_a_step_of_a_gru() -> Result<()> {
    let weights = |rows: usize, columns: usize, of: fn(usize) -> f32| {
        Tensor::from_slice(&(0..rows * columns).map(of).collect::<Vec<f32>>(), &[rows, columns])
    };
    let x = [
        tensor![[0.5f32, -0.3, 0.2], [0.1, 0.7, -0.4]],
        tensor![[0.9f32, -0.2], [0.3, 0.4]],
        weights(5, 4, |i| (i % 7) as f32 * 0.25 - 0.6)?,
        weights(5, 2, |i| (i % 3) as f32 * 0.5 - 0.4)?,
        tensor![0.1f32, 0.2, 0.3, -0.4],
        tensor![0.2f32, -0.1],
    ];
    let results: Vec<Tensor> = ops::GruBlockCell {}.run_as(&x.iter().collect::<Vec<_>>())?;
    let grad = tensor![[1.0f32, 2.0], [-0.5, 0.25]];
    let operands: Vec<&Tensor> = x.iter().chain(&results[..3]).chain([&grad]).collect();
    let found: Vec<Tensor> = ops::GruBlockCellGrad {}.run_as(&operands)?;
    let told: [&[f32]; 4] = [
        &[-0.153_192_18, 0.263_645_47, 0.704_854_25, 0.058_155_857, -0.116_662_9, 0.080_264_2],
        &[0.187_435, 0.638_023, -0.356_027, 0.044_573],
        &[0.538_637_94, 1.149_306, -0.102_993, 0.108_874_5],
        &[
            -0.022_358_648,
            0.006_265_708,
            0.298_993_44,
            -0.226_603_02,
            0.003_559_076_5,
            -0.008_323_096,
            0.027_686_564,
            0.053_747_963,
        ],
    ];
    assert_told(&found, &told);
    let refused =
        ops::GruBlockCellGrad {}.run_as::<Vec<Tensor>>(&[&operands[..9], &[&x[0]]].concat());
    assert!(refused.unwrap_err().to_string().contains("`d_h` has shape"));
    Ok(())
}

#[test]
fn the_gates_of_an_lstm_over_all_steps_have_no_gradient_and_say_so() -> Result<()> {
    let x = lstm_operands(&[3, 2, 3], 2);
    let e = grad(|x: &Vec<Tensor>| {
        let steps = Tensor::scalar(3i64);
        let operands: Vec<&Tensor> = std::iter::once(&steps).chain(x).collect();
        let op = ops::BlockLstmV2 { cell_clip: 0.0, use_peephole: false };
        let all: Vec<Tensor> = op.run_as(&operands)?;
        all[3].reduce_sum(.., false)
    })(&x);
    let e = e.unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Unimplemented);
    assert!(e.to_string().contains("`cs` and `h`, not of `o`"), "{e}");
    Ok(())
}

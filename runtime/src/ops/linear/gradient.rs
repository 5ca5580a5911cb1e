//! Gradients of matrix products, einsum and biases.

use crate::array::Array;
use crate::ops;
use crate::ops::linear::equation::{Equation, Label, Labels, Subscripts};
use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients, conjugate, sizes};
use crate::ops::{BatchMatMul, BiasAdd, Einsum, MatMul, Op as _, SlidingSums};
use crate::tensor::{Tensor, execute};
use crate::types::{DType, Result, err};

/// Runs `Einsum` with the equation of these subscripts.
fn contract(inputs: Vec<Subscripts>, output: Subscripts, xs: &[&Tensor]) -> Result<Tensor> {
    let equation = Equation { inputs, output }.to_string();
    ops::Einsum { equation }.run(xs)
}

/// The cotangent of input `i`. The other inputs and the cotangent of the result are contracted to the
/// labels that the input shares with them, then broadcast to its other labels.
fn of_input(g: &Gradient<'_>, equation: &Equation, labels: &[Labels], i: usize) -> Result<Tensor> {
    let (x, dy) = (g.x(i), g.dy()?);
    let own = &equation.inputs[i];
    let (mut inputs, mut xs) = (vec![equation.output.clone()], vec![dy.clone()]);
    for (j, subscripts) in equation.inputs.iter().enumerate().filter(|(j, _)| *j != i) {
        inputs.push(subscripts.clone());
        xs.push(conjugate(g.x(j))?);
    }
    let (mut shared, mut summed): (Vec<u8>, Vec<u8>) = (Vec::new(), Vec::new());
    for l in own.letters() {
        let is_shared = inputs.iter().any(|s| s.letters().any(|other| other == l));
        let list = if is_shared { &mut shared } else { &mut summed };
        if !list.contains(&l) {
            list.push(l);
        }
    }
    let hidden = equation.output.has_ellipsis();
    let core = Subscripts::new(hidden, shared.clone());
    let mut gradient = contract(inputs, core, &xs.iter().collect::<Vec<_>>())?;
    // The sizes of the input in this order: axes of its ellipsis, shared letters, summed letters.
    let place = |l: Label| labels[i].iter().position(|own| *own == l).map(|axis| axis as i64);
    let ellipsis = labels[i].iter().filter(|l| matches!(l, Label::Ellipsis(_)));
    let letters = |list: &[u8]| list.iter().map(|l| Label::Letter(*l)).collect::<Labels>();
    let front = ellipsis.copied().chain(letters(&shared)).filter_map(place);
    let (front, behind): (Vec<i64>, Vec<i64>) =
        (front.collect(), letters(&summed).into_iter().filter_map(place).collect());
    let of_x = sizes(x)?.to_tensor()?.cast(DType::I64)?;
    let sizes_at = |axes: &[i64]| of_x.gather(&Tensor::Value(Array::from_i64s(axes)), 0);
    if hidden {
        // The ellipsis of the input may be shorter, and its axes repeated.
        let (own, all) = (sizes_at(&front)?, sizes(&gradient)?.to_tensor()?.cast(DType::I64)?);
        let op = ops::BroadcastGradientArgs {};
        let axes = execute(op.def(), op.attrs(), &[&own, &all])?;
        gradient = gradient.reduce_sum(&axes[0], false)?.reshape(&own)?;
    }
    if !summed.is_empty() {
        let ones = Tensor::Value(Array::from_i64s(&vec![1; behind.len()]));
        let column = gradient.reshape(&ops::concat(&[&sizes_at(&front)?, &ones], 0)?)?;
        let whole: Vec<i64> = front.iter().chain(&behind).copied().collect();
        gradient = column.broadcast_to(&sizes_at(&whole)?)?;
    }
    let all = Subscripts::new(own.has_ellipsis(), [shared, summed].concat());
    if all == *own { Ok(gradient) } else { contract(vec![all], own.clone(), &[&gradient]) }
}

pub(in crate::ops) fn einsum(g: &Gradient<'_>) -> Result<InputGradients> {
    let equation = Equation::parse(&g.get(Einsum::EQUATION)?, g.inputs.len())?;
    let ranks = g.inputs.iter().zip(&equation.inputs).map(|(x, subscripts)| {
        let rank = x.rank().or((!subscripts.has_ellipsis()).then(|| subscripts.letters().count()));
        rank.ok_or_else(|| err!(Unimplemented, "the rank is unknown"))
    });
    let (labels, _) = equation.labels(&ranks.collect::<Result<Vec<_>>>()?)?;
    let of = |i| g.wants(i).then(|| of_input(g, &equation, &labels, i)).transpose();
    (0..g.inputs.len()).map(of).collect()
}

pub(in crate::ops) fn bias_add(g: &Gradient<'_>) -> Result<InputGradients> {
    let dy = g.dy()?;
    let op = ops::BiasAddGrad { data_format: g.get(BiasAdd::DATA_FORMAT)? };
    Ok([Some(dy.clone()), Some(op.run(&[dy])?)].into_iter().collect())
}

pub(in crate::ops) fn bias_add_grad(g: &Gradient<'_>) -> Result<InputGradients> {
    // Each entry is a sum over all places of its channel.
    let (x, dy) = (g.x(0), g.dy()?);
    let op = ops::BiasAdd { data_format: g.get(BiasAdd::DATA_FORMAT)? };
    Ok([Some(op.run(&[&x.zeros_like()?, dy])?)].into_iter().collect())
}

/// The gradients of a product that are wanted: each is a product of the cotangent with the other
/// operand. The gradient of a transposed operand (true) is transposed as well.
fn of_product(
    g: &Gradient<'_>,
    [ta, tb]: [bool; 2],
    [a, b]: [&Tensor; 2],
    product: impl Fn(&Tensor, &Tensor, bool, bool) -> Result<Tensor>,
) -> Result<[Option<Tensor>; 2]> {
    let dy = g.dy()?;
    let of_a = || if ta { product(b, dy, tb, true) } else { product(dy, b, false, !tb) };
    let of_b = || if tb { product(dy, a, true, ta) } else { product(a, dy, !ta, false) };
    Ok([g.wants(0).then(of_a).transpose()?, g.wants(1).then(of_b).transpose()?])
}

pub(in crate::ops) fn mat_mul(g: &Gradient<'_>) -> Result<InputGradients> {
    let transposed = [g.get(MatMul::TRANSPOSE_A)?, g.get(MatMul::TRANSPOSE_B)?];
    let operands = [&conjugate(g.x(0))?, &conjugate(g.x(1))?];
    let product = |x: &Tensor, y: &Tensor, transpose_a, transpose_b| {
        MatMul { transpose_a, transpose_b }.run(&[x, y])
    };
    Ok(of_product(g, transposed, operands, product)?.into_iter().collect())
}

pub(in crate::ops) fn batch_mat_mul(g: &Gradient<'_>) -> Result<InputGradients> {
    let adjoint = [g.get(BatchMatMul::ADJ_X)?, g.get(BatchMatMul::ADJ_Y)?];
    let product = |x: &Tensor, y: &Tensor, adj_x, adj_y| BatchMatMul { adj_x, adj_y }.run(&[x, y]);
    let found = of_product(g, adjoint, [g.x(0), g.x(1)], product)?;
    let summed = found.into_iter().enumerate();
    summed.map(|(i, g_i)| g_i.map(|g_i| sum_batches(g_i, g.x(i))).transpose()).collect()
}

/// Sums the batch axes along which an operand was repeated.
pub(in crate::ops) fn sum_batches(g: Tensor, x: &Tensor) -> Result<Tensor> {
    if g.shape() == x.shape() && x.shape().is_fully_defined() {
        return Ok(g);
    }
    let (sx, sg) = (sizes(x)?.to_tensor()?, sizes(&g)?.to_tensor()?);
    let op = ops::BroadcastGradientArgs {};
    let axes = execute(op.def(), op.attrs(), &[&sx, &sg])?;
    // The matrix axes agree, so only batch axes (and axes of size 1, a sum of one) are summed.
    g.reduce_sum(&axes[0], false)?.reshape(sizes(x)?)
}

/// Both are sliding sums: of the cotangent, with the window turned around, and with the cotangent as window.
pub(in crate::ops) fn sliding_sums(g: &Gradient<'_>) -> Result<InputGradients> {
    let (x, y, dy) = (conjugate(g.x(0))?, conjugate(g.x(1))?, g.dy()?);
    let SlidingSums { before, after, turned } = g.op()?;
    let of_x = SlidingSums { before, after, turned: !turned }.run(&[dy, &y])?;
    let (along, window) = if turned { (dy, &x) } else { (&x, dy) };
    let of_y = SlidingSums { before, after, turned: false }.run(&[along, window])?;
    Ok([Some(of_x), Some(of_y)].into_iter().collect())
}

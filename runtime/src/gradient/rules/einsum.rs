//! Sums of products, biases.

use super::super::broadcast::sizes;
use super::{Gradient, conj};
use crate::array::Array;
use crate::ops::equation::{Equation, Label, Labels, Subscripts};
use crate::ops::{self, Op};
use crate::tensor::Tensor;
use crate::types::{DType, Result, err};

/// The call of an equation.
fn contract(inputs: Vec<Subscripts>, output: Subscripts, xs: &[&Tensor]) -> Result<Tensor> {
    let equation = Equation { inputs, output }.to_string();
    ops::Einsum { equation }.run(xs)
}

/// The cotangent of input `i`: the others and the cotangent of the result, contracted to what
/// the input shares with them, then spread to the rest of the input.
fn of_input(g: &Gradient<'_>, equation: &Equation, labels: &[Labels], i: usize) -> Result<Tensor> {
    let (x, dy) = (g.x(i), g.dy()?);
    let own = &equation.inputs[i];
    let (mut inputs, mut xs) = (vec![equation.output.clone()], vec![dy.clone()]);
    for (j, subscripts) in equation.inputs.iter().enumerate().filter(|(j, _)| *j != i) {
        inputs.push(subscripts.clone());
        xs.push(conj(g.x(j))?);
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
    // The sizes of the input by label: axes of its ellipsis, shared letters, summed letters.
    let place = |l: Label| labels[i].iter().position(|own| *own == l).map(|axis| axis as i64);
    let ellipsis = labels[i].iter().filter(|l| matches!(l, Label::Ellipsis(_)));
    let letters = |list: &[u8]| list.iter().map(|l| Label::Letter(*l)).collect::<Labels>();
    let front = ellipsis.copied().chain(letters(&shared)).filter_map(place);
    let (front, behind): (Vec<i64>, Vec<i64>) =
        (front.collect(), letters(&summed).into_iter().filter_map(place).collect());
    let of_x = sizes(x)?.to_tensor().cast(DType::I64)?;
    let sizes_at = |axes: &[i64]| of_x.gather(&Tensor::Value(Array::from_i64s(axes)), 0);
    if hidden {
        // The ellipsis of the input may be shorter, and its axes repeated.
        let (own, all) = (sizes_at(&front)?, sizes(&gradient)?.to_tensor().cast(DType::I64)?);
        let op = ops::BroadcastGradientArgs {};
        let axes = crate::tensor::execute(op.def(), op.attrs(), &[&own, &all])?;
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

crate::define_gradient!("Einsum", |g| {
    let equation = Equation::parse(&g.attrs.get::<String>("equation")?, g.inputs.len())?;
    let ranks = g.inputs.iter().zip(&equation.inputs).map(|(x, subscripts)| {
        let rank = x.rank().or((!subscripts.has_ellipsis()).then(|| subscripts.letters().count()));
        rank.ok_or_else(|| err!(Unimplemented, "the rank is unknown"))
    });
    let (labels, _) = equation.labels(&ranks.collect::<Result<Vec<_>>>()?)?;
    (0..g.inputs.len()).map(|i| of_input(g, &equation, &labels, i).map(Some)).collect()
});

crate::define_gradient!("BiasAdd", |g| {
    let dy = g.dy()?;
    let op = ops::BiasAddGrad { data_format: g.attrs.get("data_format")? };
    Ok([Some(dy.clone()), Some(op.run(&[dy])?)].into_iter().collect())
});

crate::define_gradient!("BiasAddGrad", |g| {
    // Each entry was summed over all places of its channel.
    let (x, dy) = (g.x(0), g.dy()?);
    let op = ops::BiasAdd { data_format: g.attrs.get("data_format")? };
    Ok([Some(op.run(&[&x.zeros_like()?, dy])?)].into_iter().collect())
});

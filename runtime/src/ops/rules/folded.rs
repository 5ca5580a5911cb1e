//! Batching rules of ops with an axis of independent parts: examples, channels, rows. The calls become one whose axis
//! is longer.

use super::batch::{Batch, Batched, Lane};
use crate::ops;
use crate::ops::methods::*;
use crate::tensor::{Tensor, execute};
use crate::types::{DType, Result, err};

/// What happens to an operand when calls become one.
#[derive(Clone, Copy)]
pub(in crate::ops) enum Fold {
    /// This axis takes up the calls.
    Axis(usize),
    /// The sizes of a tensor: this entry is multiplied by the number of calls.
    Sizes(usize),
    /// It must be the same in all calls.
    Shared,
}

/// The rule of ops that treat each example by itself. These operands and all results have one along the first axis.
pub(in crate::ops) fn examples(b: &Batch<'_>, operands: &[usize]) -> Result<Batched> {
    let fold = |i| if operands.contains(&i) { Fold::Axis(0) } else { Fold::Shared };
    folded(b, &(0..b.inputs.len()).map(fold).collect::<Vec<_>>(), 0)
}

/// Folds the calls into axes of the operands, and out of axis `result` of the results.
pub(in crate::ops) fn folded(b: &Batch<'_>, folds: &[Fold], result: usize) -> Result<Batched> {
    let mut inputs = Vec::with_capacity(folds.len());
    for (i, fold) in folds.iter().enumerate() {
        let input = match *fold {
            Fold::Axis(axis) => match b.all(i)? {
                x if x.rank().is_some_and(|rank| axis + 1 < rank) => Some(into(&x, axis)?),
                _ => None,
            },
            Fold::Sizes(entry) => b.same(i).map_or(Ok(None), |sizes| longer(b, sizes, entry))?,
            Fold::Shared => b.same(i).cloned(),
        };
        let Some(input) = input else { return Ok(None) };
        inputs.push(input);
    }
    let results = execute(b.op, b.attrs.clone(), &inputs.iter().collect::<Vec<_>>())?;
    let apart = results.iter().enumerate();
    apart.map(|(i, y)| out_of(b, y, i, result).map(Lane::Each)).collect::<Result<_>>().map(Some)
}

/// The rule of ops along the first axes, `axes` of them, of the first operand; the others must be the same in all calls.
/// Calls become axes behind.
pub(in crate::ops) fn behind(b: &Batch<'_>, axes: usize) -> Result<Batched> {
    let x = b.each(0).filter(|x| x.rank().is_some_and(|rank| axes < rank));
    let others: Option<Vec<Tensor>> = (1..b.inputs.len()).map(|i| b.same(i).cloned()).collect();
    let (Some(x), Some(others)) = (x, others) else { return Ok(None) };
    let inputs: Vec<Tensor> = std::iter::once(moved(x, 0, axes)?).chain(others).collect();
    let results = execute(b.op, b.attrs.clone(), &inputs.iter().collect::<Vec<_>>())?;
    results.iter().map(|y| moved(y, 1, 0).map(Lane::Each)).collect::<Result<_>>().map(Some)
}

/// The rule of ops that take any leading axes of these operands; the others must be the same in all calls.
pub(in crate::ops) fn stacks(b: &Batch<'_>, operands: &[usize]) -> Result<Batched> {
    let input = |i: usize| match operands.contains(&i) {
        true => b.rank(i).map(|_| b.all(i)).transpose(),
        false => Ok(b.same(i).cloned()),
    };
    let inputs = (0..b.inputs.len()).map(input).collect::<Result<Option<Vec<_>>>>()?;
    inputs.map_or(Ok(None), |inputs| b.run(&inputs))
}

/// Results of which only the first depends on the call.
pub(in crate::ops) fn first_of_each(found: Batched) -> Batched {
    let same = |(i, lane)| match lane {
        Lane::Each(t) if i > 0 => Lane::Same(t),
        lane => lane,
    };
    found.map(|lanes| lanes.into_iter().enumerate().map(same).collect())
}

/// Moves an axis; the others keep their order.
fn moved(x: &Tensor, from: usize, to: usize) -> Result<Tensor> {
    if from == to {
        return Ok(x.clone());
    }
    let rank = x.rank().ok_or_else(|| err!(Internal, "a stack of calls has an unknown rank"))?;
    let mut order: Vec<usize> = (0..rank).collect();
    let axis = order.remove(from);
    order.insert(to, axis);
    x.transpose(order)
}

/// Moves the calls from the first axis into another one, where they come first.
fn into(x: &Tensor, axis: usize) -> Result<Tensor> {
    let x = moved(x, 0, axis)?;
    if let Some(mut sizes) = x.shape().sizes() {
        let merged = sizes[axis].saturating_mul(sizes.remove(axis + 1));
        sizes[axis] = merged;
        return x.reshape(&sizes[..]);
    }
    let sizes = ops::shape_of(&x)?.cast(DType::I64)?;
    let merged = sizes.index((axis..axis + 2,))?.reduce_prod(.., true)?;
    let (before, after) = (sizes.index((..axis,))?, sizes.index((axis + 2..,))?);
    x.reshape(&ops::concat(&[&before, &merged, &after], 0)?)
}

/// Moves the calls from within an axis of result `i` to a first axis.
fn out_of(b: &Batch<'_>, y: &Tensor, i: usize, axis: usize) -> Result<Tensor> {
    let inner = b.outputs[i].shape.dim(axis as i64)?.size();
    let split = match (b.count.dim.size(), y.shape().sizes(), inner) {
        (Some(count), Some(sizes), Some(inner)) => {
            let (before, after) = (&sizes[..axis], &sizes[axis + 1..]);
            y.reshape([before, &[count, inner], after].concat())?
        }
        _ => {
            let sizes = ops::shape_of(y)?.cast(DType::I64)?;
            let inner = match inner {
                Some(inner) => Tensor::from_slice(&[inner as i64], &[1])?,
                None => {
                    let all = sizes.index((axis..axis + 1,))?;
                    ops::floor_div(all, ops::maximum(&b.count.tensor, 1i64)?)?
                }
            };
            let count = b.count.tensor.reshape([1i64])?;
            let (before, after) = (sizes.index((..axis,))?, sizes.index((axis + 1..,))?);
            y.reshape(&ops::concat(&[&before, &count, &inner, &after], 0)?)?
        }
    };
    moved(&split, axis, 0)
}

/// Sizes with an entry multiplied by the number of calls. Sizes without the first axis, that of the examples, stay as they
/// are; the other operands tell it.
fn longer(b: &Batch<'_>, sizes: &Tensor, entry: usize) -> Result<Option<Tensor>> {
    let (Some(len), Some(rank)) = (sizes.shape().num_elements(), b.outputs[0].shape.rank()) else {
        return Ok(None);
    };
    if len != rank {
        return Ok((entry == 0).then(|| sizes.clone()));
    }
    let ones = |n: usize| Tensor::from_slice(&vec![1i64; n], &[n]);
    let (before, after) = (ones(entry)?, ones(len - entry - 1)?);
    let factors = ops::concat(&[&before, &b.count.tensor.reshape([1i64])?, &after], 0)?;
    ops::mul(sizes, factors.cast(sizes.dtype())?).map(Some)
}

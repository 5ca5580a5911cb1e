//! Gradients: what came of a segment goes back to its rows.

use crate::array::Array;
use crate::ops;
use crate::ops::methods::*;
use crate::ops::movement::gradient::size_vector;
use crate::ops::rules::gradient::{Gradient, InputGradients, first};
use crate::ops::{
    NamedOp, Op, Rank, SparseSegmentMeanGrad, SparseSegmentSqrtNGrad, SparseSegmentSumGrad,
};
use crate::tensor::Tensor;
use crate::types::{DType, Result};

/// How many rows a tensor has.
fn height(x: &Tensor) -> Result<Tensor> {
    size_vector(x)?.gather(&Tensor::scalar(0i64), 0)
}

/// The ids of the rows, and the number of segments.
struct Segments<'a> {
    ids: &'a Tensor,
    n: Tensor,
    /// Whether the ids ascend; otherwise some may be negative.
    sorted: bool,
}

impl<'a> Segments<'a> {
    fn of(g: &'a Gradient<'_>) -> Result<Self> {
        let sorted = g.inputs.len() == 2;
        let n = if sorted { height(g.y())? } else { g.x(2).clone() };
        Ok(Self { ids: g.x(1), n, sorted })
    }

    /// For each row what belongs to its segment; zeros for rows with a negative id.
    fn back(&self, of_segments: &Tensor) -> Result<Tensor> {
        if self.sorted {
            return of_segments.gather(self.ids, 0);
        }
        let rows = of_segments.pad(&one_row_behind(of_segments)?)?;
        let behind = self.n.cast(self.ids.dtype())?;
        let places = ops::select(&self.ids.less(&self.ids.zeros_like()?)?, &behind, self.ids)?;
        rows.gather(&places, 0)
    }

    fn sum(&self, rows: &Tensor) -> Result<Tensor> {
        ops::unsorted_segment_sum(rows, self.ids, &self.n)
    }
}

/// The paddings that put a row of zeros behind the others.
fn one_row_behind(x: &Tensor) -> Result<Tensor> {
    let Some(rank) = x.rank() else {
        let axes = ops::range(0i32, Rank {}.run(&[x])?, 1i32)?;
        let after = axes.equal(0)?.cast(DType::I64)?;
        return ops::stack(&[&after.zeros_like()?, &after], 1);
    };
    let mut paddings = vec![0; 2 * rank];
    paddings[1] = 1;
    Ok(Tensor::Value(Array::from_i64s(&paddings).reshape([rank, 2])?))
}

pub(in crate::ops) fn sum(g: &Gradient<'_>) -> Result<Tensor> {
    Segments::of(g)?.back(g.dy()?)
}

pub(in crate::ops) fn mean(g: &Gradient<'_>) -> Result<Tensor> {
    let (s, dy) = (Segments::of(g)?, g.dy()?);
    let counts = s.sum(&g.x(0).ones_like()?)?;
    s.back(&ops::div_no_nan(dy, &counts)?)
}

/// The rows that equal the result share its cotangent.
pub(in crate::ops) fn extreme(g: &Gradient<'_>) -> Result<Tensor> {
    let (s, dy) = (Segments::of(g)?, g.dy()?);
    let chosen = g.x(0).equal(&s.back(g.y())?)?.cast(dy.dtype())?;
    let share = ops::div_no_nan(dy, &s.sum(&chosen)?)?;
    ops::mul(&chosen, &s.back(&share)?)
}

/// The cotangent times the product of the other rows.
pub(in crate::ops) fn prod(g: &Gradient<'_>) -> Result<Tensor> {
    let (s, x, dy) = (Segments::of(g)?, g.x(0), g.dy()?);
    let (zero, one) = (x.zeros_like()?, x.ones_like()?);
    let is_zero = x.equal(&zero)?;
    let zeros = s.back(&s.sum(&is_zero.cast(dy.dtype())?)?)?;
    let others = ops::select(&is_zero, &one, x)?;
    let of_others = ops::unsorted_segment_prod(&others, s.ids, &s.n)?;
    // Beside a zero only the zero itself has a gradient, beside two nothing has.
    let alone = ops::select(&zeros.equal(&one)?, &s.back(&of_others)?, &zero)?;
    let partial = ops::select(&is_zero, &alone, &ops::div(&s.back(g.y())?, &others)?)?;
    // As in TensorFlow, the product of complex rows is not conjugated.
    ops::mul(&s.back(dy)?, &partial)
}

/// The rule of a sparse segment op, whose gradient is the op `Back`.
fn picked<Back: Op + NamedOp>(g: &Gradient<'_>, back: &Back) -> Result<InputGradients> {
    let n = height(g.x(0))?.cast(DType::I32)?;
    Ok(first(g, back.run(&[g.dy()?, g.x(1), g.x(2), &n])?))
}

pub(in crate::ops) fn picked_sum(g: &Gradient<'_>) -> Result<InputGradients> {
    picked(g, &SparseSegmentSumGrad {})
}

pub(in crate::ops) fn picked_mean(g: &Gradient<'_>) -> Result<InputGradients> {
    picked(g, &SparseSegmentMeanGrad {})
}

pub(in crate::ops) fn picked_sqrt_n(g: &Gradient<'_>) -> Result<InputGradients> {
    picked(g, &SparseSegmentSqrtNGrad {})
}

/// The gradient of a gradient: the rows that are picked are summed again, and divided by `divisor` of their number.
fn again(
    g: &Gradient<'_>,
    divisor: impl FnOnce(Tensor) -> Result<Option<Tensor>>,
) -> Result<InputGradients> {
    let (x, ids, dy) = (g.x(0), g.x(2), g.dy()?);
    let n = height(x)?;
    let picked = dy.gather(g.x(1), 0)?;
    let sum = ops::unsorted_segment_sum(&picked, ids, &n)?;
    let counts = ops::unsorted_segment_sum(&picked.ones_like()?, ids, &n)?;
    Ok(first(
        g,
        match divisor(counts)? {
            Some(divisor) => ops::div_no_nan(&sum, &divisor)?,
            None => sum,
        },
    ))
}

pub(in crate::ops) fn sum_again(g: &Gradient<'_>) -> Result<InputGradients> {
    again(g, |_| Ok(None))
}

pub(in crate::ops) fn mean_again(g: &Gradient<'_>) -> Result<InputGradients> {
    again(g, |counts| Ok(Some(counts)))
}

pub(in crate::ops) fn sqrt_n_again(g: &Gradient<'_>) -> Result<InputGradients> {
    again(g, |counts| counts.sqrt().map(Some))
}

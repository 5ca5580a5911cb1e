//! Running reductions, products over axes, and searches.

use super::super::broadcast::sizes;
use super::reduction::{spread, with_axes};
use super::{Gradient, conj, first, no_gradients};
use crate::ops::{self, Axis, Cumprod, Cumsum, CumulativeLogsumexp, Integers, Op};
use crate::tensor::Tensor;
use crate::types::{DType, Result, err, normalize_axis};

/// The orders of axes that bring the reduced ones to the front and back again, and the sizes of
/// the matrix whose columns are reduced.
struct Columns {
    order: Integers,
    back: Integers,
    sizes: Integers,
}

impl Columns {
    fn of(g: &Gradient<'_>, rank: usize) -> Result<Self> {
        let (x, axes) = (g.x(0), g.x(1));
        let known = axes.value().ok().and_then(|a| a.to_i64s().ok());
        match (known, x.shape().sizes()) {
            (Some(axes), Some(sizes)) => Self::known(&axes, &sizes),
            _ => Self::unknown(x, axes, rank),
        }
    }

    fn known(axes: &[i64], sizes: &[usize]) -> Result<Self> {
        let mut reduced = vec![false; sizes.len()];
        for axis in axes {
            reduced[normalize_axis(*axis, sizes.len())?] = true;
        }
        let of = |flag: bool| (0..sizes.len()).filter(|i| reduced[*i] == flag).collect::<Vec<_>>();
        let (reduced, kept) = (of(true), of(false));
        let product = |axes: &[usize]| axes.iter().map(|i| sizes[*i]).product::<usize>();
        let matrix = [product(&reduced), product(&kept)];
        let order = [reduced, kept].concat();
        let mut back = vec![0i64; order.len()];
        for (place, axis) in order.iter().enumerate() {
            back[*axis] = place as i64;
        }
        Ok(Self { order: order.into(), back: back.into(), sizes: matrix.into() })
    }

    /// The same, computed by ops.
    fn unknown(x: &Tensor, axes: &Tensor, rank: usize) -> Result<Self> {
        let count = rank as i64;
        let axes = ops::rem(&axes.cast(DType::I64)?.reshape([-1])?, count)?;
        let flags = ops::unsorted_segment_sum(&axes.ones_like()?, &axes, &Tensor::scalar(count))?;
        let is_reduced = flags.greater(0)?;
        let (flags, others) = (flags.minimum(1)?, is_reduced.logical_not()?.cast(DType::I64)?);
        let before = |flags: &Tensor| {
            Cumsum { exclusive: true, reverse: false, axis: Axis(0) }.run(&[flags])
        };
        let behind = ops::add(&before(&others)?, &flags.reduce_sum(.., false)?)?;
        let back = ops::select(&is_reduced, &before(&flags)?, &behind)?;
        let axes = Tensor::from_vec((0..count).collect());
        let order = ops::unsorted_segment_sum(&axes, &back, &Tensor::scalar(count))?;
        let all = sizes(x)?.to_tensor();
        let ones = all.ones_like()?;
        let product =
            |a: &Tensor, b: &Tensor| ops::select(&is_reduced, a, b)?.reduce_prod(.., false);
        let matrix = ops::stack(&[&product(&all, &ones)?, &product(&ones, &all)?], 0)?;
        Ok(Self { order: order.into(), back: back.into(), sizes: matrix.into() })
    }
}

crate::define_gradient!("Prod", |g| {
    let (x, dy) = (g.x(0), spread(g, g.dy()?)?);
    let rank = x.rank().ok_or_else(|| err!(Unimplemented, "the rank is unknown"))?;
    if rank == 0 {
        return Ok(first(g, dy));
    }
    // The product of the others is that of those before and those behind, which is right also
    // where elements are zero.
    let columns = Columns::of(g, rank)?;
    let front = x.transpose(&columns.order)?;
    let matrix = front.reshape(&columns.sizes)?;
    let others = |reverse: bool| {
        let product = Cumprod { exclusive: true, reverse, axis: Axis(0) }.run(&[&matrix])?;
        conj(&product)
    };
    let others = ops::mul(&others(false)?, &others(true)?)?;
    let others = others.reshape(sizes(&front)?)?.transpose(&columns.back)?;
    Ok(first(g, ops::mul(&dy, &others)?))
});

crate::define_gradient!("EuclideanNorm", |g| {
    let (y, dy) = (with_axes(g, g.y())?, with_axes(g, g.dy()?)?);
    Ok(first(g, ops::div(g.x(0), &ops::div(&y, &dy)?)?))
});

/// How the op ran: exclusive, reverse.
fn mode(g: &Gradient<'_>) -> Result<(bool, bool)> {
    Ok((g.attrs.get("exclusive")?, g.attrs.get("reverse")?))
}

/// A running reduction of another tensor along the axis of this op, which may be unknown.
fn along<O: Op>(g: &Gradient<'_>, op: &O, x: &Tensor) -> Result<Tensor> {
    crate::tensor::execute_one(op.def(), op.attrs(), &[x, g.x(1)])
}

crate::define_gradient!("Cumsum", |g| {
    let (exclusive, reverse) = mode(g)?;
    let op = Cumsum { exclusive, reverse: !reverse, axis: Axis(0) };
    Ok(first(g, along(g, &op, g.dy()?)?))
});

crate::define_gradient!("Cumprod", |g| {
    let (exclusive, reverse) = mode(g)?;
    let op = Cumsum { exclusive, reverse: !reverse, axis: Axis(0) };
    let sums = along(g, &op, &ops::mul(&conj(g.y())?, g.dy()?)?)?;
    Ok(first(g, ops::div_no_nan(&sums, &conj(g.x(0))?)?))
});

crate::define_gradient!("CumulativeLogsumexp", |g| {
    let (exclusive, reverse) = mode(g)?;
    let op = CumulativeLogsumexp { exclusive, reverse: !reverse, axis: Axis(0) };
    let (x, y, dy) = (g.x(0), g.y(), g.dy()?);
    // Logarithms are of the positive and of the negative cotangents, each without the others.
    let nothing = ops::fill([0i64; 0], &Tensor::scalar(f64::NEG_INFINITY).cast(x.dtype())?)?;
    let part = |of: &Tensor| {
        let log = ops::select(of.greater(0.0)?, of.log()?, &nothing)?;
        // Where no cotangent is there is none to pass on, whatever the result was.
        let share = ops::select(of.greater(0.0)?, ops::sub(&log, y)?, &nothing)?;
        ops::add(&along(g, &op, &share)?, x)?.exp()
    };
    Ok(first(g, ops::sub(&part(dy)?, &part(&ops::neg(dy)?)?)?))
});

no_gradients!("ArgMax", "ArgMin");

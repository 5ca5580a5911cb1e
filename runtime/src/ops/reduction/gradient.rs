//! Gradients of reductions over axes.

use crate::ir::KEEP_DIMS;
use crate::ops;
use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients, conjugate, first, sizes};
use crate::ops::{Axis, Cumprod, Cumsum, Integers, Op as _};
use crate::tensor::Tensor;
use crate::types::{DType, Result, err, normalize_axis};

/// A cotangent with the reduced axes restored with size 1, so that it broadcasts against the operand.
pub(in crate::ops) fn with_axes(g: &Gradient<'_>, t: &Tensor) -> Result<Tensor> {
    if g.get(KEEP_DIMS)? {
        return Ok(t.clone());
    }
    t.reshape(kept_sizes(g)?)
}

/// The sizes of the operand with 1 for the reduced axes.
fn kept_sizes(g: &Gradient<'_>) -> Result<Integers> {
    let (x, axes) = (g.x(0), g.x(1));
    let axes_known = axes.data().ok().and_then(|a| a.to_i64s().ok());
    if let (Some(rank), Some(known)) = (x.rank(), axes_known) {
        let mut gone = vec![false; rank];
        for axis in known {
            gone[normalize_axis(axis, rank)?] = true;
        }
        let sizes = match gone.iter().all(|gone| *gone) {
            true => Integers::from(vec![1i64; rank]),
            false => sizes(x)?,
        };
        return Ok(match sizes {
            Integers::Known(mut sizes) => {
                sizes.iter_mut().zip(gone).filter(|(_, gone)| *gone).for_each(|(n, _)| *n = 1);
                Integers::Known(sizes)
            }
            Integers::Tensor(sizes) => {
                let gone = Tensor::from_vec(gone);
                ops::select(&gone, &sizes.ones_like()?, &sizes)?.into()
            }
            Integers::Unknown => Integers::Unknown,
        });
    }
    // Otherwise read the sizes from the same reduction with its axes kept.
    let kept = ops::ReduceSum::new(axes, true).run(&[x])?;
    ops::shape_of(&kept).map(Integers::Tensor)
}

/// A cotangent repeated along the reduced axes.
pub(in crate::ops) fn spread(g: &Gradient<'_>, dy: &Tensor) -> Result<Tensor> {
    with_axes(g, dy)?.broadcast_to(sizes(g.x(0))?)
}

pub(in crate::ops) fn reduce_sum(g: &Gradient<'_>) -> Result<InputGradients> {
    Ok(first(g, spread(g, g.dy()?)?))
}

pub(in crate::ops) fn reduce_mean(g: &Gradient<'_>) -> Result<InputGradients> {
    let (x, y, dy) = (g.x(0), g.y(), g.dy()?);
    let spread = spread(g, dy)?;
    let count = match (x.shape().num_elements(), y.shape().num_elements()) {
        (Some(n), Some(m)) => Tensor::scalar((n / m.max(1)) as f64),
        _ => {
            let (n, m) =
                (ops::size(x)?.cast(crate::DType::F64)?, ops::size(y)?.cast(crate::DType::F64)?);
            ops::div(&n, &ops::maximum(&m, 1.0)?)?
        }
    };
    Ok(first(g, ops::div(&spread, &count.cast(x.dtype())?)?))
}

/// The largest or smallest elements share the cotangent equally.
pub(in crate::ops) fn extremum(g: &Gradient<'_>) -> Result<InputGradients> {
    let (x, dy) = (g.x(0), g.dy()?);
    let chosen = x.equal(&with_axes(g, g.y())?)?.cast(dy.dtype())?;
    let count = ops::reduce_sum(&chosen, g.x(1), true)?;
    let share = ops::div(&with_axes(g, dy)?, &count)?;
    Ok(first(g, ops::mul(&chosen, &share)?))
}

/// The permutations that bring the reduced axes to the front and back, and the sizes of the matrix
/// whose columns are reduced.
struct Columns {
    order: Integers,
    back: Integers,
    sizes: Integers,
}

impl Columns {
    fn of(g: &Gradient<'_>, rank: usize) -> Result<Self> {
        let (x, axes) = (g.x(0), g.x(1));
        let known = axes.data().ok().and_then(|a| a.to_i64s().ok());
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

    /// As `known`, computed by ops.
    fn unknown(x: &Tensor, axes: &Tensor, rank: usize) -> Result<Self> {
        let count = rank as i64;
        let axes = ops::floor_mod(&axes.cast(DType::I64)?.reshape([-1])?, count)?;
        let flags = ops::unsorted_segment_sum(&axes.ones_like()?, &axes, Tensor::scalar(count))?;
        let is_reduced = flags.greater(0)?;
        let (flags, others) = (flags.minimum(1)?, is_reduced.logical_not()?.cast(DType::I64)?);
        let before = |flags: &Tensor| {
            Cumsum { exclusive: true, reverse: false, axis: Axis(0) }.run(&[flags])
        };
        let behind = ops::add(&before(&others)?, &flags.reduce_sum(.., false)?)?;
        let back = ops::select(&is_reduced, &before(&flags)?, &behind)?;
        let axes = Tensor::from_vec((0..count).collect());
        let order = ops::unsorted_segment_sum(&axes, &back, Tensor::scalar(count))?;
        let all = sizes(x)?.to_tensor()?;
        let ones = all.ones_like()?;
        let product =
            |a: &Tensor, b: &Tensor| ops::select(&is_reduced, a, b)?.reduce_prod(.., false);
        let matrix = ops::stack(&[&product(&all, &ones)?, &product(&ones, &all)?], 0)?;
        Ok(Self { order: order.into(), back: back.into(), sizes: matrix.into() })
    }
}

pub(in crate::ops) fn reduce_prod(g: &Gradient<'_>) -> Result<InputGradients> {
    let (x, dy) = (g.x(0), spread(g, g.dy()?)?);
    let rank = x.rank().ok_or_else(|| err!(Unimplemented, "the rank is unknown"))?;
    if rank == 0 {
        return Ok(first(g, dy));
    }
    // The product of all other elements is the product of the elements before times that of those
    // after. This also holds where elements are zero.
    let columns = Columns::of(g, rank)?;
    let front = x.transpose(&columns.order)?;
    let matrix = front.reshape(&columns.sizes)?;
    let others = |reverse: bool| {
        let product = Cumprod { exclusive: true, reverse, axis: Axis(0) }.run(&[&matrix])?;
        conjugate(&product)
    };
    let others = ops::mul(&others(false)?, &others(true)?)?;
    let others = others.reshape(sizes(&front)?)?.transpose(&columns.back)?;
    Ok(first(g, ops::mul(&dy, &others)?))
}

pub(in crate::ops) fn reduce_euclidean_norm(g: &Gradient<'_>) -> Result<InputGradients> {
    let (y, dy) = (with_axes(g, g.y())?, with_axes(g, g.dy()?)?);
    Ok(first(g, ops::mul_no_nan(&ops::div(g.x(0), &y)?, &dy)?))
}

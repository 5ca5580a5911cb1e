//! Reductions.

use super::super::broadcast::sizes;
use super::{Gradient, InputGradients, first, no_gradients};
use crate::ops::{self, Integers, Op};
use crate::tensor::Tensor;
use crate::types::{Result, normalize_axis};

/// A cotangent with the reduced axes back, so that it broadcasts against the operand.
pub(super) fn with_axes(g: &Gradient<'_>, t: &Tensor) -> Result<Tensor> {
    if g.attrs.get("keep_dims")? {
        return Ok(t.clone());
    }
    t.reshape(kept_sizes(g)?)
}

/// The sizes of the operand with 1 for the reduced axes.
fn kept_sizes(g: &Gradient<'_>) -> Result<Integers> {
    let (x, axes) = (g.x(0), g.x(1));
    let axes_known = axes.value().ok().and_then(|a| a.to_i64s().ok());
    if let (Some(mut sizes), Some(known)) = (x.shape().sizes(), axes_known) {
        for axis in known {
            let i = normalize_axis(axis, sizes.len())?;
            sizes[i] = 1;
        }
        return Ok(Integers::from(&sizes[..]));
    }
    // The same reduction of anything that has the operand's shape and keeps its axes has them.
    let kept = ops::ReduceSum::new(axes, true).run(&[x])?;
    ops::shape_of(&kept).map(Integers::Tensor)
}

/// A cotangent repeated along the reduced axes.
pub(super) fn spread(g: &Gradient<'_>, dy: &Tensor) -> Result<Tensor> {
    with_axes(g, dy)?.broadcast_to(sizes(g.x(0))?)
}

crate::define_gradient!("Sum", |g| Ok(first(g, spread(g, g.dy()?)?)));

crate::define_gradient!("Mean", |g| {
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
});

/// The largest or smallest elements share the cotangent equally.
fn extremum(g: &Gradient<'_>) -> Result<InputGradients> {
    let (x, dy) = (g.x(0), g.dy()?);
    let chosen = x.equal(&with_axes(g, g.y())?)?.cast(dy.dtype())?;
    let count = ops::reduce_sum(&chosen, g.x(1), true)?;
    let share = ops::div(&with_axes(g, dy)?, &count)?;
    Ok(first(g, ops::mul(&chosen, &share)?))
}

crate::define_gradient!("Max", extremum);
crate::define_gradient!("Min", extremum);

no_gradients!("All", "Any");

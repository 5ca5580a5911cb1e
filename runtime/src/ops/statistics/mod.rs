//! Statistics of data and of series: order statistics, averages, histograms, differences, sums of
//! products along a line.

#[cfg(feature = "linalg")]
mod fitting;
mod histograms;
mod moments;
mod polynomials;
mod quantiles;
mod series;
mod tapers;
mod windows;

#[cfg(feature = "linalg")]
pub use fitting::*;
pub use histograms::*;
pub use moments::*;
pub use polynomials::*;
pub use quantiles::*;
pub use series::*;
pub use tapers::*;
pub use windows::*;

use crate::ops::args::{Axes, KeepDims};
use crate::ops::checks::check;
use crate::ops::methods::*;
use crate::ops::options::Over;
use crate::ops::{concat, known_axes, rank_of, shape_of, size};
use crate::tensor::Tensor;
use crate::types::{Result, bail, err};

/// Moves the axes to the end and flattens them into one last axis; the other axes keep their order.
fn rows_over(x: &Tensor, axes: &Axes) -> Result<Tensor> {
    let Axes::List(list) = axes else { return x.reshape([-1]) };
    let rank = rank_of(x)?;
    let axes = known_axes(list, rank)?;
    let others = (0..rank).filter(|a| !axes.contains(a));
    let order: Vec<i64> = others.chain(axes.iter().copied()).map(|a| a as i64).collect();
    let x = x.transpose(order)?;
    let kept = (rank - axes.len()) as i64;
    if axes.len() == 1 {
        return Ok(x);
    }
    let sizes = shape_of(&x)?;
    let (outer, inner) = (sizes.slice([0], [kept])?, sizes.slice([kept], [-1])?);
    x.reshape(&concat(&[outer, inner.reduce_prod(.., KeepDims)?], 0)?)
}

/// Rejects a vector whose length is not the size of an axis: at once if both are known, otherwise when
/// the program runs. `what` names its elements in the message.
fn check_along(vector: &Tensor, x: &Tensor, axis: usize, what: &str) -> Result<()> {
    let along = x.shape().dim(axis as i64)?;
    if vector.rank() != Some(1) || !vector.shape().dim(0)?.is_compatible_with(along) {
        bail!("{what} of shape {} for axis {axis} of {}", vector.shape(), x.shape());
    }
    if vector.shape().dim(0)?.size().is_some() && along.size().is_some() {
        return Ok(());
    }
    let (own, along) = (size(vector)?, shape_of(x)?.index(axis)?);
    check(&own.equal(&along)?, &format!("{what} for axis {axis} of another size:"), &[&own, &along])
}

/// A float64 vector of `n` numbers from an iterator; an error if there is no memory for them.
pub(crate) fn collected(numbers: impl Iterator<Item = f64>, n: usize) -> Result<Tensor> {
    let mut all = Vec::new();
    all.try_reserve_exact(n).map_err(|_| err!(ResourceExhausted, "no memory for {n} places"))?;
    all.extend(numbers);
    Ok(Tensor::from_vec::<f64>(all))
}

/// A reduced result; the reduced axes are restored with size 1 if `over` keeps them.
fn keeping(y: Tensor, x: &Tensor, over: &Over) -> Result<Tensor> {
    if !over.keep_dims {
        return Ok(y);
    }
    let rank = rank_of(x)?;
    let mut axes = match &over.axes {
        Axes::All => (0..rank).collect(),
        Axes::List(list) => known_axes(list, rank)?,
    };
    axes.sort_unstable();
    axes.into_iter().try_fold(y, |y, axis| y.expand_dims(axis))
}

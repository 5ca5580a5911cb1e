//! Output types of discrete Fourier transforms.

use crate::ir::{InferContext, Types};
use crate::ops::rules::infer::one;
use crate::types::{DType, Dim, Result, Shape, bail};

fn enough_axes(c: &InferContext<'_>, axes: usize) -> Result<()> {
    match c.shape(0).rank() {
        Some(rank) if rank < axes => {
            bail!("a transform over {axes} axes of shape {}", c.shape(0))
        }
        _ => Ok(()),
    }
}

pub(in crate::ops) fn complex(c: &InferContext<'_>, axes: usize) -> Result<Types> {
    enough_axes(c, axes)?;
    one(c.input(0).dtype, c.shape(0).clone())
}

/// The number of frequencies that the transform of `n` real numbers has.
pub(in crate::ops) fn half(n: usize) -> usize {
    if n == 0 { 0 } else { n / 2 + 1 }
}

/// The sizes that `fft_length` holds, as far as they are known.
fn lengths(c: &InferContext<'_>, axes: usize) -> Result<Vec<Dim>> {
    let asked = c.shape(1).with_rank(1)?.dim(0)?;
    if !asked.is_compatible_with(axes.into()) {
        bail!("`fft_length` has {asked} sizes for a transform over {axes} axes");
    }
    let Some(known) = c.integers(1) else { return Ok(vec![Dim::UNKNOWN; axes]) };
    let dim = |n: &i64| match usize::try_from(*n) {
        Ok(n) => Ok(Dim::from(n)),
        Err(_) => bail!("`fft_length` has a negative size, {n}"),
    };
    known.iter().map(dim).collect()
}

fn with_lengths(c: &InferContext<'_>, dtype: DType, lengths: Vec<Dim>) -> Result<Types> {
    enough_axes(c, lengths.len())?;
    let shape = match c.shape(0).rank() {
        None => Shape::unknown(),
        Some(_) => {
            let front = c.shape(0).slice(None, Some(-(lengths.len() as i64)));
            front.concatenate(&lengths.into_iter().collect())
        }
    };
    one(dtype, shape)
}

fn fits(real: DType, complex: DType) -> Result<()> {
    if complex.is_complex() && complex.real_part() == real {
        return Ok(());
    }
    bail!("{complex} is not the complex dtype of {real}")
}

pub(in crate::ops) fn of_real(c: &InferContext<'_>, axes: usize, complex: DType) -> Result<Types> {
    fits(c.input(0).dtype, complex)?;
    let mut sizes = lengths(c, axes)?;
    sizes[axes - 1] = sizes[axes - 1].size().map_or(Dim::UNKNOWN, |n| half(n).into());
    with_lengths(c, complex, sizes)
}

pub(in crate::ops) fn to_real(c: &InferContext<'_>, axes: usize, real: DType) -> Result<Types> {
    fits(real, c.input(0).dtype)?;
    with_lengths(c, real, lengths(c, axes)?)
}

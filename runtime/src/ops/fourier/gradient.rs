//! Gradients of discrete Fourier transforms: the adjoint maps, since the transforms are linear.

use super::fit::fit;
use crate::ir::{Attrs, OpDef};
use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients, first};
use crate::ops::{
    self, Fft, Fft2d, Fft3d, Ifft, Ifft2d, Ifft3d, Integer, NamedOp as _, Rfft, Rfft2d, Rfft3d,
    length,
};
use crate::tensor::{Tensor, execute_one};
use crate::types::{DType, Result, err};

const FORWARD: [&OpDef; 3] = [Fft::DEF, Fft2d::DEF, Fft3d::DEF];
const INVERSE: [&OpDef; 3] = [Ifft::DEF, Ifft2d::DEF, Ifft3d::DEF];
const OF_REAL: [&OpDef; 3] = [Rfft::DEF, Rfft2d::DEF, Rfft3d::DEF];

/// The sizes of the last axes.
fn last_sizes(x: &Tensor, axes: usize) -> Result<Vec<Integer>> {
    (1..=axes as i64).rev().map(|i| length(x, -i)).collect()
}

/// The sizes that the input `lengths` holds.
fn asked(lengths: &Tensor, axes: usize) -> Result<Vec<Integer>> {
    match lengths.data() {
        Ok(known) => Ok(known.to_i64s()?.iter().map(|n| Integer::from(*n)).collect()),
        Err(_) => (0..axes as i64).map(|i| lengths.index(i).map(Integer::Tensor)).collect(),
    }
}

/// The product of the sizes, as a scalar of a dtype.
fn places(sizes: &[Integer], dtype: DType) -> Result<Tensor> {
    let sizes = sizes.iter().map(|n| n.to_i64()?.cast(DType::F64));
    let all = sizes.collect::<Result<Vec<_>>>()?;
    let one = Tensor::scalar(1f64);
    all.iter().try_fold(one, |all, n| ops::mul(&all, n))?.cast(dtype)
}

pub(in crate::ops) fn forward(g: &Gradient<'_>, axes: usize) -> Result<Tensor> {
    let dy = g.dy()?;
    let turned = execute_one(INVERSE[axes - 1], Attrs::new(), &[dy])?;
    ops::mul(&turned, places(&last_sizes(dy, axes)?, dy.dtype())?)
}

pub(in crate::ops) fn inverse(g: &Gradient<'_>, axes: usize) -> Result<Tensor> {
    let dy = g.dy()?;
    let turned = execute_one(FORWARD[axes - 1], Attrs::new(), &[dy])?;
    ops::div(&turned, &places(&last_sizes(dy, axes)?, dy.dtype())?)
}

pub(in crate::ops) fn of_real(g: &Gradient<'_>, axes: usize) -> Result<InputGradients> {
    let (x, dy) = (g.x(0), g.dy()?);
    let lengths = asked(g.x(1), axes)?;
    let whole = execute_one(INVERSE[axes - 1], Attrs::new(), &[&fit(dy, &lengths)?])?;
    let real = ops::mul(&whole.cast(x.dtype())?, places(&lengths, x.dtype())?)?;
    Ok(first(g, fit(&real, &last_sizes(x, axes)?)?))
}

pub(in crate::ops) fn to_real(g: &Gradient<'_>, axes: usize) -> Result<InputGradients> {
    let (x, dy) = (g.x(0), g.dy()?);
    let lengths = asked(g.x(1), axes)?;
    let attrs = Attrs::new().with(Rfft::TCOMPLEX, &x.dtype());
    let half = execute_one(OF_REAL[axes - 1], attrs, &[dy, g.x(1)])?;
    // Every frequency stands for two, except those at zero and at half the length.
    let last = lengths.last().ok_or_else(|| err!(Internal, "a transform has an axis"))?;
    let last = last.to_i64()?;
    let count = length(&half, -1)?.to_i64()?;
    let at = ops::range(Tensor::scalar(0i64), &count, Tensor::scalar(1i64))?;
    let single = ops::logical_or(at.equal(0)?, (&at * 2).equal(&last)?)?;
    let weight = ops::select(&single, Tensor::scalar(1f64), Tensor::scalar(2f64))?;
    let weight = weight.cast(x.dtype().real_part())?.cast(x.dtype())?;
    let all = ops::div(&ops::mul(&half, &weight)?, &places(&lengths, x.dtype())?)?;
    Ok(first(g, fit(&all, &last_sizes(x, axes)?)?))
}

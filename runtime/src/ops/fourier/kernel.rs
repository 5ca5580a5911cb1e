//! Kernels of discrete Fourier transforms.

use extype_kernels::fourier::{self, Direction, Sample};
use num_complex::Complex;

use super::infer::half;
use crate::array::{Array, Dims, Element, ask_for, num_elements, vec_for};
use crate::ir::{KernelContext, Outputs, typed};
use crate::types::{Result, bail};

fn transformed<T: Sample>(c: &KernelContext<'_>, axes: usize, way: Direction) -> Result<Outputs>
where
    Complex<T>: Element,
{
    let x = c.input(0);
    let sizes = &x.dims()[x.rank() - axes..];
    let data = x.as_slice::<Complex<T>>()?;
    let out = c.output_slice(x.dims(), |out: &mut [Complex<T>]| {
        out.copy_from_slice(data);
        fourier::transform(out, sizes, way);
        Ok(())
    })?;
    Ok([out].into())
}

fn complex(c: &KernelContext<'_>, axes: usize, way: Direction) -> Result<Outputs> {
    typed!(native, c, c.input(0).dtype().real_part(), T => transformed::<T>(c, axes, way))
}

pub(in crate::ops) fn forward(c: &KernelContext<'_>, axes: usize) -> Result<Outputs> {
    complex(c, axes, Direction::Forward)
}

pub(in crate::ops) fn inverse(c: &KernelContext<'_>, axes: usize) -> Result<Outputs> {
    complex(c, axes, Direction::Inverse)
}

/// The sizes of a transform, which the input `fft_length` holds.
fn lengths(c: &KernelContext<'_>) -> Result<Dims> {
    let size = |n: &i64| match usize::try_from(*n) {
        Ok(n) => Ok(n),
        Err(_) => bail!("`fft_length` has a negative size, {n}"),
    };
    c.input(1).to_i64s()?.iter().map(size).collect()
}

/// Refuses axes that are shorter than a transform needs. Empty ones pass: their results are zeros.
fn check_sizes(dims: &[usize], needed: &[usize]) -> Result<()> {
    match dims.iter().zip(needed).find(|(n, needed)| **n != 0 && n < needed) {
        Some((n, needed)) => {
            bail!("an axis of size {n} is transformed as one of size {needed}; pad it with zeros")
        }
        None => Ok(()),
    }
}

/// The elements of an array, with its last axes cropped or zero-padded to other sizes.
fn blocks<X: Element + Copy>(x: &Array, front: &[usize], to: &[usize]) -> Result<Vec<X>> {
    let dims: Dims = front.iter().chain(to).copied().collect();
    let count = num_elements(&dims, size_of::<X>())?;
    let mut out = vec_for(count)?;
    fourier::resized(x.as_slice::<X>()?, &x.dims()[front.len()..], to, &mut out);
    // Check that there is memory to transform a line in.
    ask_for::<[X; 16]>(to.iter().copied().max().unwrap_or(0))?;
    // If the array is empty, the blocks are zeros.
    out.resize(count, X::default());
    Ok(out)
}

fn of_real_as<T: Sample + Element>(c: &KernelContext<'_>, axes: usize) -> Result<Outputs>
where
    Complex<T>: Element,
{
    let (x, sizes) = (c.input(0), lengths(c)?);
    let front = &x.dims()[..x.rank() - axes];
    check_sizes(&x.dims()[front.len()..], &sizes)?;
    let mut data = blocks::<T>(x, front, &sizes)?;
    let mut dims: Dims = front.iter().chain(&sizes).copied().collect();
    let last = dims.len() - 1;
    dims[last] = half(dims[last]);
    let mut out = vec_for(num_elements(&dims, size_of::<Complex<T>>())?)?;
    fourier::real_transform(&mut data, &sizes, &mut out);
    Ok([Array::from_slice(dims, &out)?].into())
}

pub(in crate::ops) fn of_real(c: &KernelContext<'_>, axes: usize) -> Result<Outputs> {
    typed!(native, c, c.input(0).dtype(), T => of_real_as::<T>(c, axes))
}

fn to_real_as<T: Sample + Element>(c: &KernelContext<'_>, axes: usize) -> Result<Outputs>
where
    Complex<T>: Element,
{
    let (x, sizes) = (c.input(0), lengths(c)?);
    let front = &x.dims()[..x.rank() - axes];
    let mut frequencies = sizes.clone();
    frequencies[axes - 1] = half(frequencies[axes - 1]);
    check_sizes(&x.dims()[front.len()..], &frequencies)?;
    let mut data = blocks::<Complex<T>>(x, front, &frequencies)?;
    let dims: Dims = front.iter().chain(&sizes).copied().collect();
    let mut out = vec_for(num_elements(&dims, size_of::<T>())?)?;
    fourier::real_inverse(&mut data, &sizes, &mut out);
    Ok([Array::from_slice(dims, &out)?].into())
}

pub(in crate::ops) fn to_real(c: &KernelContext<'_>, axes: usize) -> Result<Outputs> {
    typed!(native, c, c.input(0).dtype().real_part(), T => to_real_as::<T>(c, axes))
}

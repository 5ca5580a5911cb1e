//! Kernels of convolutions and their gradients.

use extype_kernels as k;
use extype_kernels::conv::{Conv, Way};

use super::Family;
use super::infer::input_sizes;
use super::windows::Windows;
use crate::array::{Array, Dims, extent, num_elements};
use crate::ir::{KernelContext, Outputs, no_kernel, worked};
use crate::types::{DType, Result, bail};

/// The sizes of a convolution of images with the channels last, and those of its result.
fn conv<F: Family>(w: &Windows, images: &[usize], filter: &[usize]) -> Result<(Conv, Dims)> {
    let (channels, n) = (images[F::SPATIAL + 1], filter[F::SPATIAL + 1]);
    let (groups, features) = match F::DEPTHWISE {
        true => (channels, channels * n),
        false => (channels / filter[F::SPATIAL], n),
    };
    let axes = w.axes(images, filter)?;
    let outputs = axes[axes.len() - F::SPATIAL..].iter().map(|a| a.output);
    let dims: Dims = [images[0]].into_iter().chain(outputs).chain([features]).collect();
    // Without channels there is nothing to sum, but a group at least.
    Ok((Conv { batch: images[0], axes, channels, features, groups: groups.max(1) }, dims))
}

/// Refuses paddings and strides that make what windows span far larger than what is given and asked for: a band of them may
/// be copied with the zeros between.
fn check_padded(conv: &Conv, elements: usize) -> Result<()> {
    const TIMES: usize = 64;
    const ALWAYS: usize = 1 << 24;
    let along =
        conv.axes.iter().map(|a| a.output.saturating_sub(1).saturating_mul(a.stride).max(a.input));
    let images = conv.batch.saturating_mul(conv.channels.max(conv.features));
    let padded = along.fold(images, usize::saturating_mul);
    if padded > elements.saturating_mul(TIMES).max(ALWAYS) {
        bail!(ResourceExhausted, "paddings and strides that need a copy of {padded} elements");
    }
    Ok(())
}

fn convolved(
    c: &KernelContext<'_>,
    conv: &Conv,
    way: Way,
    [x, y]: [&Array; 2],
    dims: &[usize],
) -> Result<Array> {
    num_elements(dims, x.dtype().size().unwrap_or(1))?;
    check_padded(conv, x.len().saturating_add(y.len()).saturating_add(extent(dims)))?;
    macro_rules! run {
        ($($dtype:ident $t:ty),*) => {
            match x.dtype() {
                $(DType::$dtype => {
                    let (x, y) = (x.as_slice::<$t>()?, y.as_slice::<$t>()?);
                    let par = k::Par::Pool;
                    c.output(dims, |out| worked(k::conv::convolve(conv, way, x, y, out, par)))
                })*
                _ => Err(no_kernel(c)),
            }
        };
    }
    run!(F32 f32, F64 f64, F16 k::f16, BF16 k::bf16, I32 i32)
}

pub(in crate::ops) fn forward<F: Family>(c: &KernelContext<'_>) -> Result<Outputs> {
    let w = Windows::of(c.attrs, F::SPATIAL)?;
    let (x, filter) = (w.with_channels_last(c, c.input(0))?, c.input(1));
    let (conv, dims) = conv::<F>(&w, x.dims(), filter.dims())?;
    let y = convolved(c, &conv, Way::Forward, [&x, filter], &dims)?;
    Ok([w.as_asked(c, y)?].into())
}

pub(in crate::ops) fn input<F: Family>(c: &KernelContext<'_>) -> Result<Outputs> {
    let w = Windows::of(c.attrs, F::SPATIAL)?;
    let (filter, dy) = (c.input(1), w.with_channels_last(c, c.input(2))?);
    // Inference has refused negative sizes.
    let sizes: Vec<usize> = c.input(0).to_i64s()?.iter().map(|n| *n as usize).collect();
    let sizes = input_sizes(&w, &sizes, dy.dims()[0], filter.dims()[F::SPATIAL], |n| n);
    let images = w.dims_with_channels_last(&sizes);
    let (conv, _) = conv::<F>(&w, &images, filter.dims())?;
    let dx = convolved(c, &conv, Way::Input, [&dy, filter], &images)?;
    Ok([w.as_asked(c, dx)?].into())
}

pub(in crate::ops) fn filter<F: Family>(c: &KernelContext<'_>) -> Result<Outputs> {
    let w = Windows::of(c.attrs, F::SPATIAL)?;
    let (x, dy) = (w.with_channels_last(c, c.input(0))?, w.with_channels_last(c, c.input(2))?);
    let filter: Dims = c.input(1).to_i64s()?.iter().map(|n| *n as usize).collect();
    let (conv, _) = conv::<F>(&w, x.dims(), &filter)?;
    Ok([convolved(c, &conv, Way::Filter, [&x, &dy], &filter)?].into())
}

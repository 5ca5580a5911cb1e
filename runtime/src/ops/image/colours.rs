//! Kernels on colours.

use extype_kernels as k;
use k::image::{self, Pixel, map_pixels};

use crate::array::{Array, Element};
use crate::ir::{KernelContext, Outputs};
use crate::ops::ordering::kernel::cast;
use crate::types::{DType, Result, bail};

/// Applies a function to each pixel.
fn mapped<T: Pixel + Element>(
    c: &KernelContext<'_>,
    x: &Array,
    f: impl Fn([T; 3]) -> [T; 3] + Sync,
) -> Result<Array> {
    if x.dims().last() != Some(&3) {
        bail!("colours have three channels, the last axis of {}", x.shape());
    }
    let pixels = x.as_slice::<T>()?;
    c.output(x.dims(), |out| {
        map_pixels(pixels, out, k::Par::Pool, f);
        Ok(())
    })
}

/// [`mapped`] in single precision, for halves too.
fn mapped_singly(
    c: &KernelContext<'_>,
    f: impl Fn([f32; 3]) -> [f32; 3] + Sync,
) -> Result<Outputs> {
    let x = c.input(0);
    Ok([cast(&mapped::<f32>(c, &cast(x, DType::F32)?, f)?, x.dtype())?].into())
}

pub(super) fn rgb_to_hsv(c: &KernelContext<'_>) -> Result<Outputs> {
    match c.input(0).dtype() {
        DType::F64 => Ok([mapped::<f64>(c, c.input(0), image::rgb_to_hsv)?].into()),
        _ => mapped_singly(c, image::rgb_to_hsv),
    }
}

pub(super) fn hsv_to_rgb(c: &KernelContext<'_>) -> Result<Outputs> {
    match c.input(0).dtype() {
        DType::F64 => Ok([mapped::<f64>(c, c.input(0), image::hsv_to_rgb)?].into()),
        _ => mapped_singly(c, image::hsv_to_rgb),
    }
}

/// The only element of the second input.
fn amount(c: &KernelContext<'_>) -> Result<f32> {
    match (c.input(1).rank(), c.input(1).as_slice::<f32>()?) {
        (0, [amount]) => Ok(*amount),
        _ => bail!("the amount is a scalar, not of shape {}", c.input(1).shape()),
    }
}

pub(super) fn hue(c: &KernelContext<'_>) -> Result<Outputs> {
    let delta = amount(c)?;
    mapped_singly(c, move |pixel| image::with_hue(pixel, delta))
}

pub(super) fn saturation(c: &KernelContext<'_>) -> Result<Outputs> {
    let scale = amount(c)?;
    mapped_singly(c, move |pixel| image::with_saturation(pixel, scale))
}

pub(super) fn contrast(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, factor) = (cast(c.input(0), DType::F32)?, amount(c)?);
    let [.., height, width, channels] = *x.dims() else {
        bail!("images have shape […, height, width, channels], not {}", x.shape())
    };
    let pixels = x.as_slice::<f32>()?;
    let y = c.output_slice(x.dims(), |out: &mut [f32]| {
        if out.is_empty() {
            return Ok(());
        }
        let each = height * width * channels;
        for (x, out) in pixels.chunks_exact(each).zip(out.chunks_exact_mut(each)) {
            for channel in 0..channels {
                let own = || x[channel..].iter().step_by(channels);
                let sum: f64 = own().map(|x| f64::from(*x)).sum();
                let mean = (sum / (height * width) as f64) as f32;
                for (out, x) in out[channel..].iter_mut().step_by(channels).zip(own()) {
                    *out = (x - mean) * factor + mean;
                }
            }
        }
        Ok(())
    })?;
    Ok([cast(&y, c.input(0).dtype())?].into())
}

//! Kernels of poolings and their gradients.

use extype_kernels as k;
use extype_kernels::conv::Pool;

use super::infer::Pools;
use crate::array::{Array, Dims, extent, num_elements, vec_for};
use crate::ir::{KernelContext, Outputs, typed};
use crate::ops::MaxPoolWithArgmax;
use crate::ops::ordering::kernel::{cast, indices};
use crate::ops::segment::kernel::{How, combined_in, least};
use crate::types::{DType, Result, bail};

/// A pooling of images of known sizes.
struct Pooled {
    pools: Pools,
    pool: Pool,
    /// The sizes of the output, with the channels last.
    output: Dims,
}

impl Pooled {
    /// That of an op with `operands` before the window sizes and strides that it may have as inputs. The sizes of the
    /// images have the channels where the op has them.
    fn new(
        c: &KernelContext<'_>,
        spatial: usize,
        operands: usize,
        images: &[usize],
    ) -> Result<Self> {
        let pools = match c.inputs.len() > operands {
            true => {
                let (ksize, strides) =
                    (c.input(operands).to_i64s()?, c.input(operands + 1).to_i64s()?);
                Pools::fed(c.attrs, spatial, &ksize, &strides)?
            }
            false => Pools::of(c.attrs, spatial)?,
        };
        let images = pools.windows.dims_with_channels_last(images);
        let axes = pools.windows.axes(&images, &pools.sizes)?;
        let (batch, channels) = (images[0], images[spatial + 1]);
        let outputs = axes[axes.len() - spatial..].iter().map(|a| a.output);
        let output: Dims = [batch].into_iter().chain(outputs).chain([channels]).collect();
        num_elements(&output, size_of::<i64>())?;
        Ok(Self { pools, pool: Pool { batch, axes, channels }, output })
    }

    fn last(&self, c: &KernelContext<'_>, x: &Array) -> Result<Array> {
        self.pools.windows.with_channels_last(c, x)
    }

    fn asked(&self, c: &KernelContext<'_>, y: Array, dtype: DType) -> Result<Outputs> {
        let y = self.pools.windows.as_asked(c, y)?;
        Ok([if y.dtype() == dtype { y } else { cast(&y, dtype)? }].into())
    }

    /// The places of the largest elements in their images.
    fn places(&self, c: &KernelContext<'_>, x: &Array) -> Result<Array> {
        let x = wide(x)?;
        typed!(wide_real, c, x.dtype(), T => {
            let x = x.as_slice::<T>()?;
            c.output(&self.output, |out| {
                self.pool.arg_max(x, out, k::Par::Pool);
                Ok(())
            })
        })
    }
}

/// The array in one of the few dtypes that are computed. Comparisons don't change, and halves sum in float32.
fn wide(x: &Array) -> Result<Array> {
    match combined_in(x.dtype(), How::Greatest) {
        dtype if dtype == x.dtype() => Ok(x.clone()),
        dtype => cast(x, dtype),
    }
}

pub(in crate::ops) fn max(c: &KernelContext<'_>, spatial: usize) -> Result<Outputs> {
    let pooled = Pooled::new(c, spatial, 1, c.input(0).dims())?;
    let dtype = c.input(0).dtype();
    let x = wide(&pooled.last(c, c.input(0))?)?;
    let y = typed!(wide_real, c, x.dtype(), T => {
        let x = x.as_slice::<T>()?;
        c.output(&pooled.output, |out| {
            // As TensorFlow's, windows begin with the lowest finite number.
            pooled.pool.max(x, least(dtype), out, k::Par::Pool);
            Ok(())
        })
    })?;
    pooled.asked(c, y, dtype)
}

pub(in crate::ops) fn max_gradient(c: &KernelContext<'_>, spatial: usize) -> Result<Outputs> {
    let pooled = Pooled::new(c, spatial, 3, c.input(0).dims())?;
    let places = pooled.places(c, &pooled.last(c, c.input(0))?)?;
    let (places, dy) = (places.as_slice::<i64>()?, wide(&pooled.last(c, c.input(2))?)?);
    let images = pooled.pools.windows.dims_with_channels_last(c.input(0).dims());
    let dx = typed!(wide_real, c, dy.dtype(), T => {
        let dy = dy.as_slice::<T>()?;
        c.output(&images, |out| {
            pooled.pool.max_gradient(places, dy, out, k::Par::Pool);
            Ok(())
        })
    })?;
    pooled.asked(c, dx, c.input(2).dtype())
}

pub(in crate::ops) fn max_second(c: &KernelContext<'_>, spatial: usize) -> Result<Outputs> {
    let pooled = Pooled::new(c, spatial, 3, c.input(0).dims())?;
    let places = pooled.places(c, &pooled.last(c, c.input(0))?)?;
    let grad = pooled.last(c, c.input(2))?;
    let (channels, outputs) = (pooled.pool.channels, extent(&pooled.output[1..]));
    let image = extent(&grad.dims()[1..]);
    let mut from: Vec<i64> = vec_for(places.len())?;
    // A window without elements, whose place is -1, gets an element that is not there.
    from.extend(places.as_slice::<i64>()?.iter().enumerate().map(|(i, place)| match place {
        -1 => -1,
        _ => (i / outputs * image + *place as usize * channels + i % channels) as i64,
    }));
    let y = picked(c, &grad, &from, &pooled.output)?;
    pooled.asked(c, y, c.input(2).dtype())
}

/// The elements at these places among all; zero for a negative place.
fn picked(c: &KernelContext<'_>, x: &Array, from: &[i64], dims: &[usize]) -> Result<Array> {
    typed!(real, c, x.dtype(), T => {
        let x = x.as_slice::<T>()?;
        c.output_slice(dims, |out: &mut [T]| {
            for (out, from) in out.iter_mut().zip(from) {
                *out = usize::try_from(*from).map_or(T::default(), |from| x[from]);
            }
            Ok(())
        })
    })
}

pub(in crate::ops) fn with_argmax(c: &KernelContext<'_>) -> Result<Outputs> {
    let pooled = Pooled::new(c, 2, 1, c.input(0).dims())?;
    let mut outputs = max(c, 2)?;
    let places = pooled.places(c, c.input(0))?;
    let with_batch = c.get(MaxPoolWithArgmax::INCLUDE_BATCH_IN_INDEX)?;
    let (channels, one) = (pooled.pool.channels, extent(&pooled.output[1..]));
    let image = if with_batch { extent(&c.input(0).dims()[1..]) } else { 0 };
    let mut flat: Vec<i64> = vec_for(places.len())?;
    let place = |(i, place): (usize, &i64)| {
        (i / one * image + i % channels) as i64 + place * channels as i64
    };
    flat.extend(places.as_slice::<i64>()?.iter().enumerate().map(place));
    outputs.push(indices(&pooled.output[..], &flat, c.get(MaxPoolWithArgmax::TARGMAX)?)?);
    Ok(outputs)
}

pub(in crate::ops) fn grad_with_argmax(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, dy, places) = (c.input(0), wide(c.input(1))?, c.input(2).to_i64s()?);
    let with_batch = c.get(MaxPoolWithArgmax::INCLUDE_BATCH_IN_INDEX)?;
    let (image, one) = (extent(&x.dims()[1..]), extent(&dy.dims()[1..]));
    let dx = typed!(real, c, dy.dtype(), T => {
        let dy = dy.as_slice::<T>()?;
        c.output_slice(x.dims(), |out: &mut [T]| {
            out.fill(T::default());
            for (i, (place, dy)) in places.iter().zip(dy).enumerate() {
                let start = i / one * image;
                let at = usize::try_from(*place).ok().and_then(|p| p.checked_add(if with_batch { 0 } else { start }));
                // Each image has its own gradient.
                match at.filter(|at| (start..start + image).contains(at)) {
                    Some(at) => out[at] = k::Arithmetic::add(out[at], *dy),
                    None => bail!("`argmax` has the place {place}, which is not in image {}", i / one),
                }
            }
            Ok(())
        })
    })?;
    Ok([if dx.dtype() == x.dtype() { dx } else { cast(&dx, x.dtype())? }].into())
}

pub(in crate::ops) fn mean(c: &KernelContext<'_>, spatial: usize) -> Result<Outputs> {
    let pooled = Pooled::new(c, spatial, 1, c.input(0).dims())?;
    let x = wide(&pooled.last(c, c.input(0))?)?;
    let y = typed!(native, c, x.dtype(), T => {
        let x = x.as_slice::<T>()?;
        c.output(&pooled.output, |out| {
            pooled.pool.mean(x, out, k::Par::Pool);
            Ok(())
        })
    })?;
    pooled.asked(c, y, c.input(0).dtype())
}

pub(in crate::ops) fn mean_gradient(c: &KernelContext<'_>, spatial: usize) -> Result<Outputs> {
    // Inference has refused negative sizes.
    let images: Dims = c.input(0).to_i64s()?.iter().map(|n| *n as usize).collect();
    let pooled = Pooled::new(c, spatial, 2, &images)?;
    let dy = wide(&pooled.last(c, c.input(1))?)?;
    let images = pooled.pools.windows.dims_with_channels_last(&images);
    num_elements(&images, size_of::<f64>())?;
    let dx = typed!(native, c, dy.dtype(), T => {
        let dy = dy.as_slice::<T>()?;
        c.output(&images, |out| {
            pooled.pool.mean_gradient(dy, out, k::Par::Pool);
            Ok(())
        })
    })?;
    pooled.asked(c, dx, c.input(1).dtype())
}

//! Dilation of images: the largest sum of a pixel and a filter's element in each window.

use extype_kernels as k;

use super::windows::Windows;
use crate::array::{Dims, num_elements};
use crate::define_op;
use crate::ir::{Attrs, InferContext, KernelContext, Outputs, Types, typed};
use crate::ops::rules::folded::examples;
use crate::ops::rules::infer::one;
use crate::ops::{Conv2d, Op as _};
use crate::types::{DType, DTypeSet, Dim, Result, Shape, bail};

/// The dtypes of dilated images.
const COMPARED: DTypeSet = DTypeSet::FLOAT.or(DTypeSet::of(&[
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
    DType::U8,
    DType::U16,
    DType::U32,
    DType::U64,
]));

define_op! {
    /// The largest sum of a pixel and the filter's element over each window; the function is [`dilation2d()`].
    ///
    /// TensorFlow: `Dilation2D`. Images `[batch, height, width, channels]`, a filter `[height, width, channels]`. Strides
    /// and rates have an entry for each axis of the images. Pixels beyond the images are in no window.
    ///
    /// [`dilation2d()`]: crate::ops::dilation2d
    pub op Dilation2d = "Dilation2D" {
        inputs: { input: T, filter: T }, outputs: { output: T },
        types: { T: COMPARED },
        attrs: { strides: Vec<i64>, rates: Vec<i64>, padding: String },
        infer: |c| one(c.input(0).dtype, output(c)?), kernel: dilated,
        gradient: |g| {
            let (strides, rates) = (g.get(Dilation2d::STRIDES)?, g.get(Dilation2d::RATES)?);
            let padding: String = g.get(Dilation2d::PADDING)?;
            let inputs = [g.x(0), g.x(1), g.dy()?];
            let of_images = Dilation2dBackpropInput {
                strides: Vec::clone(&strides), rates: Vec::clone(&rates), padding: padding.clone(),
            };
            let of_filter = Dilation2dBackpropFilter { strides, rates, padding };
            Ok([Some(of_images.run(&inputs)?), Some(of_filter.run(&inputs)?)])
        },
        batch: |b| examples(b, &[0]),
    }

    /// The gradient of [`Dilation2d`] with respect to the images: of several largest sums the first gets it.
    ///
    /// TensorFlow: `Dilation2DBackpropInput`. The attributes are those of the dilation.
    pub op Dilation2dBackpropInput = "Dilation2DBackpropInput" {
        inputs: { input: T, filter: T, out_backprop: T }, outputs: { in_backprop: T },
        types: { T: COMPARED },
        attrs: { strides: Vec<i64>, rates: Vec<i64>, padding: String },
        infer: |c| spread_type(c, 0), kernel: |c| spread(c, 0),
        batch: |b| examples(b, &[0, 2]),
    }

    /// The gradient of [`Dilation2d`] with respect to the filter: of several largest sums the first gets it.
    ///
    /// TensorFlow: `Dilation2DBackpropFilter`. The attributes are those of the dilation.
    pub op Dilation2dBackpropFilter = "Dilation2DBackpropFilter" {
        inputs: { input: T, filter: T, out_backprop: T }, outputs: { filter_backprop: T },
        types: { T: COMPARED },
        attrs: { strides: Vec<i64>, rates: Vec<i64>, padding: String },
        infer: |c| spread_type(c, 1), kernel: |c| spread(c, 1),
    }
}

/// The windows; the rates are their dilations.
fn windows(attrs: &Attrs) -> Result<Windows> {
    let as_conv = attrs.clone().with(Conv2d::DILATIONS, &attrs.get(Dilation2d::RATES)?);
    Windows::of(&as_conv, 2)
}

fn output(c: &InferContext<'_>) -> Result<Shape> {
    let w = windows(c.attrs)?;
    c.shape(0).with_rank(4).map_err(|e| e.prefixed("`input`"))?;
    c.shape(1).with_rank(3).map_err(|e| e.prefixed("`filter`"))?;
    let unknown = [Dim::UNKNOWN; 4];
    let x = c.shape(0).dims().unwrap_or(&unknown);
    let filter = c.shape(1).dims().unwrap_or(&unknown[..3]);
    let Some(channels) = x[3].merge(filter[2]) else {
        bail!("a filter for {} channels of images that have {}", filter[2], x[3])
    };
    Ok([x[0], w.output(0, x[1], filter[0])?, w.output(1, x[2], filter[1])?, channels]
        .into_iter()
        .collect())
}

fn spread_type(c: &InferContext<'_>, of: usize) -> Result<Types> {
    let output = output(c)?;
    if !output.is_compatible_with(c.shape(2)) {
        bail!("`out_backprop` has shape {}, the output {output}", c.shape(2));
    }
    Ok([c.input(of).clone()].into())
}

/// Calls `f` with the index of each result, and with the indices of the pixel and of the filter's element that have the
/// largest sum; with `None` for a window without pixels.
fn for_windows<T: k::Real>(
    c: &KernelContext<'_>,
    x: &[T],
    filter: &[T],
    mut f: impl FnMut(usize, Option<(usize, usize)>),
) -> Result<()> {
    let (images, taps) = (c.input(0).dims(), c.input(1).dims());
    let [_, rows, columns] = windows(c.attrs)?.axes(images, taps)?;
    if x.is_empty() || filter.is_empty() {
        // Windows without pixels.
        let count = num_elements(&[images[0], rows.output, columns.output, images[3]], 1)?;
        (0..count).for_each(|i| f(i, None));
        return Ok(());
    }
    let channels = images[3];
    let place = |a: &k::conv::Axis, at: usize, tap: usize| {
        (at * a.stride + tap * a.dilation).checked_sub(a.before).filter(|i| *i < a.input)
    };
    let mut result = 0;
    for image in 0..images[0] {
        for (i, j) in (0..rows.output).flat_map(|i| (0..columns.output).map(move |j| (i, j))) {
            for channel in 0..channels {
                let mut most: Option<(T, (usize, usize))> = None;
                for (a, row) in (0..taps[0]).filter_map(|a| place(&rows, i, a).map(|row| (a, row)))
                {
                    for b in 0..taps[1] {
                        let Some(column) = place(&columns, j, b) else { continue };
                        let pixel = ((image * rows.input + row) * columns.input + column)
                            * channels
                            + channel;
                        let tap = (a * taps[1] + b) * channels + channel;
                        let sum = x[pixel].add(filter[tap]);
                        if most.is_none_or(|(most, _)| sum > most) {
                            most = Some((sum, (pixel, tap)));
                        }
                    }
                }
                f(result, most.map(|(_, at)| at));
                result += 1;
            }
        }
    }
    Ok(())
}

fn dilated(c: &KernelContext<'_>) -> Result<Outputs> {
    let (images, taps) = (c.input(0).dims(), c.input(1).dims());
    let [_, rows, columns] = windows(c.attrs)?.axes(images, taps)?;
    let dims: Dims = [images[0], rows.output, columns.output, images[3]].into();
    num_elements(&dims, 8)?;
    typed!(real, c, c.input(0).dtype(), T => {
        let (x, filter) = (c.input(0).as_slice::<T>()?, c.input(1).as_slice::<T>()?);
        Ok([c.output_slice(&dims, |out: &mut [T]| {
            for_windows(c, x, filter, |i, most| {
                let sum = |(pixel, tap): (usize, usize)| k::Arithmetic::add(x[pixel], filter[tap]);
                out[i] = most.map_or(<T as k::Real>::LOWEST, sum);
            })
        })?].into())
    })
}

/// Adds each element of the gradient to the pixel (0) or the filter's element (1) that it came from.
fn spread(c: &KernelContext<'_>, of: usize) -> Result<Outputs> {
    typed!(real, c, c.input(0).dtype(), T => {
        let (x, filter) = (c.input(0).as_slice::<T>()?, c.input(1).as_slice::<T>()?);
        let dy = c.input(2).as_slice::<T>()?;
        Ok([c.output_slice(c.input(of).dims(), |out: &mut [T]| {
            out.fill(T::default());
            for_windows(c, x, filter, |i, most| {
                if let Some((pixel, tap)) = most {
                    let out = &mut out[[pixel, tap][of]];
                    *out = k::Arithmetic::add(*out, dy[i]);
                }
            })
        })?].into())
    })
}

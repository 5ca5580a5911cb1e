//! Kernels on boxes in images: crops, their gradients, outlines.

use super::resize::{size, sizes, with_samples};
use crate::array::{Array, Dims, num_elements};
use crate::ir::{KernelContext, Outputs};
use crate::ops::ordering::kernel::cast;
use crate::ops::{CropAndResize, CropAndResizeGradImage};
use crate::types::{DType, Result, bail};
use extype_kernels::image::Sample;

/// Boxes `[y1, x1, y2, x2]` with the images that they are of.
struct Boxes<'a> {
    boxes: &'a [[f32; 4]],
    images: &'a [i32],
    /// Whether four pixels are interpolated; otherwise the nearest one is taken.
    linear: bool,
}

impl<'a> Boxes<'a> {
    fn of(c: &KernelContext<'a>, i: usize, batch: usize) -> Result<Self> {
        let (boxes, images) = (c.input(i), c.input(i + 1));
        let n = images.len();
        if boxes.dims() != [n, 4] || images.rank() != 1 {
            bail!(
                "boxes have the shape [n, 4] and the images they are of [n], not {} and {}",
                boxes.shape(),
                images.shape()
            );
        }
        let images = images.as_slice::<i32>()?;
        if let Some(image) =
            images.iter().find(|i| usize::try_from(**i).map_or(true, |i| i >= batch))
        {
            bail!(
                OutOfRange,
                "a box is of image {image}; there are images 0 to {batch}, exclusive"
            );
        }
        let boxes = boxes.as_slice::<f32>()?;
        if !boxes.iter().all(|x| x.is_finite()) {
            bail!("the boxes have a number that is not finite");
        }
        let linear = match c.get(CropAndResize::METHOD)?.as_str() {
            "bilinear" => true,
            "nearest" => false,
            other => bail!("no method {other:?}; there are \"bilinear\" and \"nearest\""),
        };
        Ok(Self { boxes: boxes.as_chunks().0, images, linear })
    }
}

/// Where row or column `i` of `places` lies, between the bounds of a box on an axis of this size; none beyond it.
fn place([low, high]: [f32; 2], size: usize, places: usize, i: usize) -> Option<f32> {
    let last = (size - 1) as f32;
    let at = match places {
        1 => 0.5 * (low + high) * last,
        _ => low * last + i as f32 * ((high - low) * last / (places - 1) as f32),
    };
    (0.0..=last).contains(&at).then_some(at)
}

/// The two pixels around a place, and how much of the second one there is.
fn around(at: f32, size: usize, linear: bool) -> ([usize; 2], f32) {
    // A place on a large axis may be rounded up.
    let pixel = |at: f32| (at as usize).min(size - 1);
    match linear {
        true => ([pixel(at.floor()), pixel(at.ceil())], at - at.floor()),
        false => ([pixel(at.round()); 2], 0.0),
    }
}

/// Calls a function for each pixel of each crop that lies in an image: with the box, the place in the result, the
/// places of the four pixels, in reading order, and how far down and right the place lies between them.
fn each(
    boxes: &Boxes<'_>,
    [height, width]: [usize; 2],
    [rows, columns]: [usize; 2],
    mut f: impl FnMut(usize, [usize; 2], [usize; 4], [f32; 2]),
) {
    for (b, ([y1, x1, y2, x2], image)) in boxes.boxes.iter().zip(boxes.images).enumerate() {
        for row in 0..rows {
            let Some(y) = place([*y1, *y2], height, rows, row) else { continue };
            let ([top, bottom], down) = around(y, height, boxes.linear);
            for column in 0..columns {
                let Some(x) = place([*x1, *x2], width, columns, column) else { continue };
                let ([left, right], across) = around(x, width, boxes.linear);
                let pixel =
                    |row: usize, column: usize| (*image as usize * height + row) * width + column;
                let pixels = [(top, left), (top, right), (bottom, left), (bottom, right)];
                f(b, [row, column], pixels.map(|(row, column)| pixel(row, column)), [down, across]);
            }
        }
    }
}

pub(super) fn crop_and_resize(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, [rows, columns]) = (c.input(0), size(c.input(3))?);
    let [batch, height, width, channels] = match *x.dims() {
        [b, h, w, c] if h > 0 && w > 0 => [b, h, w, c],
        _ => sizes(x)?,
    };
    let boxes = Boxes::of(c, 1, batch)?;
    let fill: f32 = c.get(CropAndResize::EXTRAPOLATION_VALUE)?;
    let dims = [boxes.boxes.len(), rows, columns, channels];
    fn run<T: Sample>(
        x: &[T],
        boxes: &Boxes<'_>,
        image: [usize; 2],
        [rows, columns]: [usize; 2],
        channels: usize,
        out: &mut [f32],
    ) {
        each(boxes, image, [rows, columns], |b, [row, column], pixels, [down, across]| {
            let out = &mut out[((b * rows + row) * columns + column) * channels..][..channels];
            for (channel, out) in out.iter_mut().enumerate() {
                let [a, b, c, d] = pixels.map(|pixel| x[pixel * channels + channel].float());
                let (top, bottom) = (a + (b - a) * across, c + (d - c) * across);
                *out = top + (bottom - top) * down;
            }
        });
    }
    let image = [height, width];
    with_samples!(x, pixels => Ok([c.output_slice(&dims, |out: &mut [f32]| {
        out.fill(fill);
        if !out.is_empty() {
            run(pixels, &boxes, image, [rows, columns], channels, out);
        }
        Ok(())
    })?].into()))
}

/// The rows and columns of crops, which must not be empty.
fn crop_size(dy: &Array) -> Result<([usize; 2], usize)> {
    match *dy.dims() {
        [_, rows, columns, channels] if rows > 0 && columns > 0 => Ok(([rows, columns], channels)),
        _ => bail!("crops have a height and a width, not the shape {}", dy.shape()),
    }
}

pub(super) fn gradient_by_image(c: &KernelContext<'_>) -> Result<Outputs> {
    let (dy, shape) = (c.input(0), c.input(3).to_i64s()?);
    let ([rows, columns], channels) = crop_size(dy)?;
    let dims: Option<Dims> = shape.iter().map(|n| usize::try_from(*n).ok()).collect();
    let Some([batch, height, width, depth]) =
        dims.as_deref().and_then(|d| <[usize; 4]>::try_from(d).ok())
    else {
        bail!("images have four sizes, which are not negative; not {shape:?}")
    };
    if height == 0 || width == 0 || depth != channels {
        bail!("crops of shape {} of images of shape {shape:?}", dy.shape());
    }
    let boxes = Boxes::of(c, 1, batch)?;
    if dy.dims()[0] != boxes.boxes.len() {
        bail!("{} crops of {} boxes", dy.dims()[0], boxes.boxes.len());
    }
    num_elements(&[batch, height, width, depth], size_of::<f64>())?;
    let dy = dy.as_slice::<f32>()?;
    let dx = c.output_slice(&[batch, height, width, depth], |dx: &mut [f32]| {
        dx.fill(0.0);
        if dy.is_empty() {
            return Ok(());
        }
        each(
            &boxes,
            [height, width],
            [rows, columns],
            |b, [row, column], pixels, [down, across]| {
                let dy = &dy[((b * rows + row) * columns + column) * channels..][..channels];
                let weights = [
                    (1.0 - down) * (1.0 - across),
                    (1.0 - down) * across,
                    down * (1.0 - across),
                    down * across,
                ];
                for (pixel, weight) in pixels.into_iter().zip(weights) {
                    for (dx, dy) in dx[pixel * channels..][..channels].iter_mut().zip(dy) {
                        *dx += weight * dy;
                    }
                }
            },
        );
        Ok(())
    })?;
    Ok([cast(&dx, c.get(CropAndResizeGradImage::T)?)?].into())
}

pub(super) fn gradient_by_boxes(c: &KernelContext<'_>) -> Result<Outputs> {
    let (dy, x) = (c.input(0), c.input(1));
    let ([rows, columns], channels) = crop_size(dy)?;
    let [batch, height, width, depth] = match *x.dims() {
        [b, h, w, c] if h > 0 && w > 0 => [b, h, w, c],
        _ => bail!("images have a height and a width, not the shape {}", x.shape()),
    };
    let boxes = Boxes::of(c, 2, batch)?;
    if !boxes.linear {
        bail!("crops of the nearest pixels have no gradient by their boxes");
    }
    if depth != channels || dy.dims()[0] != boxes.boxes.len() {
        bail!("crops {} of {} boxes of images {}", dy.shape(), boxes.boxes.len(), x.shape());
    }
    let dy = dy.as_slice::<f32>()?;
    let dims = [boxes.boxes.len(), 4];
    let image = [height, width];
    // How far a place moves with the lower bound; the rest is for the upper one.
    let shares = |i: usize, places: usize, size: usize| {
        let last = (size - 1) as f32;
        match places {
            1 => [0.5 * last, 0.5 * last],
            _ => {
                let upper = i as f32 * (last / (places - 1) as f32);
                [last - upper, upper]
            }
        }
    };
    with_samples!(x, pixels => Ok([c.output_slice(&dims, |out: &mut [f32]| {
        out.fill(0.0);
        if dy.is_empty() {
            return Ok(());
        }
        each(&boxes, image, [rows, columns], |b, [row, column], at, [down, across]| {
            let dy = &dy[((b * rows + row) * columns + column) * channels..][..channels];
            let (of_rows, of_columns) = (shares(row, rows, height), shares(column, columns, width));
            for (channel, dy) in dy.iter().enumerate() {
                let [p, q, r, s] = at.map(|pixel| pixels[pixel * channels + channel].float());
                let by_row = dy * ((1.0 - across) * (r - p) + across * (s - q));
                let by_column = dy * ((1.0 - down) * (q - p) + down * (s - r));
                let slopes = [(by_row, of_rows[0]), (by_column, of_columns[0]), (by_row, of_rows[1]), (by_column, of_columns[1])];
                for (out, (slope, share)) in out[b * 4..][..4].iter_mut().zip(slopes) {
                    *out += slope * share;
                }
            }
        });
        Ok(())
    })?].into()))
}

/// The colours of outlines without others, in turn.
const COLOURS: [[f32; 4]; 10] = [
    [1.0, 1.0, 0.0, 1.0],
    [0.0, 0.0, 1.0, 1.0],
    [1.0, 0.0, 0.0, 1.0],
    [0.0, 1.0, 0.0, 1.0],
    [0.5, 0.0, 0.5, 1.0],
    [0.5, 0.5, 0.0, 1.0],
    [0.5, 0.0, 0.0, 1.0],
    [0.0, 0.0, 0.5, 1.0],
    [0.0, 1.0, 1.0, 1.0],
    [1.0, 0.0, 1.0, 1.0],
];

pub(super) fn drawn(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, boxes) = (cast(c.input(0), DType::F32)?, c.input(1));
    let [batch, height, width, channels] = *x.dims() else {
        bail!("images have shape [batch, height, width, channels], not {}", x.shape())
    };
    let &[images, count, 4] = boxes.dims() else {
        bail!("boxes have the shape [images, n, 4], not {}", boxes.shape())
    };
    if images != batch || ![1, 3, 4].contains(&channels) {
        bail!("boxes {} on images {} of 1, 3 or 4 channels", boxes.shape(), x.shape());
    }
    let given = c.inputs.get(2).filter(|colours| !colours.is_empty());
    let (colours, step): (&[f32], usize) = match given {
        Some(colours) => (colours.as_slice()?, colours.dims().get(1).copied().unwrap_or(0)),
        None if channels == 1 => (&[1.0], 1),
        None => (COLOURS.as_flattened(), 4),
    };
    if step < channels {
        bail!("colours have {step} channels, the images {channels}");
    }
    let boxes: &[[f32; 4]] = boxes.as_slice::<f32>()?.as_chunks().0;
    let pixels = x.as_slice::<f32>()?;
    let out = c.output_slice(x.dims(), |out: &mut [f32]| {
        out.copy_from_slice(pixels);
        if out.is_empty() {
            return Ok(());
        }
        for (i, b) in boxes.iter().enumerate() {
            let colour = &colours[(i % count) % (colours.len() / step) * step..][..channels];
            let [lasts, firsts] = [[b[2], b[3]], [b[0], b[1]]].map(|[y, x]| {
                [(y * (height as f32 - 1.0)) as i64, (x * (width as f32 - 1.0)) as i64]
            });
            let ends = [height as i64, width as i64];
            let apart =
                (0..2).any(|a| firsts[a] > lasts[a] || firsts[a] >= ends[a] || lasts[a] < 0);
            if apart {
                continue;
            }
            let inside = |axis: usize| firsts[axis].max(0)..=lasts[axis].min(ends[axis] - 1);
            let mut paint = |row: i64, column: i64| {
                let at = ((i / count * height + row as usize) * width + column as usize) * channels;
                out[at..at + channels].copy_from_slice(colour);
            };
            for row in [firsts[0], lasts[0]].into_iter().filter(|row| (0..ends[0]).contains(row)) {
                inside(1).for_each(|column| paint(row, column));
            }
            for column in [firsts[1], lasts[1]].into_iter().filter(|x| (0..ends[1]).contains(x)) {
                inside(0).for_each(|row| paint(row, column));
            }
        }
        Ok(())
    })?;
    Ok([cast(&out, c.input(0).dtype())?].into())
}

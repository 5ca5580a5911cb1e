//! Kernels that resize images.

use extype_kernels as k;
use k::image::{Filter, Order, Sample, Spans, add_back, cubic_taps, linear_taps, resample};
use k::segment::Routes;
use std::mem::MaybeUninit;

use crate::array::{Array, Dims, num_elements, vec_for};
use crate::ir::{KernelContext, Outputs, worked};
use crate::ops::ordering::kernel::cast;
use crate::ops::rules::moves::{Move, Moved, moved};
use crate::ops::segment::kernel::{How, combined};
use crate::ops::{ResizeBilinear, ScaleAndTranslate};
use crate::types::{DType, Result, bail, err};

/// The sizes of a stack of images, none of which is empty but for the batch.
pub(super) fn sizes(x: &Array) -> Result<[usize; 4]> {
    let [b, h, w, c] = *x.dims() else {
        bail!("images have shape [batch, height, width, channels], not {}", x.shape())
    };
    // Places are computed in single precision, and indices of TensorFlow are int32.
    let most = i32::MAX as usize;
    if [h, w, c].contains(&0) || h >= most || w >= most {
        bail!("images of shape {}: height, width and channels must be positive int32", x.shape());
    }
    Ok([b, h, w, c])
}

/// A vector of two positive sizes.
pub(super) fn size(x: &Array) -> Result<[usize; 2]> {
    match (x.rank(), &x.to_i64s()?[..]) {
        (1, [h, w]) if *h > 0 && *w > 0 => Ok([*h as usize, *w as usize]),
        (1, [h, w]) => bail!("a size is [{h}, {w}]; both must be positive"),
        _ => bail!("a size is a vector [height, width], not of shape {}", x.shape()),
    }
}

/// Runs a function on the pixels as bytes, or as float32.
macro_rules! with_samples {
    ($x:expr, $pixels:ident => $body:expr) => {{
        let x: &Array = $x;
        match x.dtype() {
            DType::U8 => {
                let $pixels = x.as_slice::<u8>()?;
                $body
            }
            _ => {
                let x = cast(x, DType::F32)?;
                let $pixels = x.as_slice::<f32>()?;
                $body
            }
        }
    }};
}
pub(super) use with_samples;

fn summed(
    c: &KernelContext<'_>,
    x: &Array,
    sizes: [usize; 4],
    spans: [&Spans; 2],
    order: Order,
    [height, width]: [usize; 2],
) -> Result<Array> {
    fn run<T: Sample>(
        x: &[T],
        sizes: [usize; 4],
        spans: [&Spans; 2],
        order: Order,
        out: &mut [MaybeUninit<f32>],
    ) -> Result<()> {
        worked(resample(x, sizes, spans, order, out, k::Par::Pool))
    }
    let dims = [sizes[0], height, width, sizes[3]];
    with_samples!(x, pixels => c.output(&dims, |out| run(pixels, sizes, spans, order, out)))
}

/// Which pixels a resized axis takes.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Bilinear,
    Bicubic,
    Area,
}

/// Where the places of a resized axis lie in the source.
#[derive(Clone, Copy)]
struct Places {
    size: usize,
    scale: f32,
    /// A pixel is a square around its place.
    half: bool,
}

impl Places {
    fn new(size: usize, places: usize, [align, half]: [bool; 2]) -> Self {
        let scale = match align && places > 1 {
            true => (size - 1) as f32 / (places - 1) as f32,
            false => size as f32 / places as f32,
        };
        Self { size, scale, half }
    }

    fn of(self, i: usize) -> f32 {
        match self.half {
            true => (i as f32 + 0.5) * self.scale - 0.5,
            false => i as f32 * self.scale,
        }
    }

    /// The nearest pixel.
    fn nearest(self, i: usize, align: bool) -> usize {
        let at = if self.half { (i as f32 + 0.5) * self.scale } else { i as f32 * self.scale };
        let at = if align { at.round() } else { at.floor() };
        (at as usize).min(self.size - 1)
    }

    /// The pixels around a place.
    fn taps(self, i: usize, way: Way) -> (i64, [f32; 4]) {
        match way {
            Way::Bicubic => cubic_taps(self.size, self.half, self.of(i)),
            _ => linear_taps(self.of(i)),
        }
    }

    fn spans(self, places: usize, way: Way) -> Result<Spans> {
        worked(match way {
            Way::Bilinear | Way::Bicubic => {
                Spans::of_taps(self.size, places, |i| self.taps(i, way))
            }
            // A single row or column is the mean of any part of it.
            Way::Area if self.scale == 0.0 => {
                Spans::area(self.size, places, self.size as f32 / places as f32)
            }
            Way::Area => Spans::area(self.size, places, self.scale),
        })
    }
}

/// The attributes `align_corners` and `half_pixel_centers`, of which at most one is set.
fn corners(c: &KernelContext<'_>) -> Result<[bool; 2]> {
    let align = c.get(ResizeBilinear::ALIGN_CORNERS)?;
    let half = c.get(ResizeBilinear::HALF_PIXEL_CENTERS)?;
    if align && half {
        bail!("`align_corners` and `half_pixel_centers` exclude each other");
    }
    Ok([align, half])
}

fn resized(c: &KernelContext<'_>, way: Way, corners: [bool; 2]) -> Result<Outputs> {
    let (x, [height, width]) = (c.input(0), size(c.input(1))?);
    let sizes = sizes(x)?;
    let dims = [sizes[0], height, width, sizes[3]];
    // Before there is an entry for each row and column.
    if num_elements(&dims, size_of::<f64>())? == 0 {
        return Ok([Array::zeros(DType::F32, &dims[..])?].into());
    }
    let rows = Places::new(sizes[1], height, corners).spans(height, way)?;
    let columns = Places::new(sizes[2], width, corners).spans(width, way)?;
    // Cubics have weights of both signs, whose sums lose bits: TensorFlow's order is kept.
    let order = if way == Way::Bicubic { Order::Rows } else { Order::Any };
    Ok([summed(c, x, sizes, [&rows, &columns], order, [height, width])?].into())
}

pub(super) fn bilinear(c: &KernelContext<'_>) -> Result<Outputs> {
    resized(c, Way::Bilinear, corners(c)?)
}

pub(super) fn bicubic(c: &KernelContext<'_>) -> Result<Outputs> {
    resized(c, Way::Bicubic, corners(c)?)
}

pub(super) fn area(c: &KernelContext<'_>) -> Result<Outputs> {
    resized(c, Way::Area, [c.get(ResizeBilinear::ALIGN_CORNERS)?, false])
}

/// The sizes of resized images, and the height and width of the images that they are of.
fn both_sizes(c: &KernelContext<'_>) -> Result<([usize; 4], [usize; 2])> {
    // Without channels the result is empty, not wrong.
    let of = |x: &Array| match *x.dims() {
        [b, h, w, c] if h > 0 && w > 0 => Ok([b, h, w, c]),
        _ => bail!("images have a height and a width, not the shape {}", x.shape()),
    };
    let [_, height, width, _] = of(c.input(1))?;
    Ok((of(c.input(0))?, [height, width]))
}

/// Zeros of these sizes and the dtype of the second input, if there is nothing to sum.
fn no_cotangents(c: &KernelContext<'_>, dims: [usize; 4]) -> Result<Option<Outputs>> {
    if num_elements(&dims, size_of::<f64>())? > 0 && !c.input(0).is_empty() {
        return Ok(None);
    }
    Ok(Some([Array::zeros(c.input(1).dtype(), &dims[..])?].into()))
}

/// The cotangents of images, from those of resized images: the transposed map.
fn unresized(
    c: &KernelContext<'_>,
    spans: impl Fn(usize, usize, usize) -> Result<Spans>,
) -> Result<Outputs> {
    let ([b, h, w, channels], [height, width]) = both_sizes(c)?;
    if let Some(zeros) = no_cotangents(c, [b, height, width, channels])? {
        return Ok(zeros);
    }
    let rows = worked(spans(0, height, h)?.transposed(height))?;
    let columns = worked(spans(1, width, w)?.transposed(width))?;
    let spans = [&rows, &columns];
    let dx = summed(c, c.input(0), [b, h, w, channels], spans, Order::Rows, [height, width])?;
    Ok([cast(&dx, c.input(1).dtype())?].into())
}

fn unresized_by(c: &KernelContext<'_>, way: Way) -> Result<Outputs> {
    let corners = corners(c)?;
    if c.input(1).dtype() == DType::F64 {
        let ([b, h, w, channels], [height, width]) = both_sizes(c)?;
        let (rows, columns) = (Places::new(height, h, corners), Places::new(width, w, corners));
        let dims = [b, height, width, channels];
        if let Some(zeros) = no_cotangents(c, dims)? {
            return Ok(zeros);
        }
        let dy = c.input(0).as_slice::<f32>()?;
        return Ok([c.output_slice(&dims, |out: &mut [f64]| {
            out.fill(0.0);
            let (down, across) = (|i| rows.taps(i, way), |i| columns.taps(i, way));
            // As TensorFlow, whose products of linear weights are rounded.
            match way {
                Way::Bilinear => {
                    add_back(dy, dims, [h, w], down, across, |x, v, u| f64::from(x * v * u), out);
                }
                _ => {
                    let product =
                        |x: f32, v: f32, u: f32| f64::from(x) * f64::from(v) * f64::from(u);
                    add_back(dy, dims, [h, w], down, across, product, out);
                }
            }
            Ok(())
        })?]
        .into());
    }
    unresized(c, |_, size, places| Places::new(size, places, corners).spans(places, way))
}

pub(super) fn bilinear_gradient(c: &KernelContext<'_>) -> Result<Outputs> {
    unresized_by(c, Way::Bilinear)
}

pub(super) fn bicubic_gradient(c: &KernelContext<'_>) -> Result<Outputs> {
    unresized_by(c, Way::Bicubic)
}

/// Rows and columns picked out of images.
struct Picked {
    sizes: [usize; 4],
    rows: Vec<usize>,
    columns: Vec<usize>,
}

impl Move for Picked {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        let [batch, height, width, channels] = self.sizes;
        let mut out = out.chunks_exact_mut(channels);
        for image in 0..batch {
            for row in &self.rows {
                let line = &sources[0][(image * height + row) * width * channels..];
                for (column, out) in self.columns.iter().zip(&mut out) {
                    for (out, x) in out.iter_mut().zip(&line[column * channels..]) {
                        out.write(*x);
                    }
                }
            }
        }
        Ok(())
    }
}

/// For each place of an axis the nearest pixel.
fn nearest_of(size: usize, places: usize, corners: [bool; 2]) -> Result<Vec<usize>> {
    let source = Places::new(size, places, corners);
    let mut all = vec_for(places)?;
    all.extend((0..places).map(|i| source.nearest(i, corners[0])));
    Ok(all)
}

pub(super) fn nearest(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, [height, width], corners) = (c.input(0), size(c.input(1))?, corners(c)?);
    let sizes = sizes(x)?;
    // Larger images have pixels whose number is no float32.
    if sizes[1].max(sizes[2]) >= 1 << 24 {
        bail!("images of shape {}: at most 2^24 rows and columns are resized so", x.shape());
    }
    let rows = nearest_of(sizes[1], height, corners)?;
    let columns = nearest_of(sizes[2], width, corners)?;
    moved(c, &[x], [sizes[0], height, width, sizes[3]], &Picked { sizes, rows, columns })
}

pub(super) fn nearest_gradient(c: &KernelContext<'_>) -> Result<Outputs> {
    let (dy, [height, width], corners) = (c.input(0), size(c.input(1))?, corners(c)?);
    let [batch, h, w, channels] = *dy.dims() else {
        bail!("images have shape [batch, height, width, channels], not {}", dy.shape())
    };
    let dims: Dims = [batch, height, width, channels].into_iter().collect();
    num_elements(&dims, size_of::<f64>())?;
    if dy.is_empty() {
        return Ok([Array::zeros(dy.dtype(), dims)?].into());
    }
    let (rows, columns) = (nearest_of(height, h, corners)?, nearest_of(width, w, corners)?);
    let mut places: Vec<i64> = vec_for(batch * h * w)?;
    for image in 0..batch {
        for row in &rows {
            places.extend(columns.iter().map(|col| ((image * height + row) * width + col) as i64));
        }
    }
    let to = |from: usize, block: &mut [i64]| block.copy_from_slice(&places[from..][..block.len()]);
    let routes = Routes { count: places.len(), from: None, to: &to, sorted: false };
    let dx = combined(c, dy, routes, &[batch * height * width, channels], How::Sum)?;
    Ok([dx.reshape(dims)?].into())
}

/// The filter of an op, with its scales and translations for rows and columns.
struct Scaled {
    filter: Filter,
    antialias: bool,
    scale: [f32; 2],
    translation: [f32; 2],
}

impl Scaled {
    fn of(c: &KernelContext<'_>) -> Result<Self> {
        let filter = match c.get(ScaleAndTranslate::KERNEL_TYPE)?.as_str() {
            "lanczos1" => Filter::Lanczos(1.0),
            "lanczos3" => Filter::Lanczos(3.0),
            "lanczos5" => Filter::Lanczos(5.0),
            "gaussian" => Filter::Gaussian(1.5),
            "box" => Filter::Box,
            "triangle" => Filter::Triangle,
            "keyscubic" => Filter::KeysCubic,
            "mitchellcubic" => Filter::MitchellCubic,
            other => bail!(
                "no filter {other:?}; there are lanczos1, lanczos3, lanczos5, gaussian, box, triangle, \
                 keyscubic and mitchellcubic"
            ),
        };
        let two = |i: usize, what: &str| match *c.input(i).as_slice::<f32>()? {
            [y, x] => Ok([y, x]),
            _ => Err(err!("`{what}` is a vector of two, not of shape {}", c.input(i).shape())),
        };
        let (scale, translation) = (two(2, "scale")?, two(3, "translation")?);
        if !scale.iter().all(|s| *s > 0.0) {
            bail!("the scales {scale:?} must be positive");
        }
        Ok(Self { filter, antialias: c.get(ScaleAndTranslate::ANTIALIAS)?, scale, translation })
    }

    fn spans(&self, axis: usize, size: usize, places: usize) -> Result<Spans> {
        let map = [self.scale[axis], self.translation[axis]];
        worked(Spans::filtered(size, places, self.filter, map, self.antialias))
    }
}

pub(super) fn scale_and_translate(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, [height, width], scaled) = (c.input(0), size(c.input(1))?, Scaled::of(c)?);
    let sizes = sizes(x)?;
    let (rows, columns) = (scaled.spans(0, sizes[1], height)?, scaled.spans(1, sizes[2], width)?);
    Ok([summed(c, x, sizes, [&rows, &columns], Order::Rows, [height, width])?].into())
}

pub(super) fn scale_and_translate_gradient(c: &KernelContext<'_>) -> Result<Outputs> {
    let scaled = Scaled::of(c)?;
    unresized(c, |axis, size, places| scaled.spans(axis, size, places))
}

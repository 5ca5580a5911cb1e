//! Windows of images as vectors, and single windows.

use std::mem::MaybeUninit;

use smallvec::SmallVec;

use super::resize::size;
use crate::ir::{Attrs, InferContext, KernelContext, Outputs, Types};
use crate::ops::rules::infer::one;
use crate::ops::rules::moves::{Move, Moved, moved};
use crate::ops::{ExtractGlimpseV2, ExtractImagePatches};
use crate::types::{Dim, Result, Shape, bail, err};

/// How windows lie along an axis of space.
#[derive(Clone, Copy)]
struct Windows {
    size: usize,
    stride: usize,
    rate: usize,
    same: bool,
}

impl Windows {
    /// How many pixels a window spans.
    fn extent(self) -> Result<usize> {
        let extent = (self.size - 1).checked_mul(self.rate).and_then(|n| n.checked_add(1));
        extent.ok_or_else(|| err!("a window of {} pixels at distances of {}", self.size, self.rate))
    }

    /// The number of windows on an axis of `n` pixels, and how far the first one reaches beyond it.
    fn on(self, n: usize) -> Result<(usize, usize)> {
        let extent = self.extent()?;
        if !self.same {
            return Ok(((n + self.stride).saturating_sub(extent) / self.stride, 0));
        }
        let count = n.div_ceil(self.stride);
        let needed = count.saturating_sub(1).saturating_mul(self.stride).saturating_add(extent);
        Ok((count, needed.saturating_sub(n) / 2))
    }
}

/// The windows of an op along its axes of space, of which there are two or three.
fn windows(attrs: &Attrs) -> Result<SmallVec<[Windows; 3]>> {
    let list = |key: crate::ir::AttrKey<Vec<i64>>| -> Result<Vec<i64>> {
        match attrs.value(key.name()) {
            Some(_) => attrs.get(key),
            None => Ok(Vec::new()),
        }
    };
    let (sizes, strides) =
        (list(ExtractImagePatches::KSIZES)?, list(ExtractImagePatches::STRIDES)?);
    let mut rates = list(ExtractImagePatches::RATES)?;
    if attrs.value(ExtractImagePatches::RATES.name()).is_none() {
        rates = vec![1; sizes.len()];
    }
    let axes = if attrs.value(ExtractImagePatches::RATES.name()).is_some() { 4 } else { 5 };
    for (name, list) in [("ksizes", &sizes), ("strides", &strides), ("rates", &rates)] {
        match list[..] {
            [first, .., last] if list.len() == axes => {
                if first != 1 || last != 1 {
                    bail!(Unimplemented, "`{name}` {list:?} of the batch and the channels are 1");
                }
            }
            _ => bail!("`{name}` has {axes} numbers, not {list:?}"),
        }
        if list.iter().any(|n| *n < 1) {
            bail!(OutOfRange, "`{name}` {list:?} are 1 or more");
        }
    }
    let same = match attrs.get(ExtractImagePatches::PADDING)?.as_str() {
        "SAME" => true,
        "VALID" => false,
        other => bail!("no padding {other:?}; there are \"SAME\" and \"VALID\""),
    };
    let of = |i: usize| Windows {
        size: sizes[i] as usize,
        stride: strides[i] as usize,
        rate: rates[i] as usize,
        same,
    };
    Ok((1..axes - 1).map(of).collect())
}

/// The length of a vector of a window.
fn depth(windows: &[Windows], channels: usize) -> Result<usize> {
    let depth = windows.iter().try_fold(channels, |n, w| n.checked_mul(w.size));
    depth
        .filter(|n| i64::try_from(*n).is_ok())
        .ok_or_else(|| err!("the windows have too many pixels"))
}

pub(super) fn types(c: &InferContext<'_>) -> Result<Types> {
    let windows = windows(c.attrs)?;
    let shape = c.shape(0).with_rank(windows.len() + 2)?;
    let mut dims: Vec<Dim> = vec![shape.dim(0)?];
    for (i, w) in windows.iter().enumerate() {
        let n = shape.dim(i as i64 + 1)?.size();
        dims.push(n.map(|n| w.on(n)).transpose()?.map_or(Dim::UNKNOWN, |(count, _)| count.into()));
    }
    let channels = shape.dim(-1)?.size();
    dims.push(channels.map(|n| depth(&windows, n)).transpose()?.map_or(Dim::UNKNOWN, Dim::from));
    one(c.input(0).dtype, dims.into_iter().collect::<Shape>())
}

/// Windows of volumes; those of images have one plane.
struct Patches {
    windows: [Windows; 3],
    sizes: [usize; 3],
    counts: [usize; 3],
    before: [usize; 3],
    channels: usize,
}

impl Move for Patches {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        if out.is_empty() {
            return Ok(());
        }
        let [planes, rows, columns] = self.sizes;
        // The place on an axis of pixel `k` of window `i`, if it is inside.
        let inside = |axis: usize, i: usize, k: usize| {
            let w = self.windows[axis];
            let at = i.checked_mul(w.stride)?.checked_add(k.checked_mul(w.rate)?)?;
            at.checked_sub(self.before[axis]).filter(|n| *n < self.sizes[axis])
        };
        let mut out = out.chunks_exact_mut(self.channels);
        let whole = planes * rows * columns * self.channels;
        let volumes = sources[0].len().checked_div(whole).unwrap_or(0);
        let [a, b, c] = self.counts;
        for volume in 0..volumes {
            for at in (0..a * b * c).map(|n| [n / (b * c), n / c % b, n % c]) {
                let [d, h, w] = self.windows.map(|w| w.size);
                for k in (0..d * h * w).map(|n| [n / (h * w), n / w % h, n % w]) {
                    let Some(out) = out.next() else { return Ok(()) };
                    let pixel = inside(0, at[0], k[0])
                        .zip(inside(1, at[1], k[1]))
                        .zip(inside(2, at[2], k[2]))
                        .map(|((p, r), c)| {
                            (((volume * planes + p) * rows + r) * columns + c) * self.channels
                        });
                    match pixel {
                        Some(from) => out
                            .iter_mut()
                            .zip(&sources[0][from..])
                            .for_each(|(out, x)| _ = out.write(*x)),
                        None => out.iter_mut().for_each(|out| _ = out.write(T::default())),
                    }
                }
            }
        }
        Ok(())
    }
}

pub(super) fn extracted(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, own) = (c.input(0), windows(c.attrs)?);
    let [batch, space @ .., channels] = x.dims() else {
        bail!("images have a batch and channels, not the shape {}", x.shape())
    };
    if space.len() != own.len() {
        bail!("{} axes of space are wanted, not the shape {}", own.len(), x.shape());
    }
    let none = Windows { size: 1, stride: 1, rate: 1, same: false };
    let (mut windows, mut sizes, mut counts, mut before) = ([none; 3], [1; 3], [1; 3], [0; 3]);
    let first = 3 - own.len();
    for (i, w) in own.iter().enumerate() {
        (windows[first + i], sizes[first + i]) = (*w, space[i]);
        (counts[first + i], before[first + i]) = w.on(space[i])?;
    }
    let mut dims = vec![*batch];
    dims.extend(&counts[first..]);
    dims.push(depth(&own, *channels)?);
    let patches = Patches { windows, sizes, counts, before, channels: *channels };
    moved(c, &[x], &dims[..], &patches)
}

/// Windows of images, one of each, at rows and columns that may lie beyond the edges.
struct Glimpses {
    images: [usize; 4],
    size: [usize; 2],
    corners: Vec<[i64; 2]>,
}

impl Move for Glimpses {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        let ([_, height, width, channels], [rows, columns]) = (self.images, self.size);
        if out.is_empty() {
            return Ok(());
        }
        let inside = |from: i64, i: usize, n: usize| {
            usize::try_from(from.saturating_add(i as i64)).ok().filter(|at| *at < n)
        };
        for (i, out) in out.chunks_exact_mut(channels).enumerate() {
            let (image, row, column) = (i / columns / rows, i / columns % rows, i % columns);
            let [top, left] = self.corners[image];
            match inside(top, row, height).zip(inside(left, column, width)) {
                Some((row, column)) => {
                    let from = ((image * height + row) * width + column) * channels;
                    out.iter_mut().zip(&sources[0][from..]).for_each(|(out, x)| _ = out.write(*x));
                }
                None => out.iter_mut().for_each(|out| _ = out.write(T::default())),
            }
        }
        Ok(())
    }
}

pub(super) fn glimpses(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, offsets) = (c.input(0), c.input(2));
    let [batch, height, width, channels] = *x.dims() else {
        bail!("images have shape [batch, height, width, channels], not {}", x.shape())
    };
    let [rows, columns] = size(c.input(1))?;
    if offsets.dims() != [batch, 2] {
        bail!("offsets have the shape [images, 2], not {}", offsets.shape());
    }
    let (noise, uniform): (String, bool) =
        (c.get(ExtractGlimpseV2::NOISE)?, c.get(ExtractGlimpseV2::UNIFORM_NOISE)?);
    match noise.as_str() {
        "zero" if uniform => bail!("`uniform_noise` and other noise exclude each other"),
        "zero" => {}
        "uniform" | "gaussian" | "" => bail!(
            Unimplemented,
            "random noise around the image is not there; write `noise: \"zero\"`"
        ),
        other => bail!("no noise {other:?}; there is \"zero\""),
    }
    let (centered, normalized) =
        (c.get(ExtractGlimpseV2::CENTERED)?, c.get(ExtractGlimpseV2::NORMALIZED)?);
    let corner = |at: f32, n: usize, window: usize| {
        let (n, window) = (n as f32, window as f32);
        let at = match (normalized, centered) {
            (true, true) => at * n / 2.0 + n / 2.0,
            (true, false) => at * n,
            (false, true) => at + n / 2.0,
            (false, false) => at,
        };
        (if centered && normalized { at - window / 2.0 } else { at }) as i64
    };
    let pairs = offsets.as_slice::<f32>()?.as_chunks::<2>().0;
    let corners =
        pairs.iter().map(|[y, x]| [corner(*y, height, rows), corner(*x, width, columns)]).collect();
    let images = [batch, height, width, channels];
    moved(
        c,
        &[x],
        [batch, rows, columns, channels],
        &Glimpses { images, size: [rows, columns], corners },
    )
}

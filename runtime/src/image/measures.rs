//! Measures of images, and differences of their pixels.

use super::colours::converted;
use super::rank_of_images;
use crate::ops::options::{Sets, chosen, sets};
use crate::ops::{
    self, Axes, Ellipsis, Index, Integer, MirrorMode, Pairs, length, methods::*, rank_of,
};
use crate::tensor::{Tensor, TensorLike, call_site};
use crate::types::{DType, Result, bail};

use super::arrange::{COLUMNS, ROWS};

/// A part of the rows or the columns.
fn part(x: &Tensor, axis: i64, part: impl Into<Index>) -> Result<Tensor> {
    let mut entries = vec![Index::from(Ellipsis), part.into()];
    entries.extend((axis + 1..0).map(|_| Index::from(..)));
    x.index(entries)
}

/// Differences of neighbours along an axis.
fn steps(x: &Tensor, axis: i64) -> Result<Tensor> {
    ops::sub(&part(x, axis, 1..)?, &part(x, axis, ..-1)?)
}

/// The differences of each pixel to the next one below, and to the next one on the right. The last row or column is 0.
///
/// TensorFlow: `tf.image.image_gradients`. Stacks of images of numbers; both results have the same shape.
///
/// # Errors
/// `InvalidArgument` for another rank than 4.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// let (_, across) = image::image_gradients([[[[1.0f32], [3.0]]]])?;
/// assert_eq!(across.as_slice::<f32>()?, &[2.0, 0.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn image_gradients(x: impl TensorLike) -> Result<(Tensor, Tensor)> {
    let _site = call_site!();
    let x = x.lend()?;
    if rank_of(&x)? != 4 {
        bail!("a stack has the shape [batch, height, width, channels], not {}", x.shape());
    }
    Ok((
        steps(&x, ROWS)?.pad([[0i64, 0], [0, 1], [0, 0], [0, 0]])?,
        steps(&x, COLUMNS)?.pad([[0i64, 0], [0, 0], [0, 1], [0, 0]])?,
    ))
}

/// Edges by Sobel's filter: how fast pixels change downwards, and to the right.
///
/// TensorFlow: `tf.image.sobel_edges`. Stacks of images of floats, mirrored at their edges. The result has one more axis,
/// of size 2.
///
/// # Errors
/// `InvalidArgument` for another rank than 4, and less than two rows or columns.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// let y = image::sobel_edges(ops::ones([1, 3, 3, 1], f32)?)?;
/// assert_eq!(y.shape(), shape![1, 3, 3, 1, 2]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn sobel_edges(x: impl TensorLike) -> Result<Tensor> {
    let _site = call_site!();
    let x = x.lend()?;
    if rank_of(&x)? != 4 {
        bail!("a stack has the shape [batch, height, width, channels], not {}", x.shape());
    }
    let wide = x.mirror_pad([[0i64, 0], [1, 1], [1, 1], [0, 0]], MirrorMode::Reflect)?;
    let slope = |across: i64, along: i64| -> Result<Tensor> {
        let ends = ops::add(&part(&wide, across, ..-2)?, &part(&wide, across, 2..)?)?;
        let smooth = ends + part(&wide, across, Integer::from(1)..Integer::from(-1))? * 2.0;
        ops::sub(&part(&smooth, along, 2..)?, &part(&smooth, along, ..-2)?)
    };
    ops::stack(&[&slope(COLUMNS, ROWS)?, &slope(ROWS, COLUMNS)?], -1)
}

/// How rough images are: the sums of the absolute differences of neighbours.
///
/// TensorFlow: `tf.image.total_variation`. An image or a stack of numbers; the result is a scalar, or one for each image.
///
/// # Errors
/// `InvalidArgument` for other ranks than 3 and 4.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// assert_eq!(image::total_variation([[[1.0f32], [3.0]]])?.item::<f32>()?, 2.0);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn total_variation(x: impl TensorLike) -> Result<Tensor> {
    let _site = call_site!();
    let x = x.lend()?;
    rank_of_images(&x)?;
    let sum = |axis| steps(&x, axis)?.abs()?.reduce_sum(Axes::from([-3i64, -2, -1]), false);
    ops::add(&sum(ROWS)?, &sum(COLUMNS)?)
}

/// Two stacks of images as float32, with the largest number of their range.
fn compared(a: &Tensor, b: &Tensor, most: f64) -> Result<(Tensor, Tensor, Tensor)> {
    if a.dtype() != b.dtype() {
        bail!("two images of the dtypes {} and {} are compared; cast one", a.dtype(), b.dtype());
    }
    for x in [a, b] {
        if rank_of(x)? < 3 {
            bail!("images have shape […, height, width, channels], not {}", x.shape());
        }
    }
    let most = converted(&Tensor::scalar(most).cast(a.dtype())?, DType::F32, false)?;
    ops::check_same_shape(a, b, || "images of different sizes are compared".to_owned())?;
    Ok((converted(a, DType::F32, false)?, converted(b, DType::F32, false)?, most))
}

/// How alike images are, by the squares of their differences: decibels, infinite for equal ones.
///
/// TensorFlow: `tf.image.psnr`. Images of shape `[…, height, width, channels]` of the same dtype; the result is float32 of
/// shape `[…]`. `most` is the largest number of the range, such as 255.
///
/// # Errors
/// `InvalidArgument` for different shapes or dtypes, and a rank below 3.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// let x = image::psnr([[[0.0f32]]], [[[0.1f32]]], 1.0)?;
/// assert!((x.item::<f32>()? - 20.0).abs() < 1e-4);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn psnr(a: impl TensorLike, b: impl TensorLike, most: f64) -> Result<Tensor> {
    let _site = call_site!();
    let (a, b, most) = compared(&*a.lend()?, &*b.lend()?, most)?;
    let error = ops::squared_difference(&a, &b)?.reduce_mean(Axes::from([-3i64, -2, -1]), false)?;
    let decibels = 10.0 / std::f64::consts::LN_10;
    ops::sub(&(most.log()? * (2.0 * decibels)), &(error.log()? * decibels))
}

/// Options of [`ssim`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Similarity {
    /// How many pixels wide the windows are.
    pub filter_size: usize,
    /// The deviation of the bell by which pixels of a window are weighted.
    pub filter_sigma: f64,
    /// What is added to the brightness, as a part of the range.
    pub k1: f64,
    /// What is added to the contrast, as a part of the range.
    pub k2: f64,
}

impl Default for Similarity {
    fn default() -> Self {
        Self { filter_size: 11, filter_sigma: 1.5, k1: 0.01, k2: 0.03 }
    }
}

sets! { Similarity => Similarity |o, all| *o = all; }

/// The weights of a bell of `n` pixels, which sum up to 1.
fn bell(n: usize, sigma: f64) -> Vec<f64> {
    let middle = (n as f64 - 1.0) / 2.0;
    let weights = (0..n).map(|i| (-(i as f64 - middle).powi(2) / (2.0 * sigma * sigma)).exp());
    let weights: Vec<f64> = weights.collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|w| w / sum).collect()
}

/// The weighted means of windows.
fn smoothed(x: &Tensor, weights: &[f64]) -> Result<Tensor> {
    let along = |x: &Tensor, axis: i64| -> Result<Tensor> {
        let mut sum: Option<Tensor> = None;
        for (i, weight) in weights.iter().enumerate() {
            let behind = weights.len() - 1 - i;
            let own = match behind {
                0 => part(x, axis, i..)?,
                n => part(x, axis, i as i64..-(n as i64))?,
            };
            let own = own * *weight;
            sum = Some(match sum {
                Some(sum) => sum + own,
                None => own,
            });
        }
        sum.map_or_else(|| Ok(x.clone()), Ok)
    };
    along(&along(x, ROWS)?, COLUMNS)
}

/// For each window and channel the likeness, and that of the contrast alone.
fn likeness(a: &Tensor, b: &Tensor, most: &Tensor, o: Similarity) -> Result<[Tensor; 2]> {
    let n = o.filter_size;
    if n == 0 || n > 1 << 16 || o.filter_sigma.is_nan() || o.filter_sigma <= 0.0 {
        bail!(
            "windows of {n} pixels with a deviation of {}; both must be positive",
            o.filter_sigma
        );
    }
    for axis in [ROWS, COLUMNS] {
        length(a, axis)?.check_at_least("the height or width of compared images", n as i64)?;
    }
    let weights = bell(n, o.filter_sigma);
    let mean = |x: &Tensor| smoothed(x, &weights);
    let [c1, c2] = [(most * o.k1).square()?, (most * o.k2).square()?];
    let (of_a, of_b) = (mean(a)?, mean(b)?);
    let product = ops::mul(&of_a, &of_b)? * 2.0;
    let squares = ops::add(&of_a.square()?, &of_b.square()?)?;
    let brightness = ops::div(&ops::add(&product, &c1)?, &ops::add(&squares, &c1)?)?;
    let products = mean(&ops::mul(a, b)?)? * 2.0;
    let sums = mean(&ops::add(&a.square()?, &b.square()?)?)?;
    let contrast = ops::div(
        &ops::add(&ops::sub(&products, &product)?, &c2)?,
        &ops::add(&ops::sub(&sums, &squares)?, &c2)?,
    )?;
    Ok([ops::mul(&brightness, &contrast)?, contrast])
}

/// How alike images look, from -1 to 1: brightness, contrast and structure of windows.
///
/// TensorFlow: `tf.image.ssim`. Images of shape `[…, height, width, channels]` of the same dtype; the result is float32 of
/// shape `[…]`. `most` is the largest number of the range. Options: [`Similarity`].
///
/// # Errors
/// `InvalidArgument` for different shapes or dtypes, and images smaller than a window.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// let x = ops::ones([12, 12, 1], f32)?;
/// assert_eq!(image::ssim(&x, &x, 1.0, ..)?.item::<f32>()?, 1.0);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn ssim(
    a: impl TensorLike,
    b: impl TensorLike,
    most: f64,
    options: impl Sets<Similarity>,
) -> Result<Tensor> {
    let _site = call_site!();
    let (a, b, most) = compared(&*a.lend()?, &*b.lend()?, most)?;
    let [likeness, _] = likeness(&a, &b, &most, chosen(options)?)?;
    likeness.reduce_mean(Axes::from([ROWS, COLUMNS]), false)?.reduce_mean(-1, false)
}

/// [`ssim`] of each window: float32 of shape `[…, rows, columns]`.
///
/// TensorFlow: `tf.image.ssim` with `return_index_map=True`. Arguments as for [`ssim`].
///
/// # Errors
/// As [`ssim`].
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// let x = ops::ones([12, 13, 1], f32)?;
/// assert_eq!(image::ssim_map(&x, &x, 1.0, ..)?.shape(), shape![2, 3]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn ssim_map(
    a: impl TensorLike,
    b: impl TensorLike,
    most: f64,
    options: impl Sets<Similarity>,
) -> Result<Tensor> {
    let _site = call_site!();
    let (a, b, most) = compared(&*a.lend()?, &*b.lend()?, most)?;
    let [likeness, _] = likeness(&a, &b, &most, chosen(options)?)?;
    likeness.reduce_mean(-1, false)
}

/// Images of half the size: means of blocks of four pixels. An odd row or column is repeated.
fn halved(x: &Tensor) -> Result<Tensor> {
    let rank = rank_of(x)?;
    let along = |x: &Tensor, axis: i64| -> Result<Tensor> {
        let n = length(x, axis)?;
        let odd = n.minus(n.over(2)?.times(2)?)?;
        let zero = Integer::Known(0);
        let place = rank - axis.unsigned_abs() as usize;
        let x = x.mirror_pad(Pairs::of_axis(rank, place, [&zero, &odd])?, MirrorMode::Symmetric)?;
        let pick = |start: i64| part(&x, axis, ops::step(start.., 2));
        Ok(ops::add(&pick(0)?, &pick(1)?)? / 2.0)
    };
    along(&along(x, ROWS)?, COLUMNS)
}

/// [`ssim`] at several scales: the contrasts of images that are halved again and again, each raised to a power.
///
/// TensorFlow: `tf.image.ssim_multiscale`. Arguments as for [`ssim`], and a power for each scale; TensorFlow has
/// `[0.0448, 0.2856, 0.3001, 0.2363, 0.1333]`.
///
/// # Errors
/// As [`ssim`], also for the smallest images; `InvalidArgument` without powers.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// let x = ops::ones([24, 24, 1], f32)?;
/// assert_eq!(image::ssim_multiscale(&x, &x, 1.0, &[0.4, 0.6], ..)?.item::<f32>()?, 1.0);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn ssim_multiscale(
    a: impl TensorLike,
    b: impl TensorLike,
    most: f64,
    powers: &[f64],
    options: impl Sets<Similarity>,
) -> Result<Tensor> {
    let _site = call_site!();
    let options = chosen::<Similarity>(options)?;
    let (mut a, mut b, most) = compared(&*a.lend()?, &*b.lend()?, most)?;
    let mut factors = Vec::new();
    for i in 0..powers.len() {
        if i > 0 {
            (a, b) = (halved(&a)?, halved(&b)?);
        }
        let [likeness, contrast] = likeness(&a, &b, &most, options)?;
        let one = if i + 1 == powers.len() { likeness } else { contrast };
        factors.push(one.reduce_mean(Axes::from([ROWS, COLUMNS]), false)?.relu()?);
    }
    if factors.is_empty() {
        bail!("one scale at least is wanted, a power for each");
    }
    let powers = Tensor::from_vec(powers.to_vec()).cast(DType::F32)?;
    let factors = ops::stack(&factors, -1)?.pow(&powers)?;
    factors.reduce_prod(-1, false)?.reduce_mean(-1, false)
}

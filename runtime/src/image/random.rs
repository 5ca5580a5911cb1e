//! Images changed at random, by a seed of two integers: the same seed gives the same change.

use std::ops::Range;

use super::arrange::{COLUMNS, ROWS, flipped};
use super::{adjust_brightness, adjust_contrast, adjust_hue, adjust_saturation, rank_of_images};
use crate::ops::{self, Integer, Integers, IntegersLike, length, methods::*, rank_of};
use crate::random::stateless_uniform;
use crate::tensor::{Tensor, TensorLike, call_site};
use crate::types::{DType, Result, bail};

/// A number between bounds.
fn between(seed: Integers, bounds: Range<f64>) -> Result<Tensor> {
    stateless_uniform((), seed, bounds, DType::F32)
}

/// Images of which each is mirrored or not.
fn flipped_at_random(x: &Tensor, seed: Integers, axis: i64) -> Result<Tensor> {
    let mirrored = flipped(x, axis)?;
    if rank_of_images(x)? == 3 {
        let draw = stateless_uniform((), seed, 0.0..1.0, DType::F32)?;
        return ops::select(&draw.less(0.5)?, &mirrored, x);
    }
    let count = Integers::of(&[length(x, 0)?])?;
    let draws = stateless_uniform(count, seed, 0.0..1.0, DType::F32)?.reshape([-1i64, 1, 1, 1])?;
    ops::select(&draws.greater(0.5)?, &mirrored, x)
}

/// The bounds of a factor, which must ascend from 0 upwards.
fn factors(bounds: &Range<f64>) -> Result<()> {
    if !(bounds.start >= 0.0 && bounds.end > bounds.start) {
        bail!("the factors {bounds:?} must ascend, from 0 upwards");
    }
    Ok(())
}

macro_rules! at_random {
    ($($(#[doc = $doc:literal])+ $name:ident($($arg:ident: $ty:ty = $example:literal),*) |$x:ident, $seed:ident| $body:expr;)+) => {
        $(
            $(#[doc = $doc])+
            ///
            /// The seed is two integers; the same seed gives the same change. Images or stacks, as for the function
            /// that changes them by a given amount.
            ///
            /// # Errors
            /// `InvalidArgument` for bounds with nothing between them, and what that function refuses.
            ///
            /// ```
            /// use extype::image;
            /// use extype::prelude::*;
            /// let x = ops::ones([2, 2, 3], f32)?;
            #[doc = concat!("let y = image::", stringify!($name), "(&x, ", $($example, ", ",)* "[1, 2])?;")]
            /// assert_eq!(y.shape(), x.shape());
            /// # Ok::<(), Error>(())
            /// ```
            #[track_caller]
            pub fn $name(x: impl TensorLike, $($arg: $ty,)* seed: impl IntegersLike) -> Result<Tensor> {
                let _site = call_site!();
                let ($x, $seed): (_, Integers) = (&*x.lend()?, seed.into());
                $body
            }
        )+
    };
}
at_random! {
    /// Images mirrored from left to right, or not.
    ///
    /// TensorFlow: `tf.image.stateless_random_flip_left_right`.
    stateless_random_flip_left_right() |x, seed| flipped_at_random(x, seed, COLUMNS);

    /// Images upside down, or not.
    ///
    /// TensorFlow: `tf.image.stateless_random_flip_up_down`.
    stateless_random_flip_up_down() |x, seed| flipped_at_random(x, seed, ROWS);

    /// Images whose brightness is changed by at most `max_delta`, up or down.
    ///
    /// TensorFlow: `tf.image.stateless_random_brightness`.
    stateless_random_brightness(max_delta: f64 = "0.1") |x, seed| {
        if max_delta.is_nan() || max_delta < 0.0 {
            bail!("`max_delta` is {max_delta}; it must not be negative");
        }
        adjust_brightness(x, between(seed, -max_delta..max_delta)?)
    };

    /// Images whose contrast is multiplied by a factor in a range.
    ///
    /// TensorFlow: `tf.image.stateless_random_contrast`.
    stateless_random_contrast(range: Range<f64> = "0.5..1.5") |x, seed| {
        factors(&range)?;
        adjust_contrast(x, between(seed, range)?)
    };

    /// Images whose hues are moved by at most `max_delta` of the circle, which is at most a half.
    ///
    /// TensorFlow: `tf.image.stateless_random_hue`.
    stateless_random_hue(max_delta: f64 = "0.1") |x, seed| {
        if !(0.0..=0.5).contains(&max_delta) {
            bail!("`max_delta` is {max_delta}; it must be in [0, 0.5]");
        }
        adjust_hue(x, between(seed, -max_delta..max_delta)?)
    };

    /// Images whose saturation is multiplied by a factor in a range.
    ///
    /// TensorFlow: `tf.image.stateless_random_saturation`.
    stateless_random_saturation(range: Range<f64> = "0.5..1.5") |x, seed| {
        factors(&range)?;
        adjust_saturation(x, between(seed, range)?)
    };
}

/// A part of a tensor, of this size, at a random place.
///
/// TensorFlow: `tf.image.stateless_random_crop`. Of any rank and dtype; `size` has a number for each axis. The seed is two
/// integers; the same seed gives the same part.
///
/// # Errors
/// `InvalidArgument` for a size that is larger than the tensor, or of another rank.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// let y = image::stateless_random_crop(ops::ones([4, 5, 3], f32)?, [2, 2, 3], [1, 2])?;
/// assert_eq!(y.shape(), shape![2, 2, 3]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn stateless_random_crop(
    x: impl TensorLike,
    size: impl IntegersLike,
    seed: impl IntegersLike,
) -> Result<Tensor> {
    let _site = call_site!();
    let (x, size) = (x.lend()?, size.into());
    let rank = rank_of(&x)?;
    let own = (0..rank as i64).map(|i| length(&x, i)).collect::<Result<Vec<_>>>()?;
    let wanted = size.to_tensor()?.cast(DType::I64)?;
    let room = ops::sub(Integers::of(&own)?.to_tensor()?.cast(DType::I64)?, &wanted)?;
    let fits = room.greater_equal(0)?.reduce_all(.., false)?;
    match &fits {
        Tensor::Value(_) if !fits.item::<bool>()? => {
            bail!("a part of size {wanted} of a tensor of shape {}", x.shape())
        }
        Tensor::Value(_) => {}
        Tensor::Symbol(_) => {
            ops::check(&fits, "a part must fit into the tensor, not be", &[&wanted])?;
        }
    }
    let draws = stateless_uniform([rank], seed, 0..i64::from(i32::MAX), DType::I32)?;
    let begin = ops::floor_mod(&draws.cast(DType::I64)?, &(room + 1))?;
    match size.known() {
        Some(known) => {
            let known: Vec<Integer> = known.iter().map(|n| Integer::Known(*n)).collect();
            x.slice(&begin, Integers::of(&known)?)
        }
        None => x.slice(&begin, &wanted),
    }
}

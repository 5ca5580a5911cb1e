//! Convolutions: sums of products over windows of up to three axes, channels last.
//!
//! No matrix of patches is made. The rows of a tile (`tile.rs`) read their windows where they lie, in the input or in a copy
//! of a part of it with zeros around (`bands.rs`). Windows of one place are a product of matrices. The gradients are convolutions too: that of the input reads the other gradient by the taps
//! that meet there, that of the filter sums over positions instead of taps.

mod bands;
mod gather;
mod line;
mod pool;
mod tile;

pub use line::slide;
pub use pool::Pool;
pub use tile::Tiled;

use crate::element::{Element, Half, bf16, f16};
use crate::halves::{narrow, widened_whole, written};
use crate::memory::{OutOfMemory, room};
use crate::par::Par;
use crate::size::volume;
use core::mem::MaybeUninit;

/// A window along one axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Axis {
    /// The size of the input.
    pub input: usize,
    /// The size of the output.
    pub output: usize,
    /// The taps of the filter.
    pub filter: usize,
    /// Between the windows of two neighbours of the output.
    pub stride: usize,
    /// Between two taps.
    pub dilation: usize,
    /// The zeros before the input.
    pub before: usize,
}

impl Axis {
    /// An axis without windows: one place.
    pub const ONE: Self =
        Self { input: 1, output: 1, filter: 1, stride: 1, dilation: 1, before: 0 };

    /// Whether each window is the place of the input where its result is.
    fn is_point(&self) -> bool {
        (self.filter, self.stride, self.before) == (1, 1, 0) && self.output == self.input
    }
}

/// The sizes of a convolution.
///
/// The input is `[batch, …, channels]`, the filter `[…, channels / groups, features]`, the output
/// `[batch, …, features]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conv {
    /// Images.
    pub batch: usize,
    /// The axes of windows; those not used are [`Axis::ONE`].
    pub axes: [Axis; 3],
    /// Channels of the input.
    pub channels: usize,
    /// Channels of the output.
    pub features: usize,
    /// Divides channels and features: each group of features reads a group of channels.
    pub groups: usize,
}

impl Conv {
    fn input_len(&self) -> usize {
        let sizes = self.axes.map(|a| a.input);
        volume([self.batch, self.channels].into_iter().chain(sizes))
    }

    fn output_len(&self) -> usize {
        let sizes = self.axes.map(|a| a.output);
        volume([self.batch, self.features].into_iter().chain(sizes))
    }

    fn taps(&self) -> usize {
        volume(self.axes.map(|a| a.filter))
    }

    fn filter_len(&self) -> usize {
        volume([self.taps(), self.channels / self.groups, self.features])
    }
}

/// What is computed from what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// The output, from the input and the filter.
    Forward,
    /// The gradient of the input, from that of the output and the filter.
    Input,
    /// The gradient of the filter, from the input and the gradient of the output.
    Filter,
}

/// Elements that can be convolved.
pub trait Convolved: Element {
    #[doc(hidden)]
    fn run(
        conv: &Conv,
        way: Way,
        x: &[Self],
        y: &[Self],
        out: &mut [MaybeUninit<Self>],
        par: Par,
    ) -> Result<(), OutOfMemory>;
}

macro_rules! run {
    ($($t:ty: $function:path;)*) => {$(
        impl Convolved for $t {
            fn run(
                conv: &Conv,
                way: Way,
                x: &[Self],
                y: &[Self],
                out: &mut [MaybeUninit<Self>],
                par: Par,
            ) -> Result<(), OutOfMemory> {
                $function(conv, way, x, y, out, par)
            }
        }
    )*};
}
run! {
    f32: gather::run;
    f64: gather::run;
    i32: gather::run;
    f16: halves;
    bf16: halves;
}

/// Computes a convolution or one of its gradients.
///
/// # Errors
///
/// If there is no memory for a copy of an operand.
///
/// # Panics
///
/// If a length does not fit the sizes, or the groups don't divide the channels and features.
pub fn convolve<T: Convolved>(
    conv: &Conv,
    way: Way,
    x: &[T],
    y: &[T],
    out: &mut [MaybeUninit<T>],
    par: Par,
) -> Result<(), OutOfMemory> {
    assert!(
        conv.groups > 0
            && conv.channels.is_multiple_of(conv.groups)
            && conv.features.is_multiple_of(conv.groups)
    );
    let (input, filter, output) = (conv.input_len(), conv.filter_len(), conv.output_len());
    let lens = match way {
        Way::Forward => [input, filter, output],
        Way::Input => [output, filter, input],
        Way::Filter => [input, output, filter],
    };
    assert_eq!([x.len(), y.len(), out.len()], lens, "operands don't have the sizes of {conv:?}");
    if x.is_empty() || y.is_empty() {
        // Sums of nothing.
        out.fill(MaybeUninit::new(T::default()));
        return Ok(());
    }
    if out.is_empty() {
        return Ok(());
    }
    T::run(conv, way, x, y, out, par)
}

/// A convolution of widened operands, rounded once.
fn halves<H: Element + Half>(
    conv: &Conv,
    way: Way,
    x: &[H],
    y: &[H],
    out: &mut [MaybeUninit<H>],
    par: Par,
) -> Result<(), OutOfMemory> {
    let (x, y) = (widened_whole(x)?, widened_whole(y)?);
    let mut result: Vec<f32> = room(out.len())?;
    let result = &mut result.spare_capacity_mut()[..out.len()];
    gather::run(conv, way, &x, &y, result, par)?;
    // SAFETY: the convolution has written all of it.
    narrow(unsafe { written(result) }, out);
    Ok(())
}

#[cfg(test)]
mod tests;

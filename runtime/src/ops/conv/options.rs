//! Options of ops on windows.

use crate::ops::options::sets;

/// A number for each spatial axis: one for all, or a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerAxis(Vec<i64>);

impl PerAxis {
    /// The list for all axes of images, with ones for the batch and the channels.
    pub(in crate::ops) fn list(&self, spatial: usize, format: DataFormat) -> Vec<i64> {
        let mut all = match self.0[..] {
            [one] => vec![one; spatial],
            _ => self.0.clone(),
        };
        all.insert(format.channels(all.len()), 1);
        all.insert(0, 1);
        all
    }

    /// The numbers for images of height one.
    pub(in crate::ops) fn behind_one(mut self) -> Self {
        self.0.insert(0, 1);
        self
    }
}

macro_rules! per_axis {
    ($($t:ty)*) => {$(
        impl From<$t> for PerAxis {
            fn from(n: $t) -> Self {
                Self(vec![i64::try_from(n).unwrap_or(i64::MAX)])
            }
        }
        impl<const N: usize> From<[$t; N]> for PerAxis {
            fn from(n: [$t; N]) -> Self {
                Self(n.map(|n| i64::try_from(n).unwrap_or(i64::MAX)).into())
            }
        }
        impl From<&[$t]> for PerAxis {
            fn from(n: &[$t]) -> Self {
                Self(n.iter().map(|n| i64::try_from(*n).unwrap_or(i64::MAX)).collect())
            }
        }
    )*};
}
per_axis!(i32 i64 usize);

/// The distance between windows that are neighbours: a number for all spatial axes, or one for each.
///
/// ```
/// use extype::prelude::*;
/// let x = ops::zeros([1, 6, 6, 1], DType::F32)?;
/// let y = x.conv2d(ops::ones([3, 3, 1, 4], DType::F32)?, ops::Strides([1, 3]))?;
/// assert_eq!(y.shape(), shape![1, 4, 2, 4]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strides<N>(pub N);

/// The distance between the places that a window reads: a number for all spatial axes, or one for each.
///
/// ```
/// use extype::prelude::*;
/// let x = ops::zeros([1, 5, 5, 1], DType::F32)?;
/// let y = x.conv2d(ops::ones([3, 3, 1, 1], DType::F32)?, ops::Dilations(2))?;
/// assert_eq!(y.shape(), shape![1, 1, 1, 1]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dilations<N>(pub N);

/// What is around images.
///
/// ```
/// use extype::prelude::*;
/// let (x, filter) = (ops::ones([1, 2, 2, 1], DType::F32)?, ops::ones([3, 3, 1, 1], DType::F32)?);
/// let y = x.conv2d(&filter, ops::Padding::Same)?;
/// assert_eq!(y.as_slice::<f32>()?, &[4.0; 4]);
/// let y = x.conv2d(&filter, ops::Padding::Explicit(vec![[1, 0], [1, 0]]))?;
/// assert_eq!(y.as_slice::<f32>()?, &[4.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Padding {
    /// Nothing: each window lies within the image.
    #[default]
    Valid,
    /// As many zeros as make the output as large as the input, divided by the strides and rounded up. Of an odd number
    /// the larger part is behind the image.
    Same,
    /// So many zeros before and behind each spatial axis.
    Explicit(Vec<[usize; 2]>),
}

/// Where the channels of images are.
///
/// ```
/// use extype::prelude::*;
/// let x = ops::zeros([1, 3, 8, 8], DType::F32)?;
/// let y = x.conv2d(ops::ones([3, 3, 3, 5], DType::F32)?, ops::DataFormat::ChannelsFirst)?;
/// assert_eq!(y.shape(), shape![1, 5, 6, 6]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DataFormat {
    /// `[batch, height, width, channels]`, TensorFlow's NHWC.
    #[default]
    ChannelsLast,
    /// `[batch, channels, height, width]`, TensorFlow's NCHW and PyTorch's order. The images are transposed and back.
    ChannelsFirst,
}

impl Padding {
    /// TensorFlow's name.
    pub(in crate::ops) fn name(&self) -> String {
        match self {
            Self::Valid => "VALID",
            Self::Same => "SAME",
            Self::Explicit(_) => "EXPLICIT",
        }
        .to_owned()
    }

    /// The explicit paddings of all axes.
    pub(in crate::ops) fn list(&self, format: DataFormat) -> Vec<i64> {
        let Self::Explicit(paddings) = self else { return Vec::new() };
        let mut all = paddings.clone();
        all.insert(format.channels(all.len()), [0, 0]);
        all.insert(0, [0, 0]);
        all.into_iter().flatten().map(|n| i64::try_from(n).unwrap_or(i64::MAX)).collect()
    }
}

impl DataFormat {
    /// The place of the channels behind the batch.
    fn channels(self, spatial: usize) -> usize {
        if self == Self::ChannelsFirst { 0 } else { spatial }
    }

    /// TensorFlow's name for images with this many spatial axes.
    pub(in crate::ops) fn name(self, spatial: usize) -> String {
        let axes = &"DHW"[3 - spatial..];
        match self {
            Self::ChannelsLast => format!("N{axes}C"),
            Self::ChannelsFirst => format!("NC{axes}"),
        }
    }
}

/// Options of a convolution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvOptions {
    /// Between windows that are neighbours; one if not given.
    pub strides: PerAxis,
    /// Between the places that a window reads; one if not given.
    pub dilations: PerAxis,
    /// What is around images.
    pub padding: Padding,
    /// Where the channels are.
    pub format: DataFormat,
}

impl Default for ConvOptions {
    fn default() -> Self {
        let (padding, format) = Default::default();
        Self { strides: 1.into(), dilations: 1.into(), padding, format }
    }
}

/// Options of a pooling.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PoolOptions {
    /// Between windows that are neighbours; the size of the window if not given.
    pub strides: Option<PerAxis>,
    /// Between the elements of a window; one if not given.
    pub dilations: Option<PerAxis>,
    /// What is around images. It is in no window.
    pub padding: Padding,
    /// Where the channels are.
    pub format: DataFormat,
}

sets! {
    Padding => ConvOptions |o, padding| o.padding = padding;
    DataFormat => ConvOptions |o, format| o.format = format;
    ConvOptions => ConvOptions |o, all| *o = all;
    Padding => PoolOptions |o, padding| o.padding = padding;
    DataFormat => PoolOptions |o, format| o.format = format;
    PoolOptions => PoolOptions |o, all| *o = all;
}

sets! {
    for[N: Into<PerAxis>] Strides<N> => ConvOptions |o, Strides(n)| o.strides = n.into();
    for[N: Into<PerAxis>] Dilations<N> => ConvOptions |o, Dilations(n)| o.dilations = n.into();
    for[N: Into<PerAxis>] Strides<N> => PoolOptions |o, Strides(n)| o.strides = Some(n.into());
    for[N: Into<PerAxis>] Dilations<N> => PoolOptions |o, Dilations(n)| o.dilations = Some(n.into());
}

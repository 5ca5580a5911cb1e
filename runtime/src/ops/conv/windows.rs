//! Windows that move over the spatial axes of images: what convolutions and poolings share.

use extype_kernels::conv::Axis;

use crate::array::{Array, Dims};
use crate::ir::{Attrs, KernelContext};
use crate::ops::Conv2d;
use crate::ops::movement::kernel::transposed;
use crate::types::{Dim, Result, bail, err};

/// How windows move, from the attributes of an op. Lists have an entry for each spatial axis.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Windows {
    strides: Vec<usize>,
    dilations: Vec<usize>,
    padding: Padding,
    /// The axis of the channels: 1, or the last.
    pub(in crate::ops) channels: usize,
}

#[derive(Clone, Debug)]
enum Padding {
    Valid,
    Same,
    /// Before and after each spatial axis.
    Explicit(Vec<[usize; 2]>),
}

impl Windows {
    /// The windows of an op with this many spatial axes.
    pub(in crate::ops) fn of(attrs: &Attrs, spatial: usize) -> Result<Self> {
        let strides = attrs.get(Conv2d::STRIDES)?;
        Self::with_strides(attrs, spatial, &strides)
    }

    /// The windows of an op whose strides are not an attribute.
    pub(in crate::ops) fn with_strides(
        attrs: &Attrs,
        spatial: usize,
        strides: &[i64],
    ) -> Result<Self> {
        let format: String = attrs.get(Conv2d::DATA_FORMAT).unwrap_or_else(|_| "NHWC".to_owned());
        let channels = channel_axis(&format, spatial + 2)?;
        // Ops without dilations or explicit paddings lack these attributes.
        let dilations: Vec<i64> =
            attrs.get(Conv2d::DILATIONS).unwrap_or_else(|_| vec![1; spatial + 2]);
        let explicit: Vec<i64> = attrs.get(Conv2d::EXPLICIT_PADDINGS).unwrap_or_default();
        let padding: String = attrs.get(Conv2d::PADDING)?;
        let padding = match padding.as_str() {
            "VALID" | "SAME" if !explicit.is_empty() => {
                bail!(
                    "`explicit_paddings` = {explicit:?} with the padding {padding:?}; \"EXPLICIT\" uses them"
                )
            }
            "VALID" => Padding::Valid,
            "SAME" => Padding::Same,
            "EXPLICIT" => Padding::Explicit(paddings(&explicit, spatial, channels)?),
            other => bail!("no padding {other:?}; there are \"VALID\", \"SAME\" and \"EXPLICIT\""),
        };
        let spatial_of = |what, list: &[i64]| spatial_of(what, list, spatial, channels);
        Ok(Self {
            strides: spatial_of("strides", strides)?,
            dilations: spatial_of("dilations", &dilations)?,
            padding,
            channels,
        })
    }

    /// The number of spatial axes.
    pub(in crate::ops) fn spatial(&self) -> usize {
        self.strides.len()
    }

    /// The axis of images that is spatial axis `i`.
    pub(in crate::ops) fn axis(&self, i: usize) -> usize {
        if self.channels == 1 { i + 2 } else { i + 1 }
    }

    /// The sizes of windows that a list gives, with ones for the batch and the channels.
    pub(in crate::ops) fn sizes(&self, what: &str, list: &[i64]) -> Result<Vec<usize>> {
        spatial_of(what, list, self.spatial(), self.channels)
    }

    /// The window along spatial axis `i`.
    pub(in crate::ops) fn along(&self, i: usize, input: usize, filter: usize) -> Result<Axis> {
        let (stride, dilation) = (self.strides[i], self.dilations[i]);
        let wide = |n: usize| i64::try_from(n).map_err(|_| err!("a size of {n} is too large"));
        let (size, step) = (wide(input)?, wide(stride)?);
        let reach = filter.saturating_sub(1).checked_mul(dilation).and_then(|n| n.checked_add(1));
        let reach =
            wide(reach.ok_or_else(|| err!("{filter} taps {dilation} apart are too far apart"))?)?;
        let too_large =
            || err!("a window over {reach} places is too large for an axis of size {input}");
        let (output, before) = match &self.padding {
            Padding::Same => {
                let output = input.div_ceil(stride) as i64;
                let around =
                    (output - 1).saturating_mul(step).saturating_add(reach).saturating_sub(size);
                (output, around.max(0) / 2)
            }
            other => {
                let [before, after] = match other {
                    Padding::Explicit(paddings) => paddings[i],
                    _ => [0, 0],
                };
                let (before, after) = (wide(before)?, wide(after)?);
                let padded = size.checked_add(before).and_then(|n| n.checked_add(after));
                let padded =
                    padded.ok_or_else(|| err!("paddings of {before} and {after} are too large"))?;
                ((padded - reach).saturating_add(step) / step, before)
            }
        };
        let output = usize::try_from(output).map_err(|_| too_large())?;
        Ok(Axis { input, output, filter, stride, dilation, before: before as usize })
    }

    /// The size of the output along spatial axis `i`, as far as it is known.
    pub(in crate::ops) fn output(&self, i: usize, input: Dim, filter: Dim) -> Result<Dim> {
        match (input.size(), filter.size(), &self.padding) {
            (Some(input), Some(filter), _) => Ok(self.along(i, input, filter)?.output.into()),
            (Some(input), None, Padding::Same) => Ok(input.div_ceil(self.strides[i]).into()),
            _ => Ok(Dim::UNKNOWN),
        }
    }

    /// The axes of a kernel, for images of these sizes with the channels last.
    pub(in crate::ops) fn axes(&self, images: &[usize], filter: &[usize]) -> Result<[Axis; 3]> {
        let mut axes = [Axis::ONE; 3];
        let first = axes.len() - self.spatial();
        for i in 0..self.spatial() {
            axes[first + i] = self.along(i, images[i + 1], filter[i])?;
        }
        Ok(axes)
    }

    /// Sizes of images with the channels last.
    pub(in crate::ops) fn dims_with_channels_last(&self, dims: &[usize]) -> Dims {
        self.to_last().iter().map(|axis| dims[*axis]).collect()
    }

    /// Images with the channels last.
    pub(in crate::ops) fn with_channels_last(
        &self,
        c: &KernelContext<'_>,
        x: &Array,
    ) -> Result<Array> {
        match self.channels {
            1 => transposed(c, x, &self.to_last()),
            _ => Ok(x.clone()),
        }
    }

    /// Images whose channels are last, as the op has them.
    pub(in crate::ops) fn as_asked(&self, c: &KernelContext<'_>, y: Array) -> Result<Array> {
        match self.channels {
            1 => {
                let mut perm: Dims = (0..y.rank() - 1).collect();
                perm.insert(1, y.rank() - 1);
                transposed(c, &y, &perm)
            }
            _ => Ok(y),
        }
    }

    fn to_last(&self) -> Dims {
        let mut perm: Dims = (0..self.spatial() + 2).collect();
        let channels = perm.remove(self.channels);
        perm.push(channels);
        perm
    }

    /// The channels' place among spatial axes and channels, and the sizes in the order of the op.
    pub(in crate::ops) fn ordered<T: Copy>(&self, batch: T, spatial: &[T], channels: T) -> Vec<T> {
        let mut all = vec![batch];
        all.extend_from_slice(spatial);
        all.insert(self.channels, channels);
        all
    }
}

/// The axis of the channels of images of this rank.
pub(in crate::ops) fn channel_axis(format: &str, rank: usize) -> Result<usize> {
    match format {
        "NHWC" | "NDHWC" if format.len() == rank => Ok(rank - 1),
        "NCHW" | "NCDHW" if format.len() == rank => Ok(1),
        _ => bail!("no data format {format:?} of images of rank {rank}"),
    }
}

/// The entries of the spatial axes of a list for all axes, where those of the batch and the channels are 1.
fn spatial_of(what: &str, list: &[i64], spatial: usize, channels: usize) -> Result<Vec<usize>> {
    if list.len() != spatial + 2 {
        bail!(
            "`{what}` = {list:?} has {} entries, not one for each of {} axes",
            list.len(),
            spatial + 2
        );
    }
    let size = |n: &i64| usize::try_from(*n).ok().filter(|n| *n > 0);
    let sizes: Option<Vec<usize>> = list.iter().map(size).collect();
    let mut sizes = sizes.ok_or_else(|| err!("`{what}` = {list:?} has an entry below 1"))?;
    if [sizes.remove(channels), sizes.remove(0)] != [1, 1] {
        bail!("`{what}` = {list:?} is not 1 for the batch and the channels");
    }
    Ok(sizes)
}

/// The paddings before and after each spatial axis, from a list with those of all axes.
fn paddings(list: &[i64], spatial: usize, channels: usize) -> Result<Vec<[usize; 2]>> {
    if list.len() != 2 * (spatial + 2) {
        bail!(
            "`explicit_paddings` = {list:?} has {} entries, not two for each of {} axes",
            list.len(),
            spatial + 2
        );
    }
    let size = |n: &i64| usize::try_from(*n).ok();
    let sizes: Option<Vec<usize>> = list.iter().map(size).collect();
    let sizes = sizes.ok_or_else(|| err!("`explicit_paddings` = {list:?} has a negative entry"))?;
    let mut pairs: Vec<[usize; 2]> = sizes.chunks_exact(2).map(|p| [p[0], p[1]]).collect();
    if [pairs.remove(channels), pairs.remove(0)] != [[0, 0], [0, 0]] {
        bail!("`explicit_paddings` = {list:?} pads the batch or the channels");
    }
    Ok(pairs)
}

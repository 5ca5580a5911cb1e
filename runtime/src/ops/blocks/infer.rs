//! Output types of the ops that move blocks of space to the batch or to channels, and back.

use smallvec::SmallVec;

use crate::ir::{InferContext, Types};
use crate::ops::SpaceToDepth;
use crate::ops::movement::infer::padded;
use crate::ops::rules::infer::one;
use crate::types::{Dim, Result, Shape, bail, err};

fn times(n: usize, by: usize) -> Result<usize> {
    let size = n.checked_mul(by).filter(|size| i64::try_from(*size).is_ok());
    size.ok_or_else(|| err!(ResourceExhausted, "{n} times {by} overflows"))
}

/// The number of blocks along an axis of size `n`.
fn part(axis: usize, n: usize, block: usize) -> Result<usize> {
    match n.checked_rem(block) {
        Some(0) => Ok(n / block),
        _ => bail!("axis {axis} of size {n} is not divisible by the block size {block}"),
    }
}

/// The block sizes of the axes after the batch, with the paddings or crops before and after each axis.
pub(in crate::ops) struct Blocks {
    pub(in crate::ops) sizes: SmallVec<[usize; 4]>,
    /// Before and after the first of these axes, then before and after the second, and so on.
    pub(in crate::ops) paddings_or_crops: SmallVec<[i64; 4]>,
    product: usize,
}

impl Blocks {
    pub(in crate::ops) fn new(
        rank: usize,
        block: &[i64],
        shape: &[usize],
        paddings_or_crops: &[i64],
    ) -> Result<Self> {
        let m = block.len();
        check_rank(m, rank)?;
        if *shape != [m, 2] {
            bail!("paddings or crops for {m} block sizes have shape [{m}, 2], not {shape:?}");
        }
        let size = |b: &i64| usize::try_from(*b).ok().filter(|b| *b > 0);
        let sizes: Option<SmallVec<[usize; 4]>> = block.iter().map(size).collect();
        let sizes = sizes.ok_or_else(|| err!("a block size in {block:?} is not positive"))?;
        if let Some(p) = paddings_or_crops.iter().find(|p| **p < 0) {
            bail!("{p} in the paddings or crops {paddings_or_crops:?} is negative");
        }
        let product = sizes.iter().try_fold(1, |n, b| times(n, *b))?;
        Ok(Self { sizes, paddings_or_crops: paddings_or_crops.into(), product })
    }

    /// The block size of an axis, and its padding or crop before and after; `None` for an axis without blocks.
    fn of_axis(&self, axis: usize) -> Option<(usize, i64, i64)> {
        let i = axis.checked_sub(1)?;
        let size = *self.sizes.get(i)?;
        Some((size, self.paddings_or_crops[2 * i], self.paddings_or_crops[2 * i + 1]))
    }

    /// The size of an axis after `SpaceToBatchND`.
    pub(in crate::ops) fn batched(&self, axis: usize, n: usize) -> Result<usize> {
        match self.of_axis(axis) {
            _ if axis == 0 => times(n, self.product),
            Some((block, before, after)) => part(axis, padded(n, before, after)?, block),
            None => Ok(n),
        }
    }

    /// The size of an axis after `BatchToSpaceND`.
    pub(in crate::ops) fn cropped(&self, axis: usize, n: usize) -> Result<usize> {
        match self.of_axis(axis) {
            _ if axis == 0 => part(axis, n, self.product),
            Some((block, before, after)) => {
                let n = times(n, block)?;
                let cut = |n: usize, by: i64| n.checked_sub(usize::try_from(by).ok()?);
                cut(n, before).and_then(|n| cut(n, after)).ok_or_else(|| {
                    err!("axis {axis} of size {n} can't be cropped by {before} and {after}")
                })
            }
            None => Ok(n),
        }
    }
}

fn check_rank(blocks: usize, rank: usize) -> Result<()> {
    if rank <= blocks {
        bail!(
            "{blocks} block sizes need an input of rank {} or more, not {rank}: \
             the first axis is the batch",
            blocks + 1
        );
    }
    Ok(())
}

/// The type of the input with a function applied to each known size.
fn mapped(
    c: &InferContext<'_>,
    dims: &[Dim],
    size: impl Fn(usize, usize) -> Result<usize>,
) -> Result<Types> {
    let dim = |(axis, d): (usize, &Dim)| match d.size() {
        Some(n) => size(axis, n).map(Dim::from),
        None => Ok(Dim::UNKNOWN),
    };
    let dims = dims.iter().enumerate().map(dim).collect::<Result<SmallVec<[Dim; 4]>>>()?;
    one(c.input(0).dtype, dims.into_iter().collect())
}

fn blocks(c: &InferContext<'_>, size: fn(&Blocks, usize, usize) -> Result<usize>) -> Result<Types> {
    let count = c.shape(1).with_rank(1)?.dims().and_then(|d| d[0].size());
    let shape = c.shape(2).with_rank(2)?;
    if !shape.dim(1)?.is_compatible_with(Dim::from(2)) {
        bail!("paddings or crops have shape [n, 2], not {shape}");
    }
    let Some(dims) = c.shape(0).dims() else { return one(c.input(0).dtype, Shape::unknown()) };
    if let Some(count) = count {
        check_rank(count, dims.len())?;
    }
    let (Some(block), Some(p)) = (c.integers(1), c.integers(2)) else {
        return one(c.input(0).dtype, Shape::of_rank(dims.len()));
    };
    let blocks = Blocks::new(dims.len(), &block, &c.shape(2).sizes().unwrap_or_default(), &p)?;
    mapped(c, dims, |axis, n| size(&blocks, axis, n))
}

pub(in crate::ops) fn space_to_batch(c: &InferContext<'_>) -> Result<Types> {
    blocks(c, Blocks::batched)
}

pub(in crate::ops) fn batch_to_space(c: &InferContext<'_>) -> Result<Types> {
    blocks(c, Blocks::cropped)
}

/// The block size of an op on images, and the axis of the channels.
fn image_block(c: &InferContext<'_>) -> Result<(usize, usize)> {
    let block: i64 = c.get(SpaceToDepth::BLOCK_SIZE)?;
    if block < 2 {
        bail!("the block size is 2 or more, not {block}");
    }
    let b = usize::try_from(block).ok().filter(|b| b.checked_mul(*b).is_some());
    let b = b.ok_or_else(|| err!("the square of the block size {block} overflows"))?;
    match c.get(SpaceToDepth::DATA_FORMAT)?.as_str() {
        "NHWC" => Ok((b, 3)),
        "NCHW" => Ok((b, 1)),
        other => bail!("no data format {other:?}; there are NHWC and NCHW"),
    }
}

pub(in crate::ops) fn space_to_depth(c: &InferContext<'_>) -> Result<Types> {
    let (b, channels) = image_block(c)?;
    let shape = c.shape(0).with_rank(4)?;
    let size = |axis, n| match axis {
        0 => Ok(n),
        a if a == channels => times(n, b * b),
        _ => part(axis, n, b),
    };
    mapped(c, shape.dims().unwrap_or_default(), size)
}

pub(in crate::ops) fn depth_to_space(c: &InferContext<'_>) -> Result<Types> {
    let (b, channels) = image_block(c)?;
    let shape = c.shape(0).with_rank(4)?;
    let size = |axis, n| match axis {
        0 => Ok(n),
        a if a == channels => part(axis, n, b * b),
        _ => times(n, b),
    };
    mapped(c, shape.dims().unwrap_or_default(), size)
}

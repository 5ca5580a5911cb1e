//! Kernels that move blocks of space to batches and channels.

use super::infer;
use crate::array::{Array, Dims};
use crate::ir::{InferContext, KernelContext, Outputs, Types};
use crate::ops::SpaceToDepth;
use crate::ops::blocks::infer::Blocks;
use crate::ops::movement::kernel::{transposed, zero_padded};
use crate::ops::slicing::kernel::sliced;
use crate::types::{Result, TensorType, bail};

fn blocks_of(c: &KernelContext<'_>) -> Result<Blocks> {
    let (block, paddings_or_crops) = (c.input(1).to_i64s()?, c.input(2).to_i64s()?);
    Blocks::new(c.input(0).rank(), &block, c.input(2).dims(), &paddings_or_crops)
}

pub(in crate::ops) fn space_to_batch(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, blocks) = (c.input(0), blocks_of(c)?);
    let (m, dims) = (blocks.sizes.len(), x.dims());
    let sizes = dims.iter().enumerate().map(|(axis, n)| blocks.batched(axis, *n));
    let sizes = sizes.collect::<Result<Dims>>()?;
    let mut paddings = vec![0i64; 2 * dims.len()];
    paddings[2..2 + 2 * m].copy_from_slice(&blocks.paddings_or_crops);
    let padded = zero_padded(c, x, &paddings)?;
    // Transposes [batch, n1, b1, n2, b2, …, rest] to put the blocks in front.
    let mut apart = Dims::from_slice(&dims[..1]);
    apart.extend(sizes[1..=m].iter().zip(&blocks.sizes).flat_map(|(n, b)| [*n, *b]));
    apart.extend_from_slice(&dims[m + 1..]);
    let mut perm: Dims = (0..m).map(|i| 2 * i + 2).collect();
    perm.push(0);
    perm.extend((0..m).map(|i| 2 * i + 1));
    perm.extend(2 * m + 1..apart.len());
    Ok([transposed(c, &padded.reshape(apart)?, &perm)?.reshape(sizes)?].into())
}

pub(in crate::ops) fn batch_to_space(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, blocks) = (c.input(0), blocks_of(c)?);
    let (m, dims) = (blocks.sizes.len(), x.dims());
    let sizes = dims.iter().enumerate().map(|(axis, n)| blocks.cropped(axis, *n));
    let sizes = sizes.collect::<Result<Dims>>()?;
    // Transposes [b1, b2, …, batch, n1, n2, …, rest] to put each block beside its axis.
    let mut apart: Dims = blocks.sizes.as_slice().into();
    apart.push(sizes[0]);
    apart.extend_from_slice(&dims[1..]);
    let mut perm = Dims::from_slice(&[m]);
    perm.extend((0..m).flat_map(|i| [m + 1 + i, i]));
    perm.extend(2 * m + 1..apart.len());
    let mut whole = sizes.clone();
    for (i, b) in blocks.sizes.iter().enumerate() {
        whole[i + 1] = dims[i + 1] * b;
    }
    let spread = transposed(c, &x.reshape(apart)?, &perm)?.reshape(whole)?;
    let mut begin = vec![0i64; sizes.len()];
    for (i, crops) in blocks.paddings_or_crops.chunks(2).enumerate() {
        begin[i + 1] = crops[0];
    }
    let size: Vec<i64> = sizes.iter().map(|n| *n as i64).collect();
    Ok([sliced(c, &spread, &begin, &size)?].into())
}

/// The block size and the output sizes of an op on images; the channels must come last.
fn image(
    c: &KernelContext<'_>,
    infer: fn(&InferContext<'_>) -> Result<Types>,
) -> Result<(usize, Dims)> {
    let inputs = [TensorType::new(c.input(0).dtype(), c.input(0).shape())];
    let types = infer(&InferContext { inputs: &inputs, attrs: c.attrs, constant: &|_| None })?;
    if c.get(SpaceToDepth::DATA_FORMAT)? != "NHWC" {
        bail!(
            Unimplemented,
            "only the data format NHWC; transpose by [0, 2, 3, 1] and back by [0, 3, 1, 2]"
        );
    }
    let sizes = types.first().and_then(|t| t.shape.sizes()).unwrap_or_default();
    Ok((c.get(SpaceToDepth::BLOCK_SIZE)? as usize, sizes))
}

/// Swaps a block with the inner axis: [n, a, b, c, d, e] -> [n, a, c, b, d, e].
fn exchanged(c: &KernelContext<'_>, x: &Array, apart: [usize; 6], sizes: Dims) -> Result<Outputs> {
    Ok([transposed(c, &x.reshape(apart)?, &[0, 1, 3, 2, 4, 5])?.reshape(sizes)?].into())
}

pub(in crate::ops) fn space_to_depth(c: &KernelContext<'_>) -> Result<Outputs> {
    let (b, sizes) = image(c, infer::space_to_depth)?;
    let apart = [sizes[0], sizes[1], b, sizes[2], b, c.input(0).dims()[3]];
    exchanged(c, c.input(0), apart, sizes)
}

pub(in crate::ops) fn depth_to_space(c: &KernelContext<'_>) -> Result<Outputs> {
    let (b, sizes) = image(c, infer::depth_to_space)?;
    let d = c.input(0).dims();
    exchanged(c, c.input(0), [d[0], d[1], d[2], b, b, sizes[3]], sizes)
}

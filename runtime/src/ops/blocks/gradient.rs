//! Gradients of moving blocks of space to batches and channels.

use crate::ops;
use crate::ops::rules::gradient::{Gradient, InputGradients, first};
use crate::ops::{Op as _, SpaceToDepth};
use crate::types::Result;

pub(in crate::ops) fn space_to_batch(g: &Gradient<'_>) -> Result<InputGradients> {
    let op = ops::BatchToSpace { block_shape: g.x(1).into(), crops: g.x(2).into() };
    Ok(first(g, op.run(&[g.dy()?])?))
}

pub(in crate::ops) fn batch_to_space(g: &Gradient<'_>) -> Result<InputGradients> {
    let op = ops::SpaceToBatch { block_shape: g.x(1).into(), paddings: g.x(2).into() };
    Ok(first(g, op.run(&[g.dy()?])?))
}

pub(in crate::ops) fn space_to_depth(g: &Gradient<'_>) -> Result<InputGradients> {
    let data_format = g.get(SpaceToDepth::DATA_FORMAT)?;
    let op = ops::DepthToSpace { block_size: g.get(SpaceToDepth::BLOCK_SIZE)?, data_format };
    Ok(first(g, op.run(&[g.dy()?])?))
}

pub(in crate::ops) fn depth_to_space(g: &Gradient<'_>) -> Result<InputGradients> {
    let data_format = g.get(SpaceToDepth::DATA_FORMAT)?;
    let op = ops::SpaceToDepth { block_size: g.get(SpaceToDepth::BLOCK_SIZE)?, data_format };
    Ok(first(g, op.run(&[g.dy()?])?))
}

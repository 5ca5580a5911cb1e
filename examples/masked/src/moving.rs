//! Ops that move entries: values and mask move alike.

use extype::ops::{
    AddN, BatchToSpace, BroadcastTo, Concat, DepthToSpace, DynamicPartition, EnsureShape,
    ExpandDims, Gather, GatherNd, MirrorPad, Pad, PadWith, Reshape, Reverse, ReverseSequence, Roll,
    Slice, SpaceToBatch, SpaceToDepth, Split, SplitSizes, Squeeze, Stack, StridedSlice, Tile,
    Transpose, Unstack,
};
use extype::prelude::*;

use crate::MaskedTensor;
use crate::elementwise::parts;
use crate::tensor::{same_shape, sizes};

/// Ops with one masked operand that do the same to values and mask.
macro_rules! movements {
    ($($name:ident = $op:ident),* $(,)?) => {
        #[dispatch]
        impl MaskedTensor {
            $(#[overrides($op)]
            fn $name(x: &Self, op: &$op) -> Result<Self> {
                Ok(Self { values: op.run(&[&x.values])?, mask: op.run(&[&x.mask])? })
            })*
        }
    };
}
movements! {
    reshape = Reshape,
    transpose = Transpose,
    expand_dims = ExpandDims,
    squeeze = Squeeze,
    broadcast_to = BroadcastTo,
    ensure_shape = EnsureShape,
    slice = Slice,
    strided_slice = StridedSlice,
    reverse = Reverse,
    roll = Roll,
    tile = Tile,
    pad = Pad,
    mirror_pad = MirrorPad,
    space_to_batch = SpaceToBatch,
    batch_to_space = BatchToSpace,
    space_to_depth = SpaceToDepth,
    depth_to_space = DepthToSpace,
}

/// Ops with one masked operand that take it apart.
macro_rules! partings {
    ($($name:ident = $op:ident),* $(,)?) => {
        #[dispatch]
        impl MaskedTensor {
            $(#[overrides($op)]
            fn $name(x: &Self, op: &$op) -> Result<Vec<Self>> {
                pairs(op.run_as(&[&x.values])?, op.run_as(&[&x.mask])?)
            })*
        }
    };
}
partings! {
    split = Split,
    split_sizes = SplitSizes,
    unstack = Unstack,
}

/// Masked tensors of values and masks in the same order.
fn pairs(values: Vec<Tensor>, masks: Vec<Tensor>) -> Result<Vec<MaskedTensor>> {
    let both = values.into_iter().zip(masks);
    Ok(both.map(|(values, mask)| MaskedTensor { values, mask }).collect())
}

/// Ops on a sequence that do the same to values and masks.
macro_rules! sequences {
    ($($name:ident = $op:ident),* $(,)?) => {
        #[dispatch]
        impl MaskedTensor {
            $(#[overrides($op)]
            fn $name(xs: &[&Self], op: &$op) -> Result<Self> {
                let values: Vec<&Tensor> = xs.iter().map(|x| &x.values).collect();
                let masks: Vec<&Tensor> = xs.iter().map(|x| &x.mask).collect();
                Ok(Self { values: op.run(&values)?, mask: op.run(&masks)? })
            })*
        }
    };
}
sequences! {
    concat = Concat,
    stack = Stack,
}

/// Ops that take entries at plain indices.
macro_rules! lookups {
    ($($name:ident = $op:ident),* $(,)?) => {
        #[dispatch]
        impl MaskedTensor {
            $(#[overrides($op)]
            fn $name(x: &Self, indices: &Tensor, op: &$op) -> Result<Self> {
                let take = |x: &Tensor| op.run(&[x, indices]);
                Ok(Self { values: take(&x.values)?, mask: take(&x.mask)? })
            })*
        }
    };
}
lookups! {
    gather = Gather,
    gather_nd = GatherNd,
    reverse_sequence = ReverseSequence,
}

#[dispatch]
impl MaskedTensor {
    #[overrides(DynamicPartition)]
    fn dynamic_partition(
        x: &Self,
        partitions: &Tensor,
        op: &DynamicPartition,
    ) -> Result<Vec<Self>> {
        pairs(op.run_as(&[&x.values, partitions])?, op.run_as(&[&x.mask, partitions])?)
    }

    /// What is added is valid: its value was asked for.
    #[overrides(PadWith)]
    fn pad_with(x: &Self, value: &Tensor, op: &PadWith) -> Result<Self> {
        let mask = op.run(&[&x.mask, &scalar(true)])?;
        Ok(Self { values: op.run(&[&x.values, value])?, mask })
    }

    /// An entry is valid where all are, as in other sums of masked tensors.
    #[overrides(AddN)]
    fn add_n(xs: &[&Self], op: &AddN) -> Result<Self> {
        let values: Vec<&Tensor> = xs.iter().map(|x| &x.values).collect();
        let masks: Vec<&Tensor> = xs.iter().map(|x| &x.mask).collect();
        let values = op.run(&values)?;
        Ok(Self { values, mask: ops::stack(&masks, 0)?.reduce_all(0, false)? })
    }
}

#[dispatch]
impl MaskedTensor {
    /// An entry is valid where the condition and the chosen entry are, as in `numpy.ma.where`.
    #[overrides(Select)]
    fn select(
        condition: ops::Arg<'_, Self, Tensor>,
        t: ops::Arg<'_, Self, Tensor>,
        e: ops::Arg<'_, Self, Tensor>,
    ) -> Result<Self> {
        let (c, condition_mask) = parts(condition);
        let ((t, t_mask), (e, e_mask)) = (parts(t), parts(e));
        let values = ops::select(c, t, e)?;
        let chosen = match (t_mask, e_mask) {
            (None, None) => None,
            (t, e) => {
                let valid = scalar(true);
                Some(ops::select(c, t.unwrap_or(&valid), e.unwrap_or(&valid))?)
            }
        };
        let mask = match (condition_mask, chosen) {
            (Some(a), Some(b)) => ops::logical_and(a, &b)?,
            (Some(a), None) => a.clone(),
            (None, Some(b)) => b,
            (None, None) => ops::fill(sizes(&values)?, &scalar(true))?,
        };
        Ok(Self { mask: same_shape(&mask, &values)?, values })
    }
}

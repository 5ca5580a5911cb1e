//! Ops that move entries: values and mask move alike.

use extype::ops::{
    BroadcastTo, Concat, ExpandDims, Gather, Pad, Reshape, Select, Slice, Squeeze, Stack, Transpose,
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
    slice = Slice,
    pad = Pad,
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
}

#[dispatch]
impl MaskedTensor {
    /// An entry is valid where the condition and the chosen entry are, as in `numpy.ma.where`.
    #[overrides(Select)]
    fn select(
        condition: Arg<'_, Self, Tensor>,
        t: Arg<'_, Self, Tensor>,
        e: Arg<'_, Self, Tensor>,
    ) -> Result<Self> {
        let (c, condition_mask) = parts(condition);
        let ((t, t_mask), (e, e_mask)) = (parts(t), parts(e));
        let values = ops::select(c, t, e)?;
        let chosen = match (t_mask, e_mask) {
            (None, None) => None,
            (t, e) => {
                let valid = tensor!(true);
                Some(ops::select(c, t.unwrap_or(&valid), e.unwrap_or(&valid))?)
            }
        };
        let mask = match (condition_mask, chosen) {
            (Some(a), Some(b)) => ops::logical_and(a, &b)?,
            (Some(a), None) => a.clone(),
            (None, Some(b)) => b,
            (None, None) => ops::fill(sizes(&values)?, &tensor!(true))?,
        };
        Ok(Self { mask: same_shape(&mask, &values)?, values })
    }
}

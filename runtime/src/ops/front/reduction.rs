//! Reductions.

use super::front;
use crate::ops::*;
use crate::tensor::{Tensor, call_site};
use crate::types::Result;

/// Rows of reductions, which have the same arguments: the axes (`..` for all, an axis, a list) and
/// whether they are kept with size 1.
macro_rules! reductions {
    ($(#[doc = $about:literal])* methods of $methods:ident { $($name:ident => $op:ident;)* }) => {
        front! {
            $(#[doc = $about])*
            methods of $methods {
                $(
                    /// Over `axes` (`..` for all, an axis, a list), kept with size 1 if `keep_dims`.
                    $name(x; axes: impl Into<Axes>, keep_dims: impl KeepDimsArg) => $op {
                        axes: axes.into(),
                        keep_dims: keep_dims.keep_dims(),
                        function: Default::default(),
                    };
                )*
            }
        }
    };
}

reductions! {
    /// Reductions as methods of extension types: `masked.reduce_mean(0, false)?`.
    methods of Reducing {
        reduce_sum => ReduceSum;
        reduce_prod => ReduceProd;
        reduce_mean => ReduceMean;
        reduce_max => ReduceMax;
        reduce_min => ReduceMin;
        reduce_all => ReduceAll;
        reduce_any => ReduceAny;
    }
}

//! Elements picked and put by coordinates.

use super::front;
use crate::ops::*;
use crate::tensor::{Tensor, call_site};
use crate::types::Result;

front! {
    /// Elements picked and put by coordinates, as methods of extension types:
    /// `masked.gather_nd(&indices)?`.
    methods of Scattering {
        /// Elements or slices at coordinates: the last axis of `indices`.
        ///
        /// ```
        /// use extype::prelude::*;
        /// let x = tensor![[1, 2], [3, 4]];
        /// assert_eq!(x.gather_nd(&tensor![[1, 0], [0, 1]])?.as_slice::<i32>()?, &[3, 2]);
        /// # Ok::<(), Error>(())
        /// ```
        gather_nd(params, indices) => GatherNd { bad_indices_policy: String::new() };
        /// The tensor with `updates` written at coordinates.
        tensor_scatter_nd_update(x, indices, updates) => TensorScatterUpdate { bad_indices_policy: String::new() };
        /// The tensor with `updates` added at coordinates.
        tensor_scatter_nd_add(x, indices, updates) => TensorScatterAdd { bad_indices_policy: String::new() };
        /// The tensor with `updates` subtracted at coordinates.
        tensor_scatter_nd_sub(x, indices, updates) => TensorScatterSub { bad_indices_policy: String::new() };
        /// The smaller of the tensor and `updates` at coordinates.
        tensor_scatter_nd_min(x, indices, updates) => TensorScatterMin { bad_indices_policy: String::new() };
        /// The larger of the tensor and `updates` at coordinates.
        tensor_scatter_nd_max(x, indices, updates) => TensorScatterMax { bad_indices_policy: String::new() };
        /// The coordinates of the elements that are true or not zero, one row each; `tf.where` of
        /// a condition alone.
        ///
        /// ```
        /// use extype::prelude::*;
        /// let found = tensor![[true, false], [true, true]].where_indices()?;
        /// assert_eq!(found.as_slice::<i64>()?, &[0, 0, 1, 0, 1, 1]);
        /// # Ok::<(), Error>(())
        /// ```
        where_indices(x) => Where {};
    }
}

front! {
    functions {
        /// Zeros of a shape with `updates` added at coordinates.
        ///
        /// ```
        /// use extype::prelude::*;
        /// let x = ops::scatter_nd(&tensor![[1], [3]], &tensor![5.0f32, 6.0], [4])?;
        /// assert_eq!(x.as_slice::<f32>()?, &[0.0, 5.0, 0.0, 6.0]);
        /// # Ok::<(), Error>(())
        /// ```
        scatter_nd(indices, updates; shape: impl Into<Sizes>) => ScatterNd { bad_indices_policy: String::new(), shape: shape.into() };
    }
}

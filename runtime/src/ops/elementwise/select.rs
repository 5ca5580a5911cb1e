//! Elements chosen from two tensors by a condition.

use super::{gradient, infer, kernel};
use crate::define_op;
use crate::ops::MOVABLE;
use crate::ops::rules::batch::elementwise;

define_op! {
    /// Takes elements of `t` where the condition is true, of `e` elsewhere; the three broadcast.
    ///
    /// TensorFlow: `tf.where`, `SelectV2`. The result has the shape that the three broadcast to.
    ///
    /// Dtypes of `condition`: bool; of `t` and `e`, alike: every one but resource.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::select(&tensor![true, false], &tensor![1.0f32, 2.0], 0.0)?;
    /// assert_eq!(y.as_slice::<f32>()?, &[1.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Select = "SelectV2" {
        inputs: { condition: {Bool}, t: T, e: T }, outputs: { output: T },
        types: { T: MOVABLE },
        call: select(condition, t, e),
        infer: infer::select, kernel: Elementwise(kernel::select_block, kernel::select),
        gradient: gradient::select,
        batch: elementwise,
    }
}

//! Tensors made of numbers, grids and masks.

mod arrays;
mod batch;
mod fill;
mod gradient;
mod grid;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;
mod matrices;

pub use arrays::*;
pub use fill::*;
pub use grid::*;
pub use matrices::*;

use crate::define_op;
use crate::ops::MOVABLE;
use crate::ops::args::Integers;
use crate::types::DTypeSet;

define_op! {
    /// Makes a vector of the numbers `start, start + delta, …` before `limit`; all three are scalars of
    /// one dtype. A step of zero, or one that leads away from the limit, is refused.
    ///
    /// TensorFlow: `Range`. The result is a vector.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::range(0, 6, 2)?.as_slice::<i32>()?, &[0, 2, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Range = "Range" {
        inputs: { start: Tidx, limit: Tidx, delta: Tidx }, outputs: { output: Tidx },
        types: { Tidx: DTypeSet::REAL },
        call: range(start, limit, delta),
        infer: infer::range, kernel: kernel::range,
        gradient: |g| Ok([g.missing(0)?, None, g.missing(2)?]),
    }

    /// Repeats a scalar to a shape.
    ///
    /// TensorFlow: `Fill`.
    pub op Fill = "Fill" {
        inputs: { dims: index_type as Integers, value: T }, outputs: { output: T },
        types: { T: MOVABLE, index_type: DTypeSet::INDEX },
        infer: infer::fill, kernel: kernel::fill,
        gradient: gradient::fill,
        batch: batch::fill,
    }
}

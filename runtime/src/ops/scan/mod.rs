//! Running reductions along one axis.

pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;
pub(in crate::ops) mod running;

pub use running::{RunningMethods, cummax, cummin};

use crate::define_op;
use crate::ops::args::Axis;
use crate::ops::rules::batch::along;
use crate::types::DTypeSet;

define_op! {
    /// Methods: running reductions along one axis.
    methods of ScanMethods;

    /// Running sums along an axis: without the element itself if `exclusive`, from the end if
    /// `reverse`.
    ///
    /// TensorFlow: `Cumsum`. Of rank 1 at least; the result has the same shape.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![1, 2, 3];
    /// assert_eq!(x.cumsum(0)?.as_slice::<i32>()?, &[1, 3, 6]);
    /// assert_eq!(x.cumsum((0, ops::Exclusive, ops::Backwards))?.as_slice::<i32>()?, &[5, 3, 0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Cumsum = "Cumsum" {
        inputs: { x: T, axis: Tidx as Axis }, outputs: { out: T },
        types: { T: DTypeSet::NUMERIC, Tidx: DTypeSet::INDEX },
        attrs: { exclusive: bool = false, reverse: bool = false },
        call: cumsum(x; axis, exclusive, reverse),
        infer: infer::scan, kernel: kernel::cumsum,
        gradient: gradient::cumsum,
        batch: |b| along(b, 1),
    }

    /// Running products along an axis: without the element itself if `exclusive`, from the end
    /// if `reverse`.
    ///
    /// TensorFlow: `Cumprod`. Of rank 1 at least; the result has the same shape.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![2, 3, 4];
    /// assert_eq!(x.cumprod(0)?.as_slice::<i32>()?, &[2, 6, 24]);
    /// assert_eq!(x.cumprod((0, ops::Exclusive, ops::Backwards))?.as_slice::<i32>()?, &[12, 4, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Cumprod = "Cumprod" {
        inputs: { x: T, axis: Tidx as Axis }, outputs: { out: T },
        types: { T: DTypeSet::NUMERIC, Tidx: DTypeSet::INDEX },
        attrs: { exclusive: bool = false, reverse: bool = false },
        call: cumprod(x; axis, exclusive, reverse),
        infer: infer::scan, kernel: kernel::cumprod,
        gradient: gradient::cumprod,
        batch: |b| along(b, 1),
    }

    /// Running logarithms of sums of exponentials along an axis: without the element itself if
    /// `exclusive`, from the end if `reverse`; an empty sum gives negative infinity.
    ///
    /// TensorFlow: `CumulativeLogsumexp`; PyTorch: `logcumsumexp`. Of rank 1 at least; the result
    /// has the same shape.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![0.0f32, 5.0];
    /// let before = x.cumulative_logsumexp(0, true, false)?;
    /// assert_eq!(before.as_slice::<f32>()?, &[f32::NEG_INFINITY, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op CumulativeLogsumexp = "CumulativeLogsumexp" {
        inputs: { x: T, axis: Tidx as Axis }, outputs: { out: T },
        types: { T: DTypeSet::FLOAT, Tidx: DTypeSet::INDEX },
        attrs: { exclusive: bool = false, reverse: bool = false },
        call: method cumulative_logsumexp(x; axis, exclusive, reverse),
        infer: infer::scan, kernel: kernel::cumulative_logsumexp,
        gradient: gradient::cumulative_logsumexp,
        batch: |b| along(b, 1),
    }
}

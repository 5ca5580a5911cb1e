//! Slices of rows.

use extype::ops::{Index, Position};
use extype::prelude::*;

use crate::RaggedTensor;

impl RaggedTensor {
    /// Rows `start .. stop`, as Python's `r[start:stop:step]`: negative bounds count from the end,
    /// `None` leaves one out.
    ///
    /// # Errors
    /// `InvalidArgument` for a step of zero.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![1, 2], vec![], vec![3]])?;
    /// assert_eq!(r.slice_axis(0, None, None, -1)?.to_string(), "[[3], [], [1, 2]]");
    /// assert_eq!(r.slice_axis(1, Some(1), None, 1)?.to_string(), "[[2], [], []]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn slice_axis(
        &self,
        axis: usize,
        start: Option<i64>,
        stop: Option<i64>,
        step: i64,
    ) -> Result<Self> {
        if axis > self.ragged_rank() {
            return Err(Error::invalid(format!(
                "axis {axis} is not among the rows and ragged axes, 0 to {}; slice `flat_values`",
                self.ragged_rank()
            )));
        }
        let bound = |at: Option<i64>| at.map(Position::Known);
        let part = Index::Part { begin: bound(start), end: bound(stop), step };
        self.get(std::iter::repeat_n(Index::from(..), axis).chain([part]).collect::<Vec<_>>())
    }
}

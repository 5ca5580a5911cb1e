//! Rows and entries by number.

use extype::prelude::*;

use crate::RaggedTensor;

impl RaggedTensor {
    /// Row `i` of a tensor with one ragged axis: `[length, …]`, of the dtype of the values.
    ///
    /// # Errors
    /// `InvalidArgument` if there is no such row, or there are several ragged axes.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![1, 2], vec![], vec![3]])?;
    /// assert_eq!(r.row(0)?.as_slice::<i32>()?, &[1, 2]);
    /// assert!(r.row(3).is_err());
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn row(&self, i: usize) -> Result<Tensor> {
        let splits = self.outermost()?.splits();
        let at = i64::try_from(i).unwrap_or(i64::MAX);
        let of = |e: Error| e.prefixed(format_args!("row {i}"));
        let begin = splits.slice([at], [1i64]).map_err(of)?;
        let end = splits.slice([at.saturating_add(1)], [1i64]).map_err(of)?;
        let values = self.values().into_tensor()?;
        let inner = match values.rank() {
            Some(rank) => rank - 1,
            None => return Err(Error::invalid("the values of a ragged tensor have a known rank")),
        };
        let behind = |first: Tensor, rest: i64| {
            ops::concat(&[&first.cast(DType::I64)?, &Tensor::from_vec(vec![rest; inner])], 0)
        };
        values.slice(behind(begin.clone(), 0)?, behind(ops::sub(&end, &begin)?, -1)?)
    }
}

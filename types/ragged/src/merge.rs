//! Axes merged.

use extype::prelude::*;

use crate::tensor::{merged, size_of};
use crate::{RaggedTensor, RowPartition};

impl RaggedTensor {
    /// All axes from the outer to the inner one as one: rows of rows become longer rows. Negative axes count from the
    /// last. If all ragged axes are merged into the first, the result has none.
    ///
    /// TensorFlow: `RaggedTensor.merge_dims`.
    ///
    /// # Errors
    /// `InvalidArgument` for axes that are not there or out of order.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![vec![1, 2], vec![3]], vec![], vec![vec![4]]])?;
    /// assert_eq!(r.merge_dims(1, 2)?.to_string(), "[[1, 2, 3], [], [4]]");
    /// assert_eq!(r.merge_dims(0, 1)?.to_string(), "[[1, 2], [3], [4]]");
    /// assert_eq!(r.merge_dims(0, -1)?.to_string(), "[1, 2, 3, 4]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn merge_dims(&self, outer: i64, inner: i64) -> Result<Self> {
        let (first, last) = (self.axis(outer)?, self.axis(inner)?);
        if first > last {
            return Err(Error::invalid(format!("axis {outer} is behind axis {inner}")));
        }
        self.with_merged(first, last)
    }

    fn with_merged(&self, first: usize, last: usize) -> Result<Self> {
        let Some(rows) = self.partitions.first() else {
            return Self::from_dense(merge_from(&self.flat_values, first, last)?);
        };
        match (first, last) {
            _ if first == last => Ok(self.clone()),
            (0, _) => self.values().with_merged(0, last - 1),
            (1, _) => {
                // What the rows hold after each axis.
                let mut made = self.values().in_rows(rows.clone());
                for _ in 1..last.min(self.ragged_rank()) {
                    let [outer, inner, ..] = &made.partitions[..] else { break };
                    let both = (outer.uniform_row_length(), inner.uniform_row_length());
                    let uniform = both.0.zip(both.1).and_then(|(a, b)| a.checked_mul(b));
                    let splits = inner.splits().gather(outer.splits(), 0)?;
                    let joined = RowPartition::trusted(splits).with_uniform(uniform);
                    made = made.values().values().in_rows(joined);
                }
                let rest = last.saturating_sub(self.ragged_rank());
                if rest == 0 {
                    return Ok(made);
                }
                // Uniform axes: each entry becomes as many as these have.
                let mut entries = size_of(&made.flat_values, 1)?;
                for axis in 2..=rest {
                    entries = ops::mul(&entries, &size_of(&made.flat_values, axis)?)?;
                }
                let rows = made.outermost()?;
                let splits = ops::mul(rows.splits(), &entries.cast(rows.dtype())?)?;
                let flat = merged(&made.flat_values, rest + 1)?;
                Ok(Self::from_dense(flat)?.in_rows(RowPartition::trusted(splits)))
            }
            _ => Ok(self.values().with_merged(first - 1, last - 1)?.in_rows(rows.clone())),
        }
    }
}

/// The axes of a dense tensor merged.
fn merge_from(x: &Tensor, first: usize, last: usize) -> Result<Tensor> {
    if first == last {
        return Ok(x.clone());
    }
    if first == 0 {
        return merged(x, last + 1);
    }
    let sizes = ops::shape_of(x)?;
    let before = sizes.slice([0], [first as i64])?;
    let behind = sizes.slice([last as i64 + 1], [-1])?;
    let all = sizes.slice([first as i64], [(last - first + 1) as i64])?.reduce_prod(.., false)?;
    x.reshape(&ops::concat(&[&before, &all.reshape([1])?, &behind], 0)?)
}

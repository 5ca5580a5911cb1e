//! Rows picked, cut and put together.

use extype::ops::{Index, Op, Position};
use extype::prelude::*;

use crate::{GatherRows, JoinRows, RaggedTensor, RowPartition, SameRows, StackRows};

impl RaggedTensor {
    /// The entries at these positions of the outermost axis.
    pub(crate) fn gathered(&self, rows: &Tensor) -> Result<Self> {
        let Some(from) = self.partitions.first() else {
            return Self::from_dense(self.flat_values.gather(rows, 0)?);
        };
        let rows = rows.cast(from.dtype())?;
        let (splits, positions) =
            GatherRows {}.run_as::<(Tensor, Tensor)>(&[from.splits(), &rows])?;
        let rows = RowPartition::trusted(splits).with_uniform(from.uniform_row_length());
        Ok(self.values().gathered(&positions)?.in_rows(rows))
    }

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

#[dispatch]
impl RaggedTensor {
    /// Rows by number; the indices are a vector.
    #[overrides(Gather, with = Tensor)]
    fn gather(params: &Self, indices: &Tensor, axis: Axis, batch_dims: i64) -> Result<Self> {
        indices.shape().with_rank(1).map_err(|e| e.prefixed("the indices of ragged rows"))?;
        if axis.0 != 0 || batch_dims != 0 {
            return Err(Error::new(
                ErrorKind::Unimplemented,
                "rows of ragged tensors are gathered along axis 0, without batch dimensions",
            ));
        }
        params.gathered(&indices.cast(DType::I64)?)
    }

    /// Along axis 0 rows after rows, along axis 1 the rows of the same number joined.
    #[overrides(Concat)]
    fn concat(values: &[&Self], axis: Axis) -> Result<Self> {
        let levels = values.first().map_or(0, |x| x.ragged_rank());
        if let Some((i, x)) = values.iter().enumerate().find(|(_, x)| x.ragged_rank() != levels) {
            let n = x.ragged_rank();
            return Err(Error::invalid(format!(
                "value {i} has {n} ragged axes, value 0 has {levels}"
            )));
        }
        let rank = values.first().and_then(|x| x.flat_values.rank()).map(|r| r + levels);
        let axis = match (axis.0, rank) {
            (a, Some(rank)) if a < 0 => a + rank as i64,
            (a, _) => a,
        };
        concat(values, usize::try_from(axis).unwrap_or(usize::MAX))
    }

    /// A new outermost axis: each value becomes a row of rows.
    #[overrides(Stack)]
    fn stack(values: &[&Self], axis: i64) -> Result<Self> {
        if axis != 0 {
            return Err(Error::new(
                ErrorKind::Unimplemented,
                "ragged tensors are stacked along axis 0",
            ));
        }
        let counts = values.iter().map(|x| x.outermost()?.nrows()).collect::<Result<Vec<_>>>()?;
        let rows = RowPartition::from_lengths(ops::stack(&counts, 0)?)?;
        Ok(concat(values, 0)?.in_rows(rows))
    }
}

fn concat(values: &[&RaggedTensor], axis: usize) -> Result<RaggedTensor> {
    let flat = || -> Vec<&Tensor> { values.iter().map(|x| &x.flat_values).collect() };
    let levels = values.first().map_or(0, |x| x.ragged_rank());
    if levels == 0 {
        return RaggedTensor::from_dense(ops::concat(&flat(), axis as i64)?);
    }
    let splits = values.iter().map(|x| Ok(x.outermost()?.splits())).collect::<Result<Vec<_>>>()?;
    let entries: Vec<RaggedTensor> = values.iter().map(|x| x.values()).collect();
    let entries: Vec<&RaggedTensor> = entries.iter().collect();
    match axis {
        0 => Ok(concat(&entries, 0)?.in_rows(RowPartition::trusted(StackRows {}.run(&splits)?))),
        1 => {
            let (rows, positions) = JoinRows {}.run_as::<(Tensor, Tensor)>(&splits)?;
            Ok(concat(&entries, 0)?.gathered(&positions)?.in_rows(RowPartition::trusted(rows)))
        }
        // Deeper axes join the entries, whose rows must be the same.
        _ => {
            let mut rows = splits[0].clone();
            for other in &splits[1..] {
                rows = SameRows {}.run(&[&rows, other])?;
            }
            Ok(concat(&entries, axis - 1)?.in_rows(RowPartition::trusted(rows)))
        }
    }
}

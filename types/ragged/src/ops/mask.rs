//! Entries that a mask keeps, and where they are.

use extype::ops::{Op, Where};
use extype::prelude::*;

use super::broadcast::{matched, same_rows};
use crate::partition::whole;
use crate::{RaggedTensor, RowPartition};

impl RaggedTensor {
    /// The entries at which a mask is true; the rows keep what is left of them.
    ///
    /// TensorFlow: `tf.ragged.boolean_mask`. A mask of bools for the first axes of the values, ragged or
    /// [dense](Self::from_dense): a vector keeps outermost rows, one more axis keeps entries of the rows.
    ///
    /// # Errors
    /// `InvalidArgument` for a mask that holds no bools or has other rows, naming the row and the lengths.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![1, 2], vec![], vec![3]])?;
    /// let mask = RaggedTensor::from_rows(&[vec![false, true], vec![], vec![true]])?;
    /// assert_eq!(r.boolean_mask(&mask)?.to_string(), "[[2], [], [3]]");
    /// let rows = RaggedTensor::from_dense([true, true, false])?;
    /// assert_eq!(r.boolean_mask(&rows)?.to_string(), "[[1, 2], []]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn boolean_mask(&self, mask: &Self) -> Result<Self> {
        if mask.dtype() != DType::Bool {
            let text = format!("the mask is {}, not bool; compare or cast it", mask.dtype());
            return Err(Error::invalid(text));
        }
        let mut both = [self.clone(), mask.clone()];
        let dtype = matched(&mut both)?;
        let levels = mask.rank().and_then(|rank| rank.checked_sub(1));
        let levels = levels.ok_or_else(|| {
            Error::invalid("the mask has an axis at least; for one condition use `select`")
        })?;
        let [x, mask] = [both[0].raised(levels, dtype)?, both[1].raised(levels, dtype)?];
        let (mut partitions, mut entries) = (Vec::new(), x.clone());
        for rows in &mask.partitions {
            partitions.push(same_rows(entries.outermost()?, rows)?);
            entries = entries.values();
        }
        let kept = mask.flat_values.where_indices()?.reshape([-1])?.cast(dtype)?;
        let Some(innermost) = partitions.pop() else {
            let ends = |n: Tensor| {
                let splits = ops::stack(&[&whole(0, dtype)?, &n.cast(dtype)?], 0)?;
                Ok::<_, Error>(RowPartition::trusted(splits))
            };
            same_rows(&ends(x.nrows()?)?, &ends(ops::size(&mask.flat_values)?)?)
                .map_err(|e| e.prefixed("the mask"))?;
            return x.gathered(&kept);
        };
        // How many are kept before each.
        let before = ops::cumsum(&mask.flat_values.cast(dtype)?, 0)?;
        let before = ops::concat(&[&whole(0, dtype)?.reshape([1])?, &before], 0)?;
        let splits = before.gather(innermost.splits(), 0)?;
        let masked = entries.gathered(&kept)?.in_rows(RowPartition::trusted(splits));
        Ok(partitions.into_iter().rev().fold(masked, Self::in_rows))
    }
}

#[dispatch]
impl RaggedTensor {
    /// Where elements are true or not zero: int64 `[n, rank]`, with the number of the entry in its row for each axis.
    #[overrides(Where)]
    fn where_indices(x: &Self, op: &Where) -> Result<Tensor> {
        let flat = op.run(&[&x.flat_values])?;
        let mut places = flat.index((.., 0))?;
        let mut columns = vec![flat.slice([0i64, 1], [-1i64, -1])?];
        for rows in x.partitions.iter().rev() {
            let row = rows.value_rowids()?.gather(&places, 0)?;
            let start = rows.splits().gather(&row, 0)?.cast(DType::I64)?;
            columns.push(ops::sub(&places, &start)?.expand_dims(1)?);
            places = row.cast(DType::I64)?;
        }
        columns.push(places.expand_dims(1)?);
        columns.reverse();
        ops::concat(&columns.iter().collect::<Vec<_>>(), 1)
    }
}

//! Elements put in and left out.

use crate::ops::number::agree;
use crate::ops::options::{Along, functions};
use crate::ops::*;
use crate::tensor::Tensor;
use crate::types::bail;

functions! {
    /// Without the slices at indices along an axis, or without elements of all as one row (`..`);
    /// negative indices count from the end.
    ///
    /// NumPy: `delete`.
    ///
    /// # Errors
    /// `InvalidArgument` for an index or axis out of range.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![5, 6, 7].delete(1, ..)?.as_slice::<i32>()?, &[5, 7]);
    /// assert_eq!(tensor![[5, 6], [7, 8]].delete([0], 1)?.as_slice::<i32>()?, &[6, 8]);
    /// # Ok::<(), Error>(())
    /// ```
    fn delete(x, indices => o: Along) -> Tensor {
        let (x, axis) = row_or_axis(x, o.axis)?;
        let axis = crate::types::normalize_axis(axis, rank_of(&x)?)?;
        let n = shape_of(&x)?.index(axis)?;
        let stays = fill(&n.reshape([1])?, Tensor::scalar(1i32))?.put(indices, 0)?;
        x.compress(stays, axis)
    }

    /// With values put in before an index along an axis, or among all elements as one row (`..`): one
    /// value for the whole slice, one slice, or several along the axis.
    ///
    /// NumPy: `insert` at one index; negative ones count from the end.
    ///
    /// # Errors
    /// `InvalidArgument` for an index beyond the end, an axis out of range, values that don't fit.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![5, 6].insert(0, 1, ..)?.as_slice::<i32>()?, &[5, 0, 6]);
    /// let x = tensor![[1, 2], [3, 4]].insert([9, 9], 2, 0)?;
    /// assert_eq!(x.as_slice::<i32>()?, &[1, 2, 3, 4, 9, 9]);
    /// # Ok::<(), Error>(())
    /// ```
    fn insert(x, values; index: i64 => o: Along) -> Tensor {
        let (_, values) = agree(x, values)?;
        let values = if o.axis.is_none() { values.reshape([-1])? } else { values };
        let (x, axis) = row_or_axis(x, o.axis)?;
        let rank = rank_of(&x)?;
        let axis = crate::types::normalize_axis(axis, rank)?;
        let n = length_of(&x, axis as i64)? as i64;
        let at = if index < 0 { index + n } else { index };
        if !(0..=n).contains(&at) {
            bail!("index {index} is out of range for {n} elements of axis {axis}");
        }
        let (begin, mut size) = (vec![0i64; rank], vec![-1i64; rank]);
        size[axis] = at;
        let mut rest = vec![0i64; rank];
        rest[axis] = at;
        let (before, after) = (x.slice(begin, size)?, x.slice(rest, vec![-1i64; rank])?);
        let values = match rank_of(&values)? {
            own if own + 1 == rank => values.expand_dims(axis)?,
            _ => values,
        };
        // One value, or one slice of size 1 along other axes, is for all of them.
        let mut sizes = shape_of(&x)?.unstack(rank, 0)?;
        sizes[axis] = match values.rank() {
            Some(own) if own == rank => shape_of(&values)?.index(axis)?,
            _ => Tensor::scalar(1i64),
        };
        concat(&[&before, &values.broadcast_to(&stack(&sizes, 0)?)?, &after], axis)
    }

    /// With values at the end of an axis, or both as one row (`..`).
    ///
    /// NumPy: `append`.
    ///
    /// # Errors
    /// `InvalidArgument` for dtypes that differ, and for sizes that differ along other axes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 2].append(3, ..)?.as_slice::<i32>()?, &[1, 2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn append(x, values => o: Along) -> Tensor {
        let (x, values) = agree(x, values)?;
        match o.axis {
            Some(axis) => concat(&[&x, &values], axis),
            None => concat(&[x.reshape([-1])?, values.reshape([-1])?], 0),
        }
    }

    /// A vector without the zeros at its beginning and end.
    ///
    /// NumPy: `trim_zeros`.
    ///
    /// # Errors
    /// `InvalidArgument` for another rank than 1, and a dtype that has no zero.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![0, 1, 0, 2, 0].trim_zeros()?.as_slice::<i32>()?, &[1, 0, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn trim_zeros(x) -> Tensor {
        if x.rank() != Some(1) {
            bail!("a vector is wanted, not {}", x.tensor_type());
        }
        let found = x.flatnonzero()?;
        let places = count_to(&size(x)?)?;
        // Of nothing the smallest is above, the largest below every place.
        let after = greater_equal(&places, found.reduce_min(.., false)?)?;
        let before = less_equal(&places, found.reduce_max(.., false)?)?;
        x.compress(logical_and(after, before)?, 0)
    }
}

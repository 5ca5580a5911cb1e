//! Elements inserted and removed.

use super::taking::{beyond, counted};
use crate::compounds;
use crate::ops::checks::check;
use crate::ops::methods::*;
use crate::ops::options::{Along, Sets, sets};
use crate::ops::protocol::compound::is_stand_in;
use crate::ops::protocol::number::agree;
use crate::ops::scan::running::row_or_axis;
use crate::ops::{
    concat, count_to, fill, greater_equal, less_equal, logical_and, rank_of, shape_of, size, stack,
};
use crate::tensor::Tensor;
use crate::types::{DType, Result, bail};

/// The ends of a vector at which [`trim_zeros`] removes zeros.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![0, 1, 0];
/// assert_eq!(ops::trim_zeros(&x, ..)?.as_slice::<i32>()?, &[1]);
/// assert_eq!(ops::trim_zeros(&x, ops::Trim::Back)?.as_slice::<i32>()?, &[0, 1]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trim {
    /// At both.
    #[default]
    Both,
    /// At the beginning.
    Front,
    /// At the end.
    Back,
}

/// Options of [`trim_zeros`]: a [`Trim`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trimmed {
    /// Where zeros are removed.
    pub end: Trim,
}

sets! {
    Trim => Trimmed |o, end| o.end = end;
    Trimmed => Trimmed |o, all| *o = all;
}

/// Indices of `0..=n` with negative ones counted from the end, as a vector.
fn places_before(indices: &Tensor, n: &Tensor, axis: usize) -> Result<Tensor> {
    if !indices.dtype().is_integer() {
        bail!("indices are integers, not {}; they stand before the values", indices.dtype());
    }
    let indices = indices.reshape([-1])?;
    let places = counted(&indices, n)?;
    if let (Tensor::Value(_), Tensor::Value(size)) = (&places, n) {
        let n = size.to_i64s()?.first().copied().unwrap_or(0);
        if let Some(index) = beyond(&indices, &places, n + 1)? {
            bail!("index {index} is out of range for {n} elements of axis {axis}");
        }
    } else {
        let inside = logical_and(places.greater_equal(0)?, less_equal(&places, n)?)?;
        check(&inside.reduce_all(.., false)?, "an index is out of range:", &[&indices])?;
    }
    Ok(places)
}

compounds! {
    /// Methods: slices inserted, appended and removed.
    methods of EditMethods;

    /// Removes the slices at indices along an axis, or elements of the flattened tensor (`..`).
    /// Negative indices count from the end.
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
    fn delete(x, indices => options: impl Sets<Along> as Along) -> Tensor {
        let (x, axis) = row_or_axis(x, options.axis)?;
        let axis = crate::types::normalize_axis(axis, rank_of(&x)?)?;
        if let (Tensor::Value(at), Some(size)) = (indices, x.shape().dim(axis as i64)?.size())
            && matches!(at.dtype(), DType::I32 | DType::I64)
            && !is_stand_in(&x)
            && let ([at], size) = (&at.to_i64s()?[..], size as i64)
            && (-size..size).contains(at)
        {
            // What is before one slice and behind it needs no search.
            let at = at.rem_euclid(size);
            let (mut begin, mut count) = (vec![0i64; rank_of(&x)?], vec![-1i64; rank_of(&x)?]);
            count[axis] = at;
            let before = x.slice(begin.clone(), count.clone())?;
            (begin[axis], count[axis]) = (at + 1, -1);
            return concat(&[before, x.slice(begin, count)?], axis);
        }
        let n = shape_of(&x)?.index(axis)?;
        let stays = fill(&n.reshape([1])?, Tensor::scalar(1i32))?.put(indices, 0)?.not_equal(0)?;
        x.compress(stays, axis)
    }

    /// Inserts values before indices along an axis, or into the flattened tensor (`..`). For one index,
    /// the values are one value for the whole slice, one slice, or several slices along the axis. For a
    /// list of indices, they broadcast to one slice for each. Indices are places before the insertion.
    ///
    /// NumPy: `insert`; negative indices count from the end.
    ///
    /// # Errors
    /// `InvalidArgument` for an index beyond the end, an axis out of range, values that don't fit.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![5, 6].insert(1, 0, ..)?.as_slice::<i32>()?, &[5, 0, 6]);
    /// assert_eq!(tensor![5, 6].insert([0, 2], [1, 2], ..)?.as_slice::<i32>()?, &[1, 5, 6, 2]);
    /// let x = tensor![[1, 2], [3, 4]].insert(2, [9, 9], 0)?;
    /// assert_eq!(x.as_slice::<i32>()?, &[1, 2, 3, 4, 9, 9]);
    /// # Ok::<(), Error>(())
    /// ```
    fn insert(x, indices, values => options: impl Sets<Along> as Along) -> Tensor {
        let (_, values) = agree(x, values)?;
        let is_one = match indices.rank() {
            Some(rank @ 0..=1) => rank == 0,
            _ => bail!("an index or a vector of them is wanted, not {}", indices.tensor_type()),
        };
        let values = if is_one && options.axis.is_none() { values.reshape([-1])? } else { values };
        let (x, axis) = row_or_axis(x, options.axis)?;
        let rank = rank_of(&x)?;
        let axis = crate::types::normalize_axis(axis, rank)?;
        let n = shape_of(&x)?.index(axis)?;
        let at = places_before(indices, &n, axis)?;
        let values = match rank_of(&values)? {
            own if is_one && own + 1 == rank => values.expand_dims(axis)?,
            _ => values,
        };
        // Values with size 1 along the other axes broadcast along them.
        let mut sizes = shape_of(&x)?.unstack(rank, 0)?;
        sizes[axis] = match values.rank() {
            _ if !is_one => size(&at)?,
            Some(own) if own == rank => shape_of(&values)?.index(axis)?,
            _ => Tensor::scalar(1i64),
        };
        let values = values.broadcast_to(&stack(&sizes, 0)?)?;
        let at = at.broadcast_to(&sizes[axis].reshape([1])?)?;
        // Ordered by place; inserted values come before the elements that were there.
        let order = concat(&[at, count_to(&n)?], 0)?.argsort(..)?;
        concat(&[&values, &x], axis)?.gather(&order, axis)
    }

    /// Appends values at the end of an axis, or joins both tensors flattened (`..`).
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
    fn append(x, values => options: impl Sets<Along> as Along) -> Tensor {
        let (x, values) = agree(x, values)?;
        match options.axis {
            Some(axis) => concat(&[&x, &values], axis),
            None => concat(&[x.reshape([-1])?, values.reshape([-1])?], 0),
        }
    }

    /// Removes the zeros at the beginning and the end of a vector, or at one of them.
    ///
    /// NumPy: `trim_zeros`. Option: a [`Trim`].
    ///
    /// # Errors
    /// `InvalidArgument` for another rank than 1, and a dtype that has no zero.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![0, 1, 0, 2, 0].trim_zeros(..)?.as_slice::<i32>()?, &[1, 0, 2]);
    /// assert_eq!(ops::trim_zeros([0, 1, 0], ops::Trim::Front)?.as_slice::<i32>()?, &[1, 0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn trim_zeros(x => options: impl Sets<Trimmed> as Trimmed) -> Tensor {
        if x.rank() != Some(1) {
            bail!("a vector is wanted, not {}", x.tensor_type());
        }
        let found = x.flatnonzero()?;
        let places = count_to(&size(x)?)?;
        // If there are only zeros, the minimum is above and the maximum below every place.
        let after = greater_equal(&places, found.reduce_min(.., false)?)?;
        let before = less_equal(&places, found.reduce_max(.., false)?)?;
        let stays = match options.end {
            Trim::Both => logical_and(after, before)?,
            Trim::Front => after,
            Trim::Back => before,
        };
        x.compress(stays, 0)
    }
}

//! Operations on the sets of elements of tensors, which are flattened first.

use crate::compounds;
use crate::ops::methods::*;
use crate::ops::protocol::Op;
use crate::ops::protocol::number::agree;
use crate::ops::{
    Contained, boolean_mask, concat, count_to, fill, list_diff, shape_of, size, unique,
};
use crate::tensor::Tensor;
use crate::types::{DType, DTypeSet, Result};

/// The distinct elements of the flattened tensor: real numbers sorted, strings and bools in order of first occurrence.
fn distinct(x: &Tensor) -> Result<Tensor> {
    let (values, _) = unique(x.reshape([-1])?)?;
    if DTypeSet::REAL.contains(values.dtype()) { values.sort(..) } else { Ok(values) }
}

/// Both operands, flattened. Plain numbers take the dtype of the tensor beside them.
fn flattened(x: &Tensor, y: &Tensor) -> Result<(Tensor, Tensor)> {
    let (x, y) = agree(x, y)?;
    Ok((x.reshape([-1])?, y.reshape([-1])?))
}

/// The elements of the first vector that are not in the second, with repeats.
fn difference(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    list_diff(x, y).map(|(values, _)| values)
}

compounds! {
    /// Methods: operations on sets of elements.
    methods of SetsMethods;

    /// Returns true where an element of `x` is in `among`.
    ///
    /// NumPy: `isin`. Both operands hold integers, real floats, bools or strings, of one dtype and any shapes. The
    /// result has the shape of `x`.
    ///
    /// # Errors
    /// `InvalidArgument` for dtypes that differ.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![2, 0, 5].isin([0, 2])?.as_slice::<bool>()?, &[true, true, false]);
    /// # Ok::<(), Error>(())
    /// ```
    fn isin(x, among) -> Tensor {
        let (x, among) = agree(x, among)?;
        Contained {}.run(&[&x, &among])
    }

    /// Returns the distinct elements of both operands, sorted. Strings and bools are in order of first
    /// occurrence instead.
    ///
    /// NumPy: `union1d`. Both operands hold integers, real floats, bools or strings, of one dtype and any shapes. The
    /// result is a vector.
    ///
    /// # Errors
    /// `InvalidArgument` for dtypes that differ.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::union1d([3, 1], [2, 3])?.as_slice::<i32>()?, &[1, 2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn union1d(x, y) -> Tensor {
        let (x, y) = flattened(x, y)?;
        distinct(&concat(&[&x, &y], 0)?)
    }

    /// Returns the distinct elements that are in both operands, sorted as by [`union1d()`].
    ///
    /// NumPy: `intersect1d`.
    ///
    /// # Errors
    /// As [`union1d()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::intersect1d([3, 1, 3], [2, 3])?.as_slice::<i32>()?, &[3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn intersect1d(x, y) -> Tensor {
        let (x, y) = flattened(x, y)?;
        let values = distinct(&x)?;
        boolean_mask(&values, &values.isin(&y)?, 0)
    }

    /// Returns the distinct elements of the first operand that are not in the second, sorted as by
    /// [`union1d()`].
    ///
    /// NumPy: `setdiff1d`.
    ///
    /// # Errors
    /// As [`union1d()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::setdiff1d([3, 1, 3], [2, 1])?.as_slice::<i32>()?, &[3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn setdiff1d(x, y) -> Tensor {
        let (x, y) = flattened(x, y)?;
        distinct(&difference(&x, &y)?)
    }

    /// Returns the distinct elements that are in exactly one operand, sorted as by [`union1d()`].
    ///
    /// NumPy: `setxor1d`.
    ///
    /// # Errors
    /// As [`union1d()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::setxor1d([3, 1], [2, 1])?.as_slice::<i32>()?, &[2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn setxor1d(x, y) -> Tensor {
        let (x, y) = flattened(x, y)?;
        distinct(&concat(&[difference(&x, &y)?, difference(&y, &x)?], 0)?)
    }

    /// Returns the distinct elements of a vector in order of occurrence, and the int64 index at which
    /// each occurs first.
    ///
    /// NumPy: `unique` with `return_index`, except that NumPy sorts the values.
    ///
    /// # Errors
    /// As [`unique()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (values, first) = tensor![7, 7, 2].unique_with_index()?;
    /// assert_eq!((values.to_vec::<i32>()?, first.to_vec::<i64>()?), (vec![7, 2], vec![0, 2]));
    /// # Ok::<(), Error>(())
    /// ```
    fn unique_with_index(x) -> (Tensor, Tensor) {
        let (values, ids) = unique(x)?;
        let n = size(x)?;
        let past_end = fill(&shape_of(&values)?, &n)?;
        let ids = ids.cast(DType::I64)?.expand_dims(1)?;
        // The least position among the elements of each value.
        let first = past_end.tensor_scatter_nd_min(ids, count_to(&n)?)?;
        Ok((values, first))
    }
}

//! Vectors as sets.

use crate::compounds;
use crate::ops::methods::*;
use crate::ops::protocol::number::agree;
use crate::ops::{boolean_mask, concat, count_to, fill, list_diff, shape_of, size, unique};
use crate::tensor::Tensor;
use crate::types::{DType, DTypeSet, Result};

/// The distinct elements of the flattened tensor, sorted if the dtype has an order.
fn distinct(x: &Tensor) -> Result<Tensor> {
    let (values, _) = unique(x.reshape([-1])?)?;
    if DTypeSet::REAL.contains(values.dtype()) { values.sort(..) } else { Ok(values) }
}

/// Both operands, flattened and of one dtype.
fn rows(x: &Tensor, y: &Tensor) -> Result<(Tensor, Tensor)> {
    let (x, y) = agree(x, y)?;
    Ok((x.reshape([-1])?, y.reshape([-1])?))
}

/// The elements of the first operand that are not in the second.
fn difference(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    list_diff(x, y).map(|(left, _)| left)
}

compounds! {
    /// Methods: sets of elements.
    methods of SetsMethods;

    /// Returns true where an element is in `among`.
    ///
    /// NumPy: `isin`. Integers, real floats, bools or strings of one dtype and any shapes; the result
    /// has the shape of the first.
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
        let (row, among) = rows(x, among)?;
        let (_, others) = list_diff(&row, &among)?;
        let all = fill(&shape_of(&row)?, Tensor::scalar(true))?;
        let not = fill(&shape_of(&others)?, Tensor::scalar(false))?;
        all.tensor_scatter_nd_update(others.expand_dims(1)?, not)?.reshape(&shape_of(x)?)
    }

    /// Returns the distinct elements of both operands, sorted (strings and bools in order of
    /// occurrence).
    ///
    /// NumPy: `union1d`. Integers, real floats, bools or strings of one dtype; the result is a vector.
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
        let (x, y) = rows(x, y)?;
        distinct(&concat(&[&x, &y], 0)?)
    }

    /// Returns the distinct elements that are in both operands, sorted as by [`union1d()`].
    ///
    /// NumPy: `intersect1d`.
    ///
    /// # Errors
    /// As [`union1d`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::intersect1d([3, 1, 3], [2, 3])?.as_slice::<i32>()?, &[3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn intersect1d(x, y) -> Tensor {
        let (x, y) = rows(x, y)?;
        let distinct = distinct(&x)?;
        boolean_mask(&distinct, &distinct.isin(&y)?, 0)
    }

    /// Returns the distinct elements of the first operand that are not in the second, sorted as by
    /// [`union1d()`].
    ///
    /// NumPy: `setdiff1d`.
    ///
    /// # Errors
    /// As [`union1d`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::setdiff1d([3, 1, 3], [2, 1])?.as_slice::<i32>()?, &[3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn setdiff1d(x, y) -> Tensor {
        let (x, y) = rows(x, y)?;
        distinct(&difference(&x, &y)?)
    }

    /// Returns the distinct elements that are in exactly one operand, sorted as by [`union1d()`].
    ///
    /// NumPy: `setxor1d`.
    ///
    /// # Errors
    /// As [`union1d`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::setxor1d([3, 1], [2, 1])?.as_slice::<i32>()?, &[2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn setxor1d(x, y) -> Tensor {
        let (x, y) = rows(x, y)?;
        distinct(&concat(&[difference(&x, &y)?, difference(&y, &x)?], 0)?)
    }

    /// Returns the distinct elements of a vector in order of occurrence, and the int64 index at which
    /// each occurs first.
    ///
    /// NumPy: `unique` with `return_index`, which also sorts.
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
        let last = fill(&shape_of(&values)?, &n)?;
        let ids = ids.cast(DType::I64)?.expand_dims(1)?;
        let first = last.tensor_scatter_nd_min(ids, count_to(&n)?)?;
        Ok((values, first))
    }
}

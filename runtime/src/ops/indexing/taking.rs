//! Elements taken and put by index, by place or by condition.

use extype_kernels::order::extremes;

use crate::compounds;
use crate::ops::args::{Axis, whole_numbers};
use crate::ops::checks::{check, check_same_shape};
use crate::ops::methods::*;
use crate::ops::options::{Along, Backwards, Exclusive, Sets};
use crate::ops::protocol::Op;
use crate::ops::protocol::number::agree;
use crate::ops::scan::running::row_or_axis;
use crate::ops::{
    Gather, add, broadcast_arrays, count_to, equal, gather, greater_equal, less, logical_and,
    logical_or, mul, rank_of, select, shape_of, size, stack, where_indices,
};
use crate::tensor::Lent;
use crate::tensor::{Tensor, TensorLike, call_site};
use crate::types::{DType, Result, bail, normalize_axis};

/// Indices as int64.
fn integers(indices: &Tensor) -> Result<Tensor> {
    if indices.dtype() == DType::Bool {
        bail!("indices are integers, not bool; a condition is for `compress` or `extract`");
    }
    if !indices.dtype().is_integer() {
        bail!("indices are integers, not {}; cast them", indices.dtype());
    }
    whole_numbers(indices, DType::I64)
}

/// Indices along an axis of size `n`, int64, with negative ones counted from the end.
pub(super) fn counted(indices: &Tensor, n: &Tensor) -> Result<Tensor> {
    let places = integers(indices)?;
    // Only negative indices need the size; without them constants stay constants.
    if let Tensor::Value(known) = &places
        && extremes(known.as_slice::<i64>()?).is_none_or(|(least, _)| least >= 0)
    {
        return Ok(places);
    }
    // The test is on the original dtype: unsigned indices may be negative as int64 but don't count
    // from the end.
    select(less(indices, 0)?, add(&places, n)?, &places)
}

/// The first index whose place is outside `0..n`, if the places are known.
pub(super) fn beyond(indices: &Tensor, places: &Tensor, n: i64) -> Result<Option<String>> {
    let Tensor::Value(known) = places else { return Ok(None) };
    let known = known.as_slice::<i64>()?;
    if extremes(known).is_some_and(|(least, most)| least >= 0 && most < n) {
        return Ok(None);
    }
    let wrong = known.iter().position(|place| !(0..n).contains(place));
    wrong.map(|i| Ok(indices.reshape([-1])?.index(i)?.value()?.to_string())).transpose()
}

/// Indices in `0..n`, with negative ones counted from the end. Indices out of range are refused here
/// if they are known, otherwise where they are used.
fn from_start(indices: &Tensor, n: &Tensor) -> Result<Tensor> {
    let places = counted(indices, n)?;
    if let Tensor::Value(n) = n
        && let [n] = n.to_i64s()?[..]
        && let Some(index) = beyond(indices, &places, n)?
    {
        bail!("index {index} is not in [-{n}, {n})");
    }
    Ok(places)
}

/// Refuses indices whose axes other than `axis` differ from those of the elements.
fn one_index_a_row(x: &Tensor, indices: &Tensor, axis: i64) -> Result<()> {
    let (rank, own, given) = (rank_of(x)?, x.shape(), indices.shape());
    let axis = normalize_axis(axis, rank)?;
    let agree = |i: usize| {
        i == axis
            || own
                .dim(i as i64)
                .ok()
                .zip(given.dim(i as i64).ok())
                .is_some_and(|(a, b)| a.is_compatible_with(b))
    };
    if given.rank().is_some_and(|given| given != rank || !(0..rank).all(agree)) {
        bail!(
            "indices of shape {given} along axis {axis} of shape {own}: the other axes must agree"
        );
    }
    if own.is_fully_defined() && given.is_fully_defined() {
        return Ok(());
    }
    // The axis is emptied, so that only the others are compared.
    let none = Tensor::from_vec(Vec::<i64>::new());
    let (x, indices) = (x.gather(&none, axis as i64)?, indices.gather(&none, axis as i64)?);
    check_same_shape(&x, &indices, || format!("axes other than {axis} of elements and indices"))
}

/// The size of an axis, int64.
fn size_along(x: &Tensor, axis: i64) -> Result<Tensor> {
    let axis = normalize_axis(axis, rank_of(x)?)?;
    shape_of(x)?.index(axis)
}

/// The places where a condition is true or not zero, int64.
fn places(condition: &Tensor) -> Result<Tensor> {
    where_indices(condition.reshape([-1])?)?.squeeze(1)
}

/// Refuses a condition that is not of bools or integers 0 and 1.
fn check_condition(condition: &Tensor) -> Result<()> {
    let is_flag = match condition {
        _ if condition.dtype() == DType::Bool => true,
        _ if !condition.dtype().is_integer() => false,
        Tensor::Value(known) => {
            known.fitted(DType::I64)?.to_i64s()?.iter().all(|n| matches!(n, 0 | 1))
        }
        _ => {
            let is_flag = logical_or(equal(condition, 0)?, equal(condition, 1)?)?;
            let message = "the condition is of bools, or integers 0 and 1:";
            return check(&is_flag.reduce_all(.., false)?, message, &[condition]);
        }
    };
    if !is_flag {
        bail!(
            "the condition is of bools, or integers 0 and 1, not {}; the tensor stands first, then the \
             condition",
            condition.tensor_type()
        );
    }
    Ok(())
}

/// Rows of the last axis as a matrix.
fn as_rows(x: &Tensor) -> Result<Tensor> {
    x.reshape(&stack(&[&Tensor::scalar(-1i64), &size_along(x, -1)?], 0)?)
}

compounds! {
    /// Methods: elements taken, replaced and found by index.
    methods of TakeMethods;

    /// Takes the elements (or slices) at indices along an axis, or of the flattened tensor (`..`);
    /// negative indices count from the end.
    ///
    /// NumPy: `take`, `x[[2, 0]]`; TensorFlow: `GatherV2` ([`gather()`]). Indices have any shape, which
    /// replaces the axis.
    ///
    /// # Errors
    /// `InvalidArgument` for an index or axis out of range, and for indices that are no integers.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1, 2], [3, 4]];
    /// assert_eq!(x.take([3, 0], ..)?.as_slice::<i32>()?, &[4, 1]);
    /// assert_eq!(x.take([-1], 0)?.as_slice::<i32>()?, &[3, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    fn take(x, indices => options: impl Sets<Along> as Along) -> Tensor {
        let (x, axis) = row_or_axis(x, options.axis)?;
        gather(&x, &from_start(indices, &size_along(&x, axis)?)?, axis)
    }

    /// Takes from each row along an axis the elements at its own indices, such as those from
    /// [`argsort()`](crate::ops::argsort()) and [`argmax()`](crate::ops::argmax()). `..` means all elements as one row.
    ///
    /// NumPy: `take_along_axis`; PyTorch: `gather`, `take_along_dim`. The other axes of both agree.
    ///
    /// # Errors
    /// `InvalidArgument` for other axes that differ, and an index or axis out of range.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[3, 1, 2], [9, 7, 8]];
    /// let sorted = x.take_along_axis(&x.argsort(1)?, 1)?;
    /// assert_eq!(sorted.as_slice::<i32>()?, &[1, 2, 3, 7, 8, 9]);
    /// # Ok::<(), Error>(())
    /// ```
    fn take_along_axis(x, indices => options: impl Sets<Along> as Along) -> Tensor {
        let (x, axis) = row_or_axis(x, options.axis)?;
        let rank = rank_of(&x)?;
        if indices.rank().is_some_and(|other| other != rank) {
            bail!("indices of shape {} for a tensor of shape {}", indices.shape(), x.shape());
        }
        let n = size_along(&x, axis)?;
        let indices = from_start(indices, &n)?.move_axis(axis, -1)?;
        let op = Gather { axis: Axis(rank as i64 - 1), batch_dims: rank as i64 - 1 };
        op.run(&[&x.move_axis(axis, -1)?, &indices])?.move_axis(-1, axis)
    }

    /// Replaces the elements at indices into the flattened tensor; the shape stays the same. A single
    /// value is used for all indices.
    ///
    /// NumPy: `put`, which changes its operand.
    ///
    /// # Errors
    /// `InvalidArgument` for an index out of range, and values that don't fit the indices.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 2, 3].put([0, -1], [7, 8])?.as_slice::<i32>()?, &[7, 2, 8]);
    /// # Ok::<(), Error>(())
    /// ```
    fn put(x, indices, values) -> Tensor {
        let (_, values) = agree(x, values)?;
        let indices = from_start(&indices.reshape([-1])?, &size(x)?)?;
        let values = values.broadcast_to(&shape_of(&indices)?)?;
        let row = x.reshape([-1])?;
        row.tensor_scatter_nd_update(indices.expand_dims(1)?, values)?.reshape(&shape_of(x)?)
    }

    /// Replaces in each row along an axis the elements at its own indices; the shape stays the
    /// same. The values broadcast to the shape of the indices.
    ///
    /// NumPy: `put_along_axis`, which changes its operand; PyTorch: `scatter`. `..` stands for all
    /// elements as one row.
    ///
    /// # Errors
    /// As [`take_along_axis`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[3, 1], [7, 9]];
    /// let y = x.put_along_axis(&tensor![[0], [1]], 0, 1)?;
    /// assert_eq!(y.as_slice::<i32>()?, &[0, 1, 7, 0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn put_along_axis(x, indices, values => options: impl Sets<Along> as Along) -> Tensor {
        let (row, axis) = row_or_axis(x, options.axis)?;
        let (_, values) = agree(x, values)?;
        one_index_a_row(&row, indices, axis)?;
        let n = size_along(&row, axis)?;
        let values = values.broadcast_to(&shape_of(indices)?)?.move_axis(axis, -1)?;
        let indices = as_rows(&from_start(indices, &n)?.move_axis(axis, -1)?)?;
        let rows = row.move_axis(axis, -1)?;
        let starts = mul(count_to(&size_along(&indices, 0)?)?, &n)?.expand_dims(1)?;
        // An index beyond its row gets a number that no place has. It is then refused instead of
        // naming an element of the next row.
        let in_row = logical_and(less(&indices, &n)?, greater_equal(&indices, 0)?)?;
        let places = select(in_row, add(&indices, starts)?, size(x)?.cast(DType::I64)?)?;
        let put = rows.put(places, values.reshape([-1])?)?;
        put.move_axis(-1, axis)?.reshape(&shape_of(x)?)
    }

    /// Keeps the slices along an axis where a condition is true, or elements of the flattened tensor
    /// (`..`). A shorter condition drops the rest.
    ///
    /// NumPy: `compress`, where the condition stands first. It is a vector of bools, or of integers 0 and 1.
    ///
    /// # Errors
    /// `InvalidArgument` for a longer condition, one that is no vector or of other values, and an axis out
    /// of range.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1, 2, 3], [4, 5, 6]];
    /// assert_eq!(x.compress([true, false, true], 1)?.as_slice::<i32>()?, &[1, 3, 4, 6]);
    /// # Ok::<(), Error>(())
    /// ```
    fn compress(x, condition => options: impl Sets<Along> as Along) -> Tensor {
        check_condition(condition)?;
        if condition.rank().is_some_and(|rank| rank != 1) {
            bail!("the condition is a vector, not of shape {}", condition.shape());
        }
        let (x, axis) = row_or_axis(x, options.axis)?;
        let n = x.rank().map_or(Ok(None), |_| Ok(x.shape().dim(axis)?.size()))?;
        if let (Some(n), Some(given)) = (n, condition.shape().num_elements())
            && given > n
        {
            bail!(
                "a condition of {given} for {n} elements of axis {axis}; the tensor stands first, then \
                 the condition"
            );
        }
        gather(&x, &places(condition)?, axis)
    }

    /// Returns the elements where a condition of the same shape is true, as one row.
    ///
    /// NumPy: `extract`, where the condition stands first, and `x[mask]`; TensorFlow: `tf.boolean_mask`
    /// ([`boolean_mask()`](crate::ops::boolean_mask())); PyTorch: `masked_select`. Bools, or integers 0 and 1.
    ///
    /// # Errors
    /// `InvalidArgument` for a condition of other values or of another number of elements.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1, 2], [3, 4]];
    /// assert_eq!(x.extract(x.greater(2)?)?.as_slice::<i32>()?, &[3, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    fn extract(x, condition) -> Tensor {
        check_condition(condition)?;
        match (x.shape().num_elements(), condition.shape().num_elements()) {
            (Some(n), Some(given)) if given != n => bail!(
                "a condition of shape {} for a tensor of shape {}; the tensor stands first, then the \
                 condition",
                condition.shape(),
                x.shape()
            ),
            (Some(_), Some(_)) => {}
            _ => check(
                &equal(size(x)?, size(condition)?)?,
                "a condition of another number of elements than the tensor:",
                &[&shape_of(x)?, &shape_of(condition)?],
            )?,
        }
        gather(x.reshape([-1])?, &places(condition)?, 0)
    }

    /// Returns the coordinates of the elements that are true or not zero, one row each, int64.
    ///
    /// NumPy: `argwhere`; TensorFlow: `Where` ([`where_indices()`]); PyTorch: `nonzero`.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that has no zero.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[0, 5], [6, 0]].argwhere()?.as_slice::<i64>()?, &[0, 1, 1, 0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn argwhere(x) -> Tensor {
        where_indices(x)
    }

    /// Returns the coordinates of the elements that are true or not zero: for each axis a vector,
    /// int64.
    ///
    /// NumPy: `nonzero`, and `where` of a condition alone.
    ///
    /// # Errors
    /// As [`argwhere`], and for a rank that is unknown while tracing.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let at = tensor![[0, 5], [6, 0]].nonzero()?;
    /// assert_eq!(at[0].as_slice::<i64>()?, &[0, 1]);
    /// assert_eq!(at[1].as_slice::<i64>()?, &[1, 0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn nonzero(x) -> Vec<Tensor> {
        where_indices(x)?.unstack(rank_of(x)?, 1)
    }

    /// Returns the int64 indices, in the flattened tensor, of the elements that are true or not zero.
    ///
    /// NumPy: `flatnonzero`.
    ///
    /// # Errors
    /// As [`argwhere`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[0, 5], [6, 0]].flatnonzero()?.as_slice::<i64>()?, &[1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn flatnonzero(x) -> Tensor {
        places(x)
    }
}

compounds! {
    /// Takes the elements of `x` where a condition is true, else those of `y`; all three broadcast.
    ///
    /// NumPy: `where`; TensorFlow: `SelectV2` ([`select()`], which also takes extension types);
    /// PyTorch: `where`, and `masked_fill` for a number `x`. For a condition alone use [`nonzero`].
    ///
    /// # Errors
    /// `InvalidArgument` for dtypes that differ, and shapes that don't broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![1.0f32, -2.0];
    /// assert_eq!(ops::where_(x.greater(0.0)?, &x, 0.0)?.as_slice::<f32>()?, &[1.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn where_(condition, x, y) -> Tensor {
        let (x, y) = agree(x, y)?;
        select(condition, &x, &y)
    }
}

/// Takes each element from the first choice whose condition is true, else from the default; all
/// broadcast.
///
/// NumPy: `select`. ([`select()`] is TensorFlow's: one condition, two choices.)
///
/// # Errors
/// `InvalidArgument` for not as many choices as conditions, dtypes that differ, and shapes that
/// don't broadcast.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![1, 5, 9];
/// let sizes = ops::select_cases(&[x.less(3)?, x.less(7)?], &[10, 20], 30)?;
/// assert_eq!(sizes.as_slice::<i32>()?, &[10, 20, 30]);
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "select")]
#[track_caller]
pub fn select_cases<C: TensorLike, X: TensorLike>(
    conditions: &[C],
    choices: &[X],
    default: impl TensorLike,
) -> Result<Tensor> {
    let _site = call_site!();
    if conditions.len() != choices.len() {
        bail!("{} choices for {} conditions", choices.len(), conditions.len());
    }
    let mut result = (*default.lend()?).clone();
    for (condition, choice) in conditions.iter().zip(choices).rev() {
        result = where_(condition, choice, result)?;
    }
    Ok(result)
}

/// Takes each element from the choice that the index at the same place names; all broadcast.
///
/// NumPy: `choose`. Indices are integers, choices of one dtype and any number.
///
/// # Errors
/// `InvalidArgument` for no choice, an index that names none, dtypes that differ, and shapes that don't
/// broadcast.
///
/// ```
/// use extype::prelude::*;
/// let y = ops::choose([0, 1, 0], &[[1, 2, 3], [10, 20, 30]])?;
/// assert_eq!(y.as_slice::<i32>()?, &[1, 20, 3]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn choose<X: TensorLike>(indices: impl TensorLike, choices: &[X]) -> Result<Tensor> {
    let _site = call_site!();
    if choices.is_empty() {
        bail!("there are no choices");
    }
    let choices: Vec<Lent<'_, Tensor>> =
        choices.iter().map(TensorLike::lend).collect::<Result<_>>()?;
    let all: Vec<&Tensor> = choices.iter().map(|x| &**x).collect();
    let indices = indices.lend()?;
    let mut broadcast = broadcast_arrays(&[&all[..], &[&*indices]].concat())?;
    let Some(indices) = broadcast.pop() else { bail!(Internal, "no indices") };
    let rank = rank_of(&indices)? as i64;
    let op = Gather { axis: Axis(rank), batch_dims: rank };
    op.run(&[&stack(&broadcast, -1)?, &integers(&indices)?])
}

compounds! {
    /// Converts the coordinates of elements to flat indices: the inverse of [`unravel_index()`](crate::ops::unravel_index()).
    ///
    /// NumPy: `ravel_multi_index`. Integers: coordinates `[n, …]`, a vector of `n` sizes; the places are
    /// int64.
    ///
    /// # Errors
    /// `InvalidArgument` for coordinates that lie outside, and another number of them than of sizes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let at = ops::ravel_multi_index([[0, 1], [1, 2]], [2, 4])?;
    /// assert_eq!(at.as_slice::<i64>()?, &[1, 6]);
    /// # Ok::<(), Error>(())
    /// ```
    fn ravel_multi_index(coordinates, sizes) -> Tensor {
        let are_integers = coordinates.dtype().is_integer() && sizes.dtype().is_integer();
        if !are_integers || sizes.rank() != Some(1) {
            bail!(
                "integers and a vector of sizes are wanted, not {} and {}",
                coordinates.tensor_type(),
                sizes.tensor_type()
            );
        }
        let rank = rank_of(coordinates)?;
        if rank == 0 || !coordinates.shape().dim(0)?.is_compatible_with(sizes.shape().dim(0)?) {
            bail!("coordinates of shape {} for {} sizes", coordinates.shape(), sizes.shape());
        }
        let coordinates = &whole_numbers(coordinates, DType::I64)?;
        let sizes = &whole_numbers(sizes, DType::I64)?;
        let column = |x: Tensor| (1..rank).try_fold(x, |x, _| x.expand_dims(-1));
        let steps = sizes.cumprod((Exclusive, Backwards))?;
        let all = column(sizes.clone())?;
        let inside = logical_and(coordinates.greater_equal(0)?, less(coordinates, &all)?)?;
        check(
            &inside.reduce_all(.., false)?,
            "coordinates lie outside of a tensor of these sizes:",
            &[coordinates, sizes],
        )?;
        mul(coordinates, column(steps)?)?.reduce_sum(0, false)
    }
}

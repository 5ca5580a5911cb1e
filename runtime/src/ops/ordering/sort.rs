//! Ops that compare elements, sorting, searching.

use crate::ops::*;
use crate::tensor::{Tensor, call_site};
use crate::types::{DType, DTypeSet, Result, bail, err, normalize_axis};

/// The order of a sort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// The smallest element first.
    #[default]
    Ascending,
    /// The largest element first.
    Descending,
}

/// Which place of several that keep a row sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// Before equal elements.
    #[default]
    Left,
    /// Behind equal elements.
    Right,
}

/// The elements sorted along an axis, of any integer or real float dtype; equal elements keep
/// their order. NaN comes last in both directions.
///
/// TensorFlow: `tf.sort`. Of rank 1 at least; the result has the same shape.
///
/// # Errors
/// `InvalidArgument` for a dtype that has no order, a scalar, and an axis out of range.
///
/// ```
/// use extype::ops::Direction;
/// use extype::prelude::*;
/// let y = ops::sort(&tensor![2.0f32, 3.0, 1.0], -1, Direction::Ascending)?;
/// assert_eq!(y.as_slice::<f32>()?, &[1.0, 2.0, 3.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn sort(x: &Tensor, axis: i64, direction: Direction) -> Result<Tensor> {
    let _site = call_site();
    let (values, _) = sorted(x, axis, direction).map_err(|e| e.with_op("sort"))?;
    // Sorted turned round: turn the values back.
    reversed_order(&values, direction)
}

/// The int32 indices that sort the elements along an axis; equal elements keep their order.
///
/// TensorFlow: `tf.argsort`. Of rank 1 at least; the result has the same shape.
///
/// # Errors
/// As [`sort`].
///
/// ```
/// use extype::ops::Direction;
/// use extype::prelude::*;
/// let order = ops::argsort(&tensor![2.0f32, 3.0, 1.0], -1, Direction::Descending)?;
/// assert_eq!(order.as_slice::<i32>()?, &[1, 0, 2]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn argsort(x: &Tensor, axis: i64, direction: Direction) -> Result<Tensor> {
    let _site = call_site();
    sorted(x, axis, direction).map(|(_, indices)| indices).map_err(|e| e.with_op("argsort"))
}

/// Elements whose order is that of `x`, or the reverse of it.
fn reversed_order(x: &Tensor, direction: Direction) -> Result<Tensor> {
    match direction {
        Direction::Descending => Ok(x.clone()),
        // The complement of an integer is in the reverse order, and exists for every one.
        Direction::Ascending if x.dtype().is_integer() => x.invert(),
        Direction::Ascending => neg(x),
    }
}

/// All elements along an axis from the largest to the smallest of the direction, and their indices.
fn sorted(x: &Tensor, axis: i64, direction: Direction) -> Result<(Tensor, Tensor)> {
    if !DTypeSet::REAL.contains(x.dtype()) {
        bail!("{} has no order; integers and real floats can be sorted", x.dtype());
    }
    let turned = reversed_order(x, direction)?;
    let rank = x.rank();
    let last = match rank {
        Some(0) => bail!("a scalar can't be sorted"),
        Some(rank) => normalize_axis(axis, rank)? + 1 == rank,
        None => axis == -1,
    };
    if last {
        return whole_rows(&turned);
    }
    let rank =
        rank.ok_or_else(|| err!("axis {axis} of a tensor of unknown rank; only -1 can be sorted"))?;
    let mut exchange: Vec<i64> = (0..rank as i64).collect();
    exchange.swap(normalize_axis(axis, rank)?, rank - 1);
    let (values, indices) = whole_rows(&turned.transpose(&exchange[..])?)?;
    Ok((values.transpose(&exchange[..])?, indices.transpose(&exchange[..])?))
}

fn whole_rows(x: &Tensor) -> Result<(Tensor, Tensor)> {
    let n = match x.shape().dims().and_then(|d| d.last()?.size()) {
        Some(n) => Integer::from(n),
        None => {
            let sizes = ShapeOf { out_type: DType::I32 }.run(&[x])?;
            Integer::Tensor(
                sizes.slice([-1 + x.rank().unwrap_or(1) as i64], [1])?.reshape([0i64; 0])?,
            )
        }
    };
    top_k(x, n)
}

/// For each value, where it belongs in the sorted row of the last axis, int32 or int64: all axes
/// but the last agree.
///
/// TensorFlow: `tf.searchsorted`. `[…, n]` and `[…, m]`, integers or floats of one dtype; the
/// result has the shape of the values.
///
/// # Errors
/// `InvalidArgument` for differing dtypes, and for axes before the last that differ.
///
/// ```
/// use extype::ops::Side;
/// use extype::prelude::*;
/// let at = ops::searchsorted(&tensor![1, 2, 2, 4], &tensor![2, 5], Side::Right, DType::I32)?;
/// assert_eq!(at.as_slice::<i32>()?, &[3, 4]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn searchsorted(
    sorted: &Tensor,
    values: &Tensor,
    side: Side,
    out_type: DType,
) -> Result<Tensor> {
    let _site = call_site();
    let matrix = |x: &Tensor| -> Result<Tensor> {
        match (x.rank(), x.shape().dims().and_then(|d| d.last()?.size())) {
            (Some(0), _) => bail!("a scalar has no row; reshape it to [1]"),
            (Some(2), _) => Ok(x.clone()),
            (_, Some(n)) if n > 0 => x.reshape([-1, n as i64]),
            // An empty last axis, or one that is not known: -1 would be ambiguous.
            (Some(rank), _) => {
                let (last, sizes) = (rank as i64 - 1, shape_of(x)?);
                let rows = size(fill(&sizes.slice([0], [last])?, Tensor::scalar(0u8))?)?;
                x.reshape(&concat(&[rows.reshape([1])?, sizes.slice([last], [1])?], 0)?)
            }
            (None, _) => bail!("the rank is unknown while tracing; give the argument a shape"),
        }
    };
    let (rows, of) = (matrix(sorted)?, matrix(values)?);
    let places = match side {
        Side::Left => LowerBound { out_type }.run(&[&rows, &of])?,
        Side::Right => UpperBound { out_type }.run(&[&rows, &of])?,
    };
    match (values.rank(), Integers::try_from(&values.shape())) {
        (Some(2), _) => Ok(places),
        (_, Ok(sizes)) => places.reshape(sizes),
        _ => places.reshape(&shape_of(values)?),
    }
}

impl Tensor {
    /// The elements sorted along an axis: see [`ops::sort`](crate::ops::sort).
    ///
    /// # Errors
    /// As the function.
    #[track_caller]
    pub fn sort(&self, axis: i64, direction: Direction) -> Result<Tensor> {
        sort(self, axis, direction)
    }

    /// The indices that sort the elements along an axis: see [`ops::argsort`](crate::ops::argsort).
    ///
    /// # Errors
    /// As the function.
    #[track_caller]
    pub fn argsort(&self, axis: i64, direction: Direction) -> Result<Tensor> {
        argsort(self, axis, direction)
    }
}

//! Sorting and searching.

use crate::compounds;
use crate::ops::args::{Integer, Integers};
use crate::ops::methods::*;
use crate::ops::options::{Sets, TakesInteger, sets};
use crate::ops::protocol::Op;
use crate::ops::protocol::number::agree;
use crate::ops::{
    CastFn, LowerBound, ShapeOf, SortRows, UpperBound, concat, fill, greater, neg, reverse, select,
    shape_of, size, sub, top_k,
};
use crate::tensor::{Tensor, TensorLike, call_site};
use crate::types::{DType, DTypeSet, Result, bail, err, normalize_axis};

/// The order of a sort.
///
/// ```
/// use extype::ops::Direction;
/// use extype::prelude::*;
/// let sorted = |direction: Direction| tensor![2, 3, 1].sort(direction);
/// assert_eq!(sorted(Direction::Descending)?.as_slice::<i32>()?, &[3, 2, 1]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// The smallest element first.
    #[default]
    Ascending,
    /// The largest element first.
    Descending,
}

/// Which index to take if several keep a row sorted.
///
/// ```
/// use extype::prelude::*;
/// let sorted = tensor![1, 2, 2, 3];
/// assert_eq!(sorted.searchsorted(2, ops::Side::Left)?.item::<i32>()?, 1);
/// assert_eq!(sorted.searchsorted(2, ops::Side::Right)?.item::<i32>()?, 3);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// Before equal elements.
    #[default]
    Left,
    /// Behind equal elements.
    Right,
}

/// Options of a sort: an axis (the last for `..`), a [`Direction`] or the word
/// [`Descending`](crate::ops::options::Descending).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// The axis.
    pub axis: i64,
    /// The direction.
    pub direction: Direction,
}

impl Default for Order {
    fn default() -> Self {
        Self { axis: -1, direction: Direction::Ascending }
    }
}

impl TakesInteger for Order {
    fn set_integer(&mut self, n: i64) {
        self.axis = n;
    }
}

sets! { Direction => Order |o, direction| o.direction = direction; }

/// Options of [`searchsorted`]: a [`Side`] (left for `..`), and the dtype of the places, int32 or
/// int64 (int32 for `..`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Searching {
    /// Before or behind equal elements.
    pub side: Side,
    /// The dtype of the places.
    pub dtype: DType,
}

impl Default for Searching {
    fn default() -> Self {
        Self { side: Side::Left, dtype: DType::I32 }
    }
}

sets! {
    Side => Searching |o, side| o.side = side;
    Searching => Searching |o, all| *o = all;
    DType => Searching |o, dtype| o.dtype = dtype;
}

compounds! {
    /// Methods: sorted elements, places in sorted rows.
    methods of SortMethods;

    /// Sorts the elements along an axis, of any integer or real float dtype, or strings byte by byte; equal elements
    /// keep their order. NaN comes last in both directions.
    ///
    /// NumPy: `sort`; TensorFlow: `tf.sort`. Of rank 1 at least; the result has the same shape.
    /// Options: an axis (the last for `..`), `ops::Descending`.
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that has no order, a scalar, and an axis out of range.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![2.0f32, 3.0, 1.0];
    /// assert_eq!(x.sort(..)?.as_slice::<f32>()?, &[1.0, 2.0, 3.0]);
    /// assert_eq!(x.sort((0, ops::Descending))?.as_slice::<f32>()?, &[3.0, 2.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn sort(x => options: impl Sets<Order> as Order) -> Tensor {
        let descending = options.direction == Direction::Descending;
        by_rows(x, options.axis, |x| match x.dtype() {
            DType::String => x.take_along_axis(&order(x, options.direction)?, -1),
            _ => SortRows { descending, place: -1 }.run(&[x]),
        })
    }

    /// Returns the int32 indices that sort the elements along an axis; equal elements keep their order.
    ///
    /// NumPy: `argsort`; TensorFlow: `tf.argsort`. Of rank 1 at least; the result has the same shape.
    /// Options as for [`sort`].
    ///
    /// # Errors
    /// As [`sort`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let order = tensor![2.0f32, 3.0, 1.0].argsort(ops::Descending)?;
    /// assert_eq!(order.as_slice::<i32>()?, &[1, 0, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn argsort(x => options: impl Sets<Order> as Order) -> Tensor {
        by_rows(x, options.axis, |x| order(x, options.direction))
    }

    /// Arranges the elements along an axis so that the one at index `kth` is where a sort puts it. No
    /// larger element is before it and no smaller one behind. An axis with a NaN, and strings, are sorted.
    ///
    /// NumPy: `partition`. Options as for [`sort`].
    ///
    /// # Errors
    /// As [`sort`], and for a place that is out of range.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![3, 1, 2].partition(1, ..)?.index(1)?.item::<i32>()?, 2);
    /// # Ok::<(), Error>(())
    /// ```
    fn partition(x; kth: i64 => options: impl Sets<Order> as Order) -> Tensor {
        check_place(x, kth, options.axis)?;
        let n = x.shape().dim(options.axis)?.size();
        let place = if kth < 0 { n.map_or(-1, |n| kth + n as i64) } else { kth };
        let descending = options.direction == Direction::Descending;
        by_rows(x, options.axis, |x| match x.dtype() {
            DType::String => x.sort(options.direction),
            _ => SortRows { descending, place }.run(&[x]),
        })
    }

    /// Returns the int32 indices that arrange the elements as [`partition()`] does.
    ///
    /// NumPy: `argpartition`. Options as for [`sort`].
    ///
    /// # Errors
    /// As [`partition`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![3, 1, 2].argpartition(0, ..)?.index(0)?.item::<i32>()?, 1);
    /// # Ok::<(), Error>(())
    /// ```
    fn argpartition(x; kth: i64 => options: impl Sets<Order> as Order) -> Tensor {
        check_place(x, kth, options.axis)?;
        x.argsort((options.axis, options.direction))
    }

    /// Returns the index at which each value belongs in a sorted row, int32 or int64. For a sorted
    /// vector the values have any shape; for rows along the last axis the other axes must agree.
    ///
    /// NumPy: `searchsorted`; TensorFlow: `tf.searchsorted`. `[…, n]` and `[…, m]`, integers or floats
    /// of one dtype; the result has the shape of the values. Options: a [`Side`] (`Left` for `..`), a
    /// dtype of the places (int32 for `..`).
    ///
    /// # Errors
    /// `InvalidArgument` for differing dtypes, and for axes before the last that differ.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let sorted = tensor![1, 2, 2, 4];
    /// assert_eq!(sorted.searchsorted([2, 5], ..)?.as_slice::<i32>()?, &[1, 4]);
    /// assert_eq!(sorted.searchsorted(2, (ops::Side::Right, i64))?.item::<i64>()?, 3);
    /// # Ok::<(), Error>(())
    /// ```
    fn searchsorted(sorted, values => options: impl Sets<Searching> as Searching) -> Tensor {
        let (sorted, values) = agree(sorted, values)?;
        if sorted.rank() == Some(1) && values.rank() != Some(1) {
            let places = in_rows(&sorted, &values.reshape([-1])?, options)?;
            return places.reshape(&shape_of(&values)?);
        }
        in_rows(&sorted, &values, options)
    }

    /// Returns the int32 number of the bin of each element: how many of the edges are not above it. The
    /// edges are an increasing vector; for decreasing edges the number is how many are above it.
    ///
    /// NumPy: `digitize`. For bins that include their right edge, use `edges.searchsorted(x, ..)`.
    ///
    /// # Errors
    /// As [`searchsorted`], and for edges that neither increase nor decrease if they are known.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let bins = tensor![0.5f32, 1.0, 7.0].digitize(&tensor![0.0f32, 1.0, 5.0])?;
    /// assert_eq!(bins.as_slice::<i32>()?, &[1, 2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn digitize(x, edges) -> Tensor {
        let (x, edges) = agree(x, edges)?;
        let ways = ways(&edges)?;
        let rising = || edges.searchsorted(&x, Side::Right);
        let falling = || -> Result<Tensor> {
            let above = reverse(&edges, 0)?.searchsorted(&x, Side::Right)?;
            sub(size(&edges)?.cast(above.dtype())?, above)
        };
        match ways {
            Some([true, _]) => rising(),
            Some([_, true]) => falling(),
            Some(_) => bail!("the edges neither increase nor decrease: {edges}"),
            None => {
                let falls = greater(edges.index(..1)?, edges.index(-1..)?)?.reduce_any(.., false)?;
                select(falls, falling()?, rising()?)
            }
        }
    }
}

/// Whether the numbers of a vector increase, and whether they decrease; both if all are equal. `None`
/// if the numbers are unknown.
pub(in crate::ops) fn ways(edges: &Tensor) -> Result<Option<[bool; 2]>> {
    let Tensor::Value(known) = edges else { return Ok(None) };
    let known = CastFn::to(DType::F64).compute(&[known])?;
    let known = known[0].as_slice::<f64>()?;
    Ok(Some([known.is_sorted(), known.iter().rev().is_sorted()]))
}

fn check_place(x: &Tensor, kth: i64, axis: i64) -> Result<()> {
    if let Some(n) = x.shape().dim(axis)?.size() {
        normalize_axis(kth, n)
            .map_err(|_| err!("place {kth} is out of range for {n} elements of axis {axis}"))?;
    }
    Ok(())
}

/// Returns the int32 indices that sort by several keys, vectors of one length. They sort by the last
/// key, equal elements by the key before it, and so on.
///
/// NumPy: `lexsort`.
///
/// # Errors
/// `InvalidArgument` for no key, and as [`sort`].
///
/// ```
/// use extype::prelude::*;
/// let order = ops::lexsort(&[tensor![9, 4, 0], tensor![1, 2, 1]])?;
/// assert_eq!(order.as_slice::<i32>()?, &[2, 0, 1]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn lexsort<X: TensorLike>(keys: &[X]) -> Result<Tensor> {
    let _site = call_site!();
    let mut order: Option<Tensor> = None;
    for key in keys {
        let key = key.lend()?;
        order = Some(match order {
            None => key.argsort(0)?,
            // Equal elements keep the order of the keys before.
            Some(order) => order.gather(key.gather(&order, 0)?.argsort(0)?, 0)?,
        });
    }
    order.ok_or_else(|| err!("no key is given"))
}

/// The indices that sort each row.
fn order(x: &Tensor, direction: Direction) -> Result<Tensor> {
    match x.dtype() {
        DType::String => whole_rows(&reversed_order(&x.string_ranks()?, direction)?),
        _ => whole_rows(&reversed_order(x, direction)?),
    }
}

/// `x` for descending order; for ascending order, numbers that sort the other way round.
fn reversed_order(x: &Tensor, direction: Direction) -> Result<Tensor> {
    match direction {
        Direction::Descending => Ok(x.clone()),
        // The complement reverses the order of integers, and does not overflow as the negative can.
        Direction::Ascending if x.dtype().is_integer() => x.invert(),
        Direction::Ascending => neg(x),
    }
}

/// Calls a function of the rows of the last axis with those of another.
fn by_rows(x: &Tensor, axis: i64, f: impl Fn(&Tensor) -> Result<Tensor>) -> Result<Tensor> {
    if !DTypeSet::REAL.or(DTypeSet::STRING).contains(x.dtype()) {
        bail!("{} has no order; integers, real floats and strings can be sorted", x.dtype());
    }
    let rank = x.rank();
    let last = match rank {
        Some(0) => bail!("a scalar can't be sorted"),
        Some(rank) => normalize_axis(axis, rank)? + 1 == rank,
        None => axis == -1,
    };
    if last {
        return f(x);
    }
    let rank =
        rank.ok_or_else(|| err!("axis {axis} of a tensor of unknown rank; only -1 can be sorted"))?;
    let mut exchange: Vec<i64> = (0..rank as i64).collect();
    exchange.swap(normalize_axis(axis, rank)?, rank - 1);
    f(&x.transpose(&exchange[..])?)?.transpose(&exchange[..])
}

/// The indices of the elements of each row, the largest element first.
fn whole_rows(x: &Tensor) -> Result<Tensor> {
    let n = match x.shape().dims().and_then(|d| d.last()?.size()) {
        Some(n) => Integer::from(n),
        None => {
            let sizes = ShapeOf { out_type: DType::I32 }.run(&[x])?;
            Integer::Tensor(sizes.index(-1)?)
        }
    };
    top_k(x, n).map(|(_, indices)| indices)
}

/// [`searchsorted`] in rows along the last axis.
fn in_rows(sorted: &Tensor, values: &Tensor, options: Searching) -> Result<Tensor> {
    let (side, out_type) = (options.side, options.dtype);
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
    match (values.rank(), Integers::of_shape(&values.shape())) {
        (Some(2), _) => Ok(places),
        (_, Some(sizes)) => places.reshape(sizes),
        _ => places.reshape(&shape_of(values)?),
    }
}

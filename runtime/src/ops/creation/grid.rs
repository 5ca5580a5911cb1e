//! Tensors made of numbers, grids and masks.

use crate::ops::args::{Integer, IntegersLike, whole_numbers};
use crate::ops::methods::*;
use crate::ops::options::{Sets, chosen, sets};
use crate::ops::protocol::Op;
use crate::ops::{LinSpace, add, concat, div, fill, less, maximum, mul, range, size, stack, sub};
use crate::tensor::Lent;
use crate::tensor::{Tensor, TensorLike, call_site};
use crate::types::{DType, DTypeSet, Result, bail, err, normalize_axis};

/// `0, 1, …, n - 1`.
pub(in crate::ops) fn count_to(n: &Tensor) -> Result<Tensor> {
    let number = |i: i64| Tensor::scalar(i).cast(n.dtype());
    range(&number(0)?, n, &number(1)?)
}

/// `num` evenly spaced numbers from `start` to `stop` along a new axis; integers become float64.
pub(super) fn between(start: &Tensor, stop: &Tensor, num: i64, axis: i64) -> Result<Tensor> {
    let float =
        |x: &Tensor| if x.dtype().is_integer() { x.cast(DType::F64) } else { Ok(x.clone()) };
    let (start, stop) = (&float(start)?, &float(stop)?);
    // Adding zeros of the other's shape broadcasts both to one shape.
    let (start, stop) = (add(start, stop.zeros_like()?)?, add(stop, start.zeros_like()?)?);
    let Some(rank) = start.rank() else {
        bail!("the rank is unknown while tracing; give the bounds a shape")
    };
    let axis = normalize_axis(axis, rank + 1)?;
    if rank == 0 && num > 1 && DTypeSet::FLOAT.contains(start.dtype()) {
        return LinSpace { num: num.into() }.run(&[&start, &stop]);
    }
    let (start, stop) = (start.expand_dims(axis)?, stop.expand_dims(axis)?);
    let steps = (num - 1).max(1);
    let delta = div(sub(&stop, &start)?, Tensor::scalar(steps).cast(start.dtype())?)?;
    let inner = range(Tensor::scalar(1i64), Tensor::scalar(steps), Tensor::scalar(1i64))?;
    let mut sizes = vec![1i64; rank + 1];
    sizes[axis] = steps - 1;
    let inner = inner.cast(start.dtype())?.reshape(sizes)?;
    let between = add(&start, mul(&delta, &inner)?)?;
    if num == 1 {
        // `between` is empty here, but lets gradients reach `stop`.
        return concat(&[&start, &between], axis);
    }
    concat(&[&start, &between, &stop], axis)
}

/// Which axes the first two vectors of a grid run along.
///
/// ```
/// use extype::prelude::*;
/// let (x, y) = (tensor![1, 2], tensor![3, 4, 5]);
/// assert_eq!(ops::meshgrid(&[&x, &y], ops::Indexing::Xy)?[0].shape(), shape![3, 2]);
/// assert_eq!(ops::meshgrid(&[&x, &y], ops::Indexing::Ij)?[0].shape(), shape![2, 3]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Indexing {
    /// Columns, then rows, as points in a plane are written.
    #[default]
    Xy,
    /// Rows, then columns, as elements of a matrix are indexed.
    Ij,
}

/// Options of [`meshgrid`]: an [`Indexing`], [`Sparse`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// Which axes the first two vectors run along.
    pub indexing: Indexing,
    /// True for tensors that broadcast to the shape of the grid.
    pub sparse: bool,
}

/// Returns tensors that broadcast to the shape of the grid instead of tensors of that shape.
///
/// ```
/// use extype::prelude::*;
/// let grid = ops::meshgrid(&[&tensor![1, 2], &tensor![3, 4, 5]], ops::Sparse)?;
/// assert_eq!((grid[0].shape(), grid[1].shape()), (shape![1, 2], shape![3, 1]));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sparse;

sets! {
    Indexing => Grid |o, indexing| o.indexing = indexing;
    Sparse => Grid |o, _| o.sparse = true;
    Grid => Grid |o, all| *o = all;
}

/// Returns the coordinates of all points of a grid: for each vector a tensor of the grid's shape.
///
/// NumPy: `meshgrid`; TensorFlow: `tf.meshgrid`. Vectors of any dtype but resource; the dtypes may
/// differ. Options: an [`Indexing`], `..` for `Xy`; [`Sparse`] for tensors that broadcast to the
/// grid's shape.
///
/// # Errors
/// What `reshape` and `broadcast_to` refuse.
///
/// ```
/// use extype::ops::Indexing;
/// use extype::prelude::*;
/// let grid = ops::meshgrid(&[&tensor![1, 2], &tensor![3, 4, 5]], Indexing::Xy)?;
/// assert_eq!(grid[0].as_slice::<i32>()?, &[1, 2, 1, 2, 1, 2]);
/// assert_eq!(ops::meshgrid(&[[1, 2], [3, 4]], ops::Sparse)?[0].shape(), shape![1, 2]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn meshgrid<X: TensorLike>(vectors: &[X], options: impl Sets<Grid>) -> Result<Vec<Tensor>> {
    let _site = call_site!();
    let vectors: Vec<Lent<'_, Tensor>> =
        vectors.iter().map(TensorLike::lend).collect::<Result<_>>()?;
    let vectors: Vec<&Tensor> = vectors.iter().map(|v| &**v).collect();
    grid(&vectors, chosen(options)?)
}

fn grid(vectors: &[&Tensor], options: Grid) -> Result<Vec<Tensor>> {
    let rank = vectors.len();
    let axis =
        |i: usize| if options.indexing == Indexing::Xy && rank > 1 && i < 2 { 1 - i } else { i };
    let lengths: Vec<Tensor> =
        vectors.iter().map(|v| size(*v)?.reshape([1])).collect::<Result<_>>()?;
    let sizes: Vec<&Tensor> = (0..rank).map(|i| &lengths[axis(i)]).collect();
    let Some(sizes) = sizes.first().map(|_| concat(&sizes, 0)).transpose()? else {
        return Ok(Vec::new());
    };
    let coordinates = |(i, v): (usize, &&Tensor)| {
        let mut own = vec![1i64; rank];
        own[axis(i)] = -1;
        let v = v.reshape(own)?;
        if options.sparse { Ok(v) } else { v.broadcast_to(&sizes) }
    };
    vectors.iter().enumerate().map(coordinates).collect()
}

/// Returns the coordinates of all elements of a tensor of this shape, int64: `[rank, …shape]`.
///
/// NumPy: `indices`.
///
/// # Errors
/// `InvalidArgument` for negative sizes, and a shape that is unknown while tracing.
///
/// ```
/// use extype::prelude::*;
/// let at = ops::indices([2, 2])?;
/// assert_eq!(at.as_slice::<i64>()?, &[0, 0, 1, 1, 0, 1, 0, 1]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn indices(shape: impl IntegersLike) -> Result<Tensor> {
    let _site = call_site!();
    let shape = shape.into();
    let sizes = shape.known().ok_or_else(|| err!("the shape must be known while tracing"))?;
    if let Some(n) = sizes.iter().find(|n| **n < 0) {
        bail!("size {n} is negative");
    }
    if sizes.is_empty() {
        return fill([0], Tensor::scalar(0i64));
    }
    let places: Vec<Tensor> = sizes.iter().map(|n| range(0i64, *n, 1i64)).collect::<Result<_>>()?;
    let places: Vec<&Tensor> = places.iter().collect();
    stack(&grid(&places, Grid { indexing: Indexing::Ij, sparse: false })?, 0)
}

/// Makes a mask with a row of `maxlen` places for each length: true, or one, in the places before the
/// length. Without `maxlen` a row has the largest length.
///
/// TensorFlow: `tf.sequence_mask`. Lengths of any shape; the result has one axis more, and is of
/// `dtype`.
///
/// # Errors
/// `InvalidArgument` for lengths that are no integers.
///
/// ```
/// use extype::prelude::*;
/// let mask = ops::sequence_mask(&tensor![1, 2], None, DType::I32)?;
/// assert_eq!(mask.as_slice::<i32>()?, &[1, 0, 1, 1]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn sequence_mask(lengths: &Tensor, maxlen: Option<Integer>, dtype: DType) -> Result<Tensor> {
    let _site = call_site!();
    if !lengths.dtype().is_integer() {
        bail!("lengths are integers, not {}; cast them", lengths.dtype());
    }
    let lengths = whole_numbers(lengths, DType::I64)?;
    let limit = match maxlen {
        Some(n) => n.to_i64()?,
        None => maximum(lengths.reduce_max(.., false)?, 0)?,
    };
    let mask = less(count_to(&limit)?, lengths.expand_dims(-1)?)?;
    if dtype == DType::Bool { Ok(mask) } else { mask.cast(dtype) }
}

//! The words that set options, and options of creation.

use super::{Running, Spread, TakesInteger, sets};
use crate::ops::{Direction, Indexing, Order, Replacing};
use crate::tensor::Tensor;
use crate::types::DType;

/// Options of functions with one diagonal of a matrix: the diagonal, above the main one if
/// positive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offset {
    /// The diagonal.
    pub diagonal: i64,
}

impl TakesInteger for Offset {
    fn set_integer(&mut self, n: i64) {
        self.diagonal = n;
    }
}

/// Options of a new matrix: [`Columns`], a diagonal, a dtype, [`BatchShape`].
#[derive(Clone, Debug, PartialEq)]
pub struct Square {
    /// How many columns, as many as rows if not given.
    pub columns: Option<usize>,
    /// The diagonal, above the main one if positive.
    pub diagonal: i64,
    /// The dtype.
    pub dtype: DType,
    /// Axes before the two of the matrix.
    pub batch: Vec<usize>,
}

impl TakesInteger for Square {
    fn set_integer(&mut self, n: i64) {
        self.diagonal = n;
    }
}

/// Options of evenly spaced numbers: the axis of the result, [`Endpoint`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spacing {
    /// The axis of the result along which the numbers lie.
    pub axis: i64,
    /// True if the last number is the stop.
    pub endpoint: bool,
}

impl Default for Spacing {
    fn default() -> Self {
        Self { axis: 0, endpoint: true }
    }
}

impl TakesInteger for Spacing {
    fn set_integer(&mut self, n: i64) {
        self.axis = n;
    }
}

/// Options of numbers on a logarithmic scale: the options of evenly spaced numbers, [`Base`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogSpacing {
    /// The options of the exponents.
    pub exponents: Spacing,
    /// The base that is raised to them.
    pub base: f64,
}

impl Default for LogSpacing {
    fn default() -> Self {
        Self { exponents: Spacing::default(), base: 10.0 }
    }
}

impl TakesInteger for LogSpacing {
    fn set_integer(&mut self, n: i64) {
        self.exponents.axis = n;
    }
}

/// The delta degrees of freedom of a variance: the number subtracted from the number of elements in
/// the divisor. 1 gives the unbiased variance.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![1.0f32, 3.0];
/// assert_eq!((x.var(..)?.item::<f32>()?, x.var(ops::Ddof(1))?.item::<f32>()?), (1.0, 2.0));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ddof(pub i64);

/// The number of columns.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(ops::eye(2, ops::Columns(3))?.shape(), shape![2, 3]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Columns(pub usize);

/// The batch shape: the axes before the two of a matrix.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(ops::eye(2, ops::BatchShape(vec![5]))?.shape(), shape![5, 2, 2]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct BatchShape(pub Vec<usize>);

/// Whether the end of a range is among the numbers.
///
/// ```
/// use extype::prelude::*;
/// let x = ops::linspace_with(0.0, 1.0, 2, ops::Endpoint(false))?;
/// assert_eq!(x.as_slice::<f64>()?, &[0.0, 0.5]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Endpoint(pub bool);

/// The base that is raised to the numbers, 10 if not given.
///
/// ```
/// use extype::prelude::*;
/// let x = ops::logspace_with(0.0, 3.0, 4, ops::Base(2.0))?;
/// assert_eq!(x.as_slice::<f64>()?, &[1.0, 2.0, 4.0, 8.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Base(pub f64);

/// The number that replaces NaN.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![f32::NAN, 1.0].nan_to_num(ops::NanAs(-1.0))?;
/// assert_eq!(x.as_slice::<f32>()?, &[-1.0, 1.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NanAs(pub f64);

/// The number that replaces infinity.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![f32::INFINITY, 1.0].nan_to_num(ops::PosInfAs(9.0))?;
/// assert_eq!(x.as_slice::<f32>()?, &[9.0, 1.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PosInfAs(pub f64);

/// The number that replaces minus infinity.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![f32::NEG_INFINITY, 1.0].nan_to_num(ops::NegInfAs(-9.0))?;
/// assert_eq!(x.as_slice::<f32>()?, &[-9.0, 1.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NegInfAs(pub f64);

/// Leaves the element itself out of a running reduction.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(tensor![1, 2, 3].cumsum(ops::Exclusive)?.as_slice::<i32>()?, &[0, 1, 3]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exclusive;

/// Begins a running reduction at the end.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(tensor![1, 2, 3].cumsum(ops::Backwards)?.as_slice::<i32>()?, &[6, 5, 3]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backwards;

/// The least number of bins, any integer.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(tensor![1, 1].bincount(ops::MinLength(4))?.as_slice::<i32>()?, &[0, 2, 0, 0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinLength<N>(pub N);

/// The most bins, any integer; larger values are not counted.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(tensor![1, 1, 5].bincount(ops::MaxLength(2))?.as_slice::<i32>()?, &[0, 2]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaxLength<N>(pub N);

/// The weight of each element.
///
/// ```
/// use extype::prelude::*;
/// let (x, weights) = (tensor![1.0f32, 4.0], tensor![2.0f32, 1.0]);
/// assert_eq!(x.average(ops::Weights(&weights))?.item::<f32>()?, 2.0);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Weights<'a>(pub &'a Tensor);

/// Sorts the largest element first.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(tensor![2, 3, 1].sort(ops::Descending)?.as_slice::<i32>()?, &[3, 2, 1]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Descending;

sets! {
    DType => Square |o, dtype| o.dtype = dtype;
    Exclusive => Running |o, _| o.exclusive = true;
    Backwards => Running |o, _| o.backwards = true;
    Descending => Order |o, _| o.direction = Direction::Descending;
    Ddof => Spread |o, Ddof(n)| o.ddof = n as f64;
    Columns => Square |o, Columns(n)| o.columns = Some(n);
    BatchShape => Square |o, BatchShape(shape)| o.batch = shape;
    Endpoint => Spacing |o, Endpoint(is_in)| o.endpoint = is_in;
    Endpoint => LogSpacing |o, Endpoint(is_in)| o.exponents.endpoint = is_in;
    Base => LogSpacing |o, Base(base)| o.base = base;
    NanAs => Replacing |o, NanAs(x)| o.nan = x;
    PosInfAs => Replacing |o, PosInfAs(x)| o.pos_inf = Some(x);
    NegInfAs => Replacing |o, NegInfAs(x)| o.neg_inf = Some(x);
    Running => Running |o, all| *o = all;
    Spread => Spread |o, all| *o = all;
    Square => Square |o, all| *o = all;
    Spacing => Spacing |o, all| *o = all;
    LogSpacing => LogSpacing |o, all| *o = all;
    Replacing => Replacing |o, all| *o = all;
    Offset => Offset |o, all| *o = all;
    Order => Order |o, all| *o = all;
    Indexing => Indexing |o, all| *o = all;
}

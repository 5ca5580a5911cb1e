//! The words that set options, and options of creation.

use super::{Running, Spread, TakesInteger, sets};
use crate::ops::{Direction, Indexing, Order, Replacing};
use crate::tensor::Tensor;
use crate::types::DType;

/// Options of one matrix by its diagonals: a diagonal, above the main one if positive.
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

/// Options of a made matrix: [`Columns`], a diagonal, a dtype, [`BatchShape`].
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

/// Options of numbers on a logarithmic scale: those of evenly spaced ones, [`Base`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogSpacing {
    /// The options of the exponents.
    pub exponents: Spacing,
    /// What is raised to them.
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

/// What is taken from the number of elements before it divides a variance: 1 for the unbiased
/// one ("delta degrees of freedom").
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ddof(pub i64);

/// So many columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Columns(pub usize);

/// The axes before the two of a matrix.
#[derive(Clone, Debug)]
pub struct BatchShape(pub Vec<usize>);

/// Whether the end of a range is among the numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Endpoint(pub bool);

/// What is raised to the numbers, 10 if not given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Base(pub f64);

/// What stands in place of NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NanAs(pub f64);

/// What stands in place of infinity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PosInfAs(pub f64);

/// What stands in place of minus infinity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NegInfAs(pub f64);

/// Leaves the element itself out of a running reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exclusive;

/// Begins a running reduction at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backwards;

/// At least so many bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinLength(pub i64);

/// At most so many bins; larger values are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaxLength(pub i64);

/// How much each element weighs.
#[derive(Clone, Copy, Debug)]
pub struct Weights<'a>(pub &'a Tensor);

/// Sorts the largest element first.
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

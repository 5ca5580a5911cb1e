//! The words that set options, and options of creation.

use super::{Over, Running, Sets, Spread, TakesInteger, option_words, themselves};
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

#[diagnostic::do_not_recommend]
impl Sets<Square> for DType {
    fn set(self, options: &mut Square) {
        options.dtype = self;
    }
}

/// Options of evenly spaced numbers: the axis of the result, [`Endpoint`], [`Base`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spacing {
    /// The axis of the result along which the numbers lie.
    pub axis: i64,
    /// True if the last number is the stop.
    pub endpoint: bool,
    /// What is raised to the numbers, on a logarithmic scale.
    pub base: f64,
}

impl Default for Spacing {
    fn default() -> Self {
        Self { axis: 0, endpoint: true, base: 10.0 }
    }
}

impl TakesInteger for Spacing {
    fn set_integer(&mut self, n: i64) {
        self.axis = n;
    }
}

option_words! {
    /// What is taken from the number of elements before it divides a variance: 1 for the unbiased
    /// one ("delta degrees of freedom").
    Ddof(i64) for Spread => |o, n| o.ddof = n as f64;

    /// So many columns.
    Columns(usize) for Square => |o, n| o.columns = Some(n);

    /// The axes before the two of a matrix.
    BatchShape(Vec<usize>) for Square => |o, shape| o.batch = shape;

    /// Whether the end of a range is among the numbers.
    Endpoint(bool) for Spacing => |o, is_in| o.endpoint = is_in;

    /// What is raised to the numbers, 10 if not given.
    Base(f64) for Spacing => |o, base| o.base = base;

    /// What stands in place of NaN.
    NanAs(f64) for Replacing => |o, x| o.nan = x;

    /// What stands in place of infinity.
    PosInfAs(f64) for Replacing => |o, x| o.pos_inf = Some(x);

    /// What stands in place of minus infinity.
    NegInfAs(f64) for Replacing => |o, x| o.neg_inf = Some(x);
}

/// Leaves the element itself out of a running reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exclusive;

#[diagnostic::do_not_recommend]
impl Sets<Running> for Exclusive {
    fn set(self, options: &mut Running) {
        options.exclusive = true;
    }
}

/// Begins a running reduction at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backwards;

#[diagnostic::do_not_recommend]
impl Sets<Running> for Backwards {
    fn set(self, options: &mut Running) {
        options.backwards = true;
    }
}

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

#[diagnostic::do_not_recommend]
impl Sets<Order> for Descending {
    fn set(self, options: &mut Order) {
        options.direction = Direction::Descending;
    }
}

themselves!(Running, Spread, Square, Spacing, Offset, Order, Indexing);

#[diagnostic::do_not_recommend]
impl Sets<Spread> for Over {
    fn set(self, options: &mut Spread) {
        options.over = self;
    }
}

//! The entries of a slice: `x.index((0, .., 1..3, NewAxis))`.

use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

use super::{Integer, Integers, whole_numbers};
use crate::ops::StridedSlice;
use crate::tensor::Tensor;
use crate::types::{DType, Result, bail};

/// One entry of a slice.
///
/// | entry | in Python | what it takes |
/// | --- | --- | --- |
/// | `2`, `-1`, `&t` | `2`, `-1`, `t` | one element; the axis goes away |
/// | `..` | `:` | the whole axis |
/// | `1..3`, `..-1`, `&a..&b` | `1:3`, `:-1`, `a:b` | from the first to before the second |
/// | `1..=3` | `1:4` | from the first to the second; `..=-1` is to the last |
/// | [`step(.., -1)`](step) | `::-1` | every n-th element, backwards if negative |
/// | [`Ellipsis`] | `...` | all axes that no other entry names |
/// | [`NewAxis`] | `tf.newaxis` | a new axis of size 1 |
///
/// Negative numbers count from the end. Bounds past an end are cut; an index past it is an error.
/// `&t` is a scalar integer tensor, which may be known only when the program runs.
///
/// ```
/// use extype::ops::Index;
/// use extype::prelude::*;
/// let rows: Vec<Index> = vec![Index::from(1..), Index::from(0)];
/// assert_eq!(tensor![[1, 2], [3, 4], [5, 6]].index(rows)?.as_slice::<i32>()?, &[3, 5]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Index {
    /// One element.
    At(Position),
    /// A part of an axis.
    Part {
        /// Where it begins, if not at the first element (the last for a negative step).
        begin: Option<Position>,
        /// The position before which it ends.
        end: Option<Position>,
        /// The step between elements.
        step: i64,
    },
    /// All axes that no other entry names.
    Ellipsis,
    /// A new axis of size 1.
    NewAxis,
}

/// The entry of a slice for all axes that no other entry names: Python's `...`.
///
/// ```
/// use extype::prelude::*;
/// let x = ops::ones([2, 3, 4], f32)?;
/// assert_eq!(x.index((Ellipsis, 0))?.shape(), shape![2, 3]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ellipsis;

/// The entry of a slice that makes a new axis of size 1.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(tensor![1, 2].index((.., NewAxis))?.shape(), shape![2, 1]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewAxis;

/// A position on an axis: a number, or a scalar tensor of any integer dtype.
pub type Position = Integer;

/// Makes an index that takes a part of an axis in steps: `step(1.., 2)` is Python's `1::2`,
/// `step(.., -1)` its `::-1`.
///
/// As in Python the bounds of a negative step go downwards: `step(5..1, -2)` takes 5 and 3.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![0, 1, 2, 3, 4, 5];
/// assert_eq!(x.index(ops::step(1.., 2))?.as_slice::<i32>()?, &[1, 3, 5]);
/// assert_eq!(x.index(ops::step(4..1, -2))?.as_slice::<i32>()?, &[4, 2]);
/// # Ok::<(), Error>(())
/// ```
#[must_use]
pub fn step(part: impl Into<Index>, step: i64) -> Index {
    match part.into() {
        Index::Part { begin, end, .. } => Index::Part { begin, end, step },
        other => other,
    }
}

macro_rules! inclusive_ranges {
    ($($t:ty),*) => {
        $(impl From<RangeInclusive<$t>> for Index {
            fn from(range: RangeInclusive<$t>) -> Self {
                let (begin, end) = range.into_inner();
                part(Some(begin.into()), after(i64::try_from(end)))
            }
        }

        impl From<RangeToInclusive<$t>> for Index {
            fn from(range: RangeToInclusive<$t>) -> Self {
                part(None, after(i64::try_from(range.end)))
            }
        })*
    };
}
inclusive_ranges!(i32, i64, usize);

/// The exclusive bound of an inclusive one; there is none after the last element.
fn after<E>(last: Result<i64, E>) -> Option<Position> {
    match last {
        Ok(-1) => None,
        Ok(n) => Some(Position::Known(n.saturating_add(1))),
        Err(_) => Some(Position::Known(i64::MAX)),
    }
}

fn part(begin: Option<Position>, end: Option<Position>) -> Index {
    Index::Part { begin, end, step: 1 }
}

macro_rules! index_from {
    ($([$($g:tt)*] $t:ty => |$x:ident| $to:expr;)*) => {
        $(impl<$($g)*> From<$t> for Index {
            fn from($x: $t) -> Self { $to }
        })*
    };
}
index_from! {
    [] Position => |at| Index::At(at);
    [] i32 => |at| Index::At(at.into());
    [] i64 => |at| Index::At(at.into());
    [] usize => |at| Index::At(at.into());
    [] &Tensor => |at| Index::At(at.into());
    [] Tensor => |at| Index::At(at.into());
    [] RangeFull => |_x| part(None, None);
    [B: Into<Position>] Range<B> => |r| part(Some(r.start.into()), Some(r.end.into()));
    [B: Into<Position>] RangeFrom<B> => |r| part(Some(r.start.into()), None);
    [B: Into<Position>] RangeTo<B> => |r| part(None, Some(r.end.into()));
    [] Ellipsis => |_x| Index::Ellipsis;
    [] NewAxis => |_x| Index::NewAxis;
}

/// The entries of a slice: one, a tuple of up to eight, or a list of [`Index`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no index of a tensor",
    label = "an index is an integer, a range, a tensor of one, `Ellipsis`, `NewAxis`, `step(range, n)`, or a tuple of these",
    note = "elements at several places are `x.take([0, 2], 0)?`, those where a tensor of bools is true `x.boolean_mask(&mask, 0)?`"
)]
pub trait IndexList {
    /// The entries.
    ///
    /// ```
    /// use extype::ops::IndexList;
    /// use extype::prelude::*;
    /// assert_eq!((0, .., Ellipsis, NewAxis).entries().len(), 4);
    /// assert!(().entries().is_empty());
    /// ```
    fn entries(self) -> Vec<Index>;
}

macro_rules! single_entries {
    ($([$($g:tt)*] $t:ty),* $(,)?) => {
        $(#[diagnostic::do_not_recommend]
        impl<$($g)*> IndexList for $t {
            fn entries(self) -> Vec<Index> { vec![self.into()] }
        })*
    };
}
single_entries!(
    [] Index, [] Position, [] i32, [] i64, [] usize, [] &Tensor, [] Tensor, [] RangeFull, [] Ellipsis, [] NewAxis,
    [B: Into<Position>] Range<B>, [B: Into<Position>] RangeFrom<B>, [B: Into<Position>] RangeTo<B>,
    [] RangeInclusive<i32>, [] RangeInclusive<i64>, [] RangeInclusive<usize>,
    [] RangeToInclusive<i32>, [] RangeToInclusive<i64>, [] RangeToInclusive<usize>,
);

#[diagnostic::do_not_recommend]
impl IndexList for Vec<Index> {
    fn entries(self) -> Vec<Index> {
        self
    }
}

#[diagnostic::do_not_recommend]
impl IndexList for &[Index] {
    fn entries(self) -> Vec<Index> {
        self.to_vec()
    }
}

#[diagnostic::do_not_recommend]
impl IndexList for () {
    fn entries(self) -> Vec<Index> {
        Vec::new()
    }
}

macro_rules! tuple_entries {
    ($($t:ident $x:ident),*) => {
        #[diagnostic::do_not_recommend]
        impl<$($t: Into<Index>),*> IndexList for ($($t,)*) {
            fn entries(self) -> Vec<Index> {
                let ($($x,)*) = self;
                vec![$($x.into()),*]
            }
        }
    };
}
tuple_entries!(A a);
tuple_entries!(A a, B b);
tuple_entries!(A a, B b, C c);
tuple_entries!(A a, B b, C c, D d);
tuple_entries!(A a, B b, C c, D d, E e);
tuple_entries!(A a, B b, C c, D d, E e, F f);
tuple_entries!(A a, B b, C c, D d, E e, F f, G g);
tuple_entries!(A a, B b, C c, D d, E e, F f, G g, H h);

impl StridedSlice {
    /// The op that takes these entries.
    ///
    /// # Errors
    /// `InvalidArgument` for more than 31 entries, and for a tensor that is no integer scalar.
    ///
    /// ```
    /// use extype::ops::{Op, StridedSlice};
    /// use extype::prelude::*;
    /// let last_column = StridedSlice::at((.., -1))?;
    /// let x = tensor![[1, 2, 3], [4, 5, 6]];
    /// assert_eq!(last_column.run(&[&x])?.as_slice::<i32>()?, &[3, 6]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn at(entries: impl IndexList) -> Result<Self> {
        let entries = entries.entries();
        if entries.len() > 31 {
            bail!("a slice has at most 31 entries, not {}", entries.len());
        }
        let mut op = StridedSlice {
            begin_mask: 0,
            end_mask: 0,
            ellipsis_mask: 0,
            new_axis_mask: 0,
            shrink_axis_mask: 0,
            begin: Integers::from([0i64; 0]),
            end: Integers::from([0i64; 0]),
            strides: Integers::from([0i64; 0]),
        };
        let (mut begins, mut ends, mut strides) = (Vec::new(), Vec::new(), Vec::new());
        for (i, entry) in entries.into_iter().enumerate() {
            let bit = 1 << i;
            let zero = Position::Known(0);
            let (begin, end, stride) = match entry {
                Index::At(at) => {
                    op.shrink_axis_mask |= bit;
                    let next = match &at {
                        Position::Known(n) => Position::Known(n.saturating_add(1)),
                        _ => at.clone(),
                    };
                    (at, next, 1)
                }
                Index::Part { begin, end, step } => {
                    op.begin_mask |= if begin.is_none() { bit } else { 0 };
                    op.end_mask |= if end.is_none() { bit } else { 0 };
                    (begin.unwrap_or(zero.clone()), end.unwrap_or(zero), step)
                }
                Index::Ellipsis => {
                    op.ellipsis_mask |= bit;
                    (zero.clone(), zero, 1)
                }
                Index::NewAxis => {
                    op.new_axis_mask |= bit;
                    (zero.clone(), zero, 1)
                }
            };
            begins.push(begin);
            ends.push(end);
            strides.push(stride);
        }
        op.begin = vector(&begins)?;
        op.end = vector(&ends)?;
        op.strides = strides.into();
        Ok(op)
    }
}

/// Positions as one list, which is a tensor if one of them is.
fn vector(positions: &[Position]) -> Result<Integers> {
    let known = |at: &Position| match at {
        Position::Known(n) => Some(*n),
        _ => None,
    };
    if let Some(numbers) = positions.iter().map(known).collect::<Option<Vec<i64>>>() {
        return Ok(numbers.into());
    }
    let scalar = |at: &Position| match at.either()? {
        Ok(n) => Ok(Tensor::scalar(*n)),
        Err(t) if t.dtype() == DType::Bool => bail!(
            "an index is an integer, not a mask of shape {}; for what is under a mask write `x.boolean_mask(&mask, 0)?`",
            t.shape()
        ),
        Err(t) if !matches!(t.rank(), None | Some(0)) => bail!(
            "an index is a scalar, not of shape {}; for lists there is `take`, as in `x.take(list, 0)?`",
            t.shape()
        ),
        Err(t) if !t.dtype().is_integer() => {
            bail!("an index is an integer, not {}", t.dtype())
        }
        Err(t) => whole_numbers(t, DType::I64),
    };
    let scalars: Vec<Tensor> = positions.iter().map(scalar).collect::<Result<_>>()?;
    crate::ops::stack(&scalars, 0).map(Integers::Tensor)
}

//! Axes among options.

use super::{Chosen, Sets, sets};
use crate::ops::{Axes, Axis, Integers, KeepDims};
use crate::tensor::Tensor;

/// Options that an integer can set: an axis (negative ones count from the end), or a diagonal.
pub trait TakesInteger {
    /// The integer.
    ///
    /// ```
    /// use extype::ops::options::{Offset, TakesInteger};
    /// let mut offset = Offset::default();
    /// offset.set_integer(-1);
    /// assert_eq!(offset.diagonal, -1);
    /// ```
    fn set_integer(&mut self, n: i64);

    /// Adds an integer to the earlier ones; returns false if the options take only one.
    ///
    /// ```
    /// use extype::ops::options::{Along, Over, TakesInteger};
    /// use extype::prelude::*;
    /// let (mut over, mut along) = (Over::default(), Along::default());
    /// over.set_integer(0);
    /// assert!(over.add_integer(1));
    /// assert_eq!(over.axes, Axes::from([0, 1]));
    /// along.set_integer(0);
    /// assert!(!along.add_integer(1));
    /// ```
    fn add_integer(&mut self, n: i64) -> bool {
        let _ = n;
        false
    }
}

/// Options with any number of axes.
pub trait TakesAxes {
    /// The axes.
    ///
    /// ```
    /// use extype::ops::options::{Spread, TakesAxes};
    /// use extype::prelude::*;
    /// let mut spread = Spread::default();
    /// spread.set_axes([0, 2].into());
    /// assert_eq!(spread.over.axes, Axes::from([0, 2]));
    /// ```
    fn set_axes(&mut self, axes: Axes);

    /// True if integers also set axes, and nothing else.
    ///
    /// ```
    /// use extype::ops::options::{Over, TakesAxes};
    /// use extype::prelude::*;
    /// assert!(Over::default().integers_are_axes());
    /// // So an axis beside a list of them is one too many.
    /// assert!(ops::ones([2, 2], f32)?.sum((0, [1])).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    fn integers_are_axes(&self) -> bool {
        true
    }
}

macro_rules! axis {
    ($($t:ty),*) => {
        $(#[diagnostic::do_not_recommend]
        impl<O: TakesInteger> Sets<O> for $t {
            fn set_options(self, options: &mut Chosen<O>) {
                options.integer(Axis::from(self).0);
            }
        })*
    };
}
axis!(i32, i64, usize, Axis);

macro_rules! axes {
    ($([$($g:tt)*] $t:ty),*) => {
        $(#[diagnostic::do_not_recommend]
        impl<O: TakesAxes, $($g)*> Sets<O> for $t {
            fn set_options(self, options: &mut Chosen<O>) {
                options.axes(Axes::from(self));
            }
        })*
    };
}
axes!([const N: usize] [i32; N], [const N: usize] [i64; N], [] &[i64], [] Vec<i64>, [] &Tensor, [] Axes, [] &Axes);

#[diagnostic::do_not_recommend]
impl<O: TakesInteger> Sets<O> for Option<i64> {
    fn set_options(self, options: &mut Chosen<O>) {
        if let Some(axis) = self {
            options.integer(axis);
        }
    }
}

/// Options of a function along one axis: an axis. The function's doc says what `..` means, usually
/// all elements as one row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Along {
    /// The axis, if one is given.
    pub axis: Option<i64>,
}

impl TakesInteger for Along {
    fn set_integer(&mut self, axis: i64) {
        self.axis = Some(axis);
    }
}

/// Options of a reduction: axes (`..` for all), [`KeepDims`].
#[derive(Clone, Debug, Default)]
pub struct Over {
    /// The axes that are reduced.
    pub axes: Axes,
    /// True to keep them with size 1.
    pub keep_dims: bool,
}

/// Options that include [`Over`]: they take axes, [`KeepDims`], or a whole `Over`.
pub trait Reduces {
    /// Axes, and whether they are kept.
    ///
    /// ```
    /// use extype::ops::options::{Reduces, Spread};
    /// use extype::prelude::*;
    /// let mut spread = Spread { ddof: 1.0, ..Spread::default() };
    /// spread.over().keep_dims = true;
    /// assert_eq!(tensor![1.0f32, 3.0].var(spread)?.as_slice::<f32>()?, &[2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn over(&mut self) -> &mut Over;
}

impl Reduces for Over {
    fn over(&mut self) -> &mut Over {
        self
    }
}

impl<O: Reduces> TakesInteger for O {
    fn set_integer(&mut self, axis: i64) {
        self.over().axes = Axis(axis).into();
    }

    fn add_integer(&mut self, axis: i64) -> bool {
        self.over().axes.push(axis)
    }
}

impl<O: Reduces> TakesAxes for O {
    fn set_axes(&mut self, axes: Axes) {
        self.over().axes = axes;
    }
}

#[diagnostic::do_not_recommend]
impl<O: Reduces> Sets<O> for KeepDims {
    fn set_options(self, options: &mut Chosen<O>) {
        options.set("KeepDims").over().keep_dims = true;
    }
}

#[diagnostic::do_not_recommend]
impl<O: Reduces> Sets<O> for Over {
    fn set_options(self, options: &mut Chosen<O>) {
        *options.set("Over").over() = self;
    }
}

/// Options of a variance: axes (`..` for all), [`KeepDims`], [`Ddof`](super::Ddof).
#[derive(Clone, Debug, Default)]
pub struct Spread {
    /// Axes, and whether they are kept.
    pub over: Over,
    /// The number subtracted from the number of elements in the divisor.
    pub ddof: f64,
}

impl Reduces for Spread {
    fn over(&mut self) -> &mut Over {
        &mut self.over
    }
}

/// Options of a function over a list of axes: axes (`..` for all).
#[derive(Clone, Debug, Default)]
pub struct Among {
    /// The axes.
    pub axes: Axes,
}

impl TakesInteger for Among {
    fn set_integer(&mut self, axis: i64) {
        self.axes = Axis(axis).into();
    }

    fn add_integer(&mut self, axis: i64) -> bool {
        self.axes.push(axis)
    }
}

impl TakesAxes for Among {
    fn set_axes(&mut self, axes: Axes) {
        self.axes = axes;
    }
}

impl Among {
    /// The axes that are given, if any.
    pub(in crate::ops) fn given(self) -> Option<Integers> {
        match self.axes {
            Axes::All => None,
            Axes::List(list) => Some(list),
        }
    }
}

sets! {
    Among => Among |o, all| *o = all;
    Along => Along |o, all| *o = all;
}

/// Options of a running reduction: an axis (`..` for all elements as one row),
/// [`Exclusive`](super::Exclusive), [`Backwards`](super::Backwards).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Running {
    /// The axis, if one is given.
    pub axis: Option<i64>,
    /// True to leave the element itself out.
    pub exclusive: bool,
    /// True to begin at the end.
    pub backwards: bool,
}

impl TakesInteger for Running {
    fn set_integer(&mut self, axis: i64) {
        self.axis = Some(axis);
    }
}

sets! { Along => Running |o, along| o.axis = along.axis; }

#[diagnostic::do_not_recommend]
impl<O: TakesAxes> Sets<O> for Tensor {
    fn set_options(self, options: &mut Chosen<O>) {
        (&self).set_options(options);
    }
}

#[diagnostic::do_not_recommend]
impl<O: TakesAxes> Sets<O> for Integers {
    fn set_options(self, options: &mut Chosen<O>) {
        options.axes(Axes::List(self));
    }
}

//! Options, the counterpart of NumPy's keyword arguments: the last argument of a function takes
//! them.
//!
//! `..` leaves every option at its default. One option is passed alone, several in a tuple in any
//! order: `x.sum(..)`, `x.sum(1)`, `x.sum((1, KeepDims))`, `x.var((0, Ddof(1)))`,
//! `x.sort((0, Descending))`. Integers in a tuple are axes where a function takes several:
//! `x.sum((0, 1))` is `x.sum([0, 1])`. Each option is a word (a small type) that sets a field of the
//! function's options. A word that the function does not take does not compile. An option that is off
//! by default is turned on by its word alone (`KeepDims`). One that is on by default has a word with a
//! bool (`Endpoint(false)`).

mod axes;
mod words;

use smallvec::SmallVec;

use crate::ops::Axes;
use crate::types::{Result, err};

pub use axes::{Along, Among, Over, Reduces, Running, Spread, TakesAxes, TakesInteger};
pub use words::*;

/// A value that sets options of a function, such as [`Over`] of a reduction: `..` for none of them,
/// an axis, a word, or a tuple of these.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
/// assert_eq!(x.sum(..)?.item::<f32>()?, 10.0);
/// assert_eq!(x.sum(0)?.as_slice::<f32>()?, &[4.0, 6.0]);
/// assert_eq!(x.sum((0, KeepDims))?.shape(), shape![1, 2]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is none of the options that this function takes (`{O}`)",
    label = "write `..` for the defaults, an axis or a word of `ops::options`, or a tuple of these"
)]
pub trait Sets<O> {
    /// Sets its options.
    ///
    /// ```
    /// use extype::ops::options::{Chosen, Over, Sets};
    /// use extype::prelude::*;
    /// /// Over the last axis, which stays.
    /// struct Rows;
    /// impl Sets<Over> for Rows {
    ///     fn set_options(self, options: &mut Chosen<Over>) {
    ///         *options.set("Rows") = Over { axes: Axis(-1).into(), keep_dims: true };
    ///     }
    /// }
    /// let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
    /// assert_eq!(x.sum(Rows)?.shape(), shape![2, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    fn set_options(self, options: &mut Chosen<O>);
}

/// Options while words set them. It records which were set, so that setting one twice is an error.
#[derive(Debug, Default)]
pub struct Chosen<O> {
    options: O,
    set: SmallVec<[&'static str; 4]>,
    twice: Option<String>,
}

/// The name of the option that an axis, a list of axes or another integer sets.
const INTEGER: &str = "the axis (or the integer that the function takes)";

impl<O> Chosen<O> {
    /// The options, for a word that sets `what`.
    ///
    /// ```
    /// use extype::ops::options::{Chosen, Over, Sets};
    /// use extype::prelude::*;
    /// /// Keeps the axes if it is told to.
    /// struct Keep(bool);
    /// impl Sets<Over> for Keep {
    ///     fn set_options(self, options: &mut Chosen<Over>) {
    ///         options.set("Keep").keep_dims = self.0;
    ///     }
    /// }
    /// let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
    /// assert_eq!(x.sum((0, Keep(true)))?.shape(), shape![1, 2]);
    /// let e = x.sum((Keep(true), Keep(false))).unwrap_err();
    /// assert_eq!(e.message(), "Keep is given twice among the options");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn set(&mut self, what: &'static str) -> &mut O {
        if self.set.contains(&what) {
            // The type without its parameters.
            let word = what.split('<').next().unwrap_or(what).trim_end();
            self.twice.get_or_insert_with(|| format!("{word} is given twice among the options"));
        }
        self.set.push(what);
        &mut self.options
    }

    /// Sets the integer, or adds it to the axes of earlier integers.
    fn integer(&mut self, n: i64)
    where
        O: TakesInteger,
    {
        if !self.set.contains(&INTEGER) {
            self.set(INTEGER).set_integer(n);
        } else if !self.options.add_integer(n) {
            self.set(INTEGER);
        }
    }

    fn axes(&mut self, axes: Axes)
    where
        O: TakesAxes,
    {
        let what = if self.options.integers_are_axes() { INTEGER } else { "the list of axes" };
        self.set(what).set_axes(axes);
    }
}

#[diagnostic::do_not_recommend]
impl<O> Sets<O> for std::ops::RangeFull {
    fn set_options(self, _: &mut Chosen<O>) {}
}

macro_rules! tuples {
    ($($($t:ident $x:ident),+;)*) => {
        $(#[diagnostic::do_not_recommend]
        impl<O, $($t: Sets<O>),+> Sets<O> for ($($t,)+) {
            fn set_options(self, options: &mut Chosen<O>) {
                let ($($x,)+) = self;
                $($x.set_options(options);)+
            }
        })*
    };
}
tuples! {
    A a;
    A a, B b;
    A a, B b, C c;
    A a, B b, C c, D d;
    A a, B b, C c, D d, E e;
}

/// The options that these words set.
///
/// # Errors
/// `InvalidArgument` for one that is set twice.
#[doc(hidden)]
pub fn chosen<O: Default>(words: impl Sets<O>) -> Result<O> {
    let mut chosen = Chosen::default();
    words.set_options(&mut chosen);
    match chosen.twice {
        None => Ok(chosen.options),
        Some(twice) => Err(err!("{twice}")),
    }
}

/// Implements `Sets`: `Type => Options |options, value| …;`, where a pattern destructures the value.
/// Types with parameters go in a separate block, after `for[…]`.
macro_rules! sets {
    ($(for[$($g:tt)*] $t:ty => $options:ty |$o:ident, $value:pat_param| $set:expr;)+) => {
        $($crate::ops::options::sets!(@one [$($g)*] $t => $options |$o, $value| $set);)+
    };
    (@one [$($g:tt)*] $t:ty => $options:ty |$o:ident, $value:pat_param| $set:expr) => {
        #[diagnostic::do_not_recommend]
        impl<$($g)*> $crate::ops::options::Sets<$options> for $t {
            fn set_options(self, options: &mut $crate::ops::options::Chosen<$options>) {
                let ($value, $o) = (self, options.set(stringify!($t)));
                $set;
            }
        }
    };
    ($($t:ty => $options:ty |$o:ident, $value:pat_param| $set:expr;)*) => {
        $($crate::ops::options::sets!(@one [] $t => $options |$o, $value| $set);)*
    };
}
pub(crate) use sets;

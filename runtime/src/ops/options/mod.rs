//! What NumPy's keyword arguments are here: the last argument of a function takes its options.
//!
//! `..` leaves every option at its default, one option stands alone, several stand in a tuple in any
//! order: `x.sum(..)`, `x.sum(1)`, `x.sum((1, KeepDims))`, `x.var((0, Ddof(1)))`,
//! `x.sort((0, Descending))`. Each option is a word (a small type), which sets a field of the
//! options that the function takes; a word that the function does not know does not compile. What is
//! off unless said is turned on by its word alone (`KeepDims`); what is on unless said has a word
//! with a bool (`Endpoint(false)`).

mod axes;
mod words;

pub use axes::{Along, Among, Over, Reduces, Running, Spread, TakesAxes, TakesInteger};
pub use words::*;

/// What sets options of a function, such as [`Over`] of a reduction: `..` for none of them, an axis,
/// a word, or a tuple of these.
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
    /// Sets what it says.
    fn set(self, options: &mut O);
}

#[diagnostic::do_not_recommend]
impl<O> Sets<O> for std::ops::RangeFull {
    fn set(self, _: &mut O) {}
}

macro_rules! tuples {
    ($($($t:ident $x:ident),+;)*) => {
        $(#[diagnostic::do_not_recommend]
        impl<O, $($t: Sets<O>),+> Sets<O> for ($($t,)+) {
            fn set(self, options: &mut O) {
                let ($($x,)+) = self;
                $($x.set(options);)+
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
pub(crate) fn options<O: Default>(words: impl Sets<O>) -> O {
    let mut options = O::default();
    words.set(&mut options);
    options
}

/// Declares functions for users: what converts their operands and options is generic and short, the
/// rest stands in a function that is compiled once. `fn` is a function of `ops` and a method of
/// tensors; `free fn` a function alone. Operands (anything that is [`TensorLike`]) stand before
/// `;`, plain arguments behind it, options behind `=>`.
///
/// [`TensorLike`]: crate::tensor::TensorLike
macro_rules! functions {
    () => {};
    ($(#[$doc:meta])* free fn $name:ident($($x:ident),* $(; $($arg:ident: $t:ty),+)? $(=> $o:ident: $options:ty)?)
        -> $out:ty $body:block $($rest:tt)*) => {
        $(#[$doc])*
        #[track_caller]
        pub fn $name($($x: impl $crate::tensor::TensorLike,)* $($($arg: $t,)+)? $($o: impl $crate::ops::options::Sets<$options>,)?)
            -> $crate::types::Result<$out> {
            #[track_caller]
            fn inner($($x: &$crate::tensor::Tensor,)* $($($arg: $t,)+)? $($o: $options,)?)
                -> $crate::types::Result<$out> $body
            let _site = $crate::tensor::call_site();
            inner($(&*$x.lend()?,)* $($($arg,)+)? $($crate::ops::options::options::<$options>($o),)?)
                .map_err(|e| e.with_op(stringify!($name)))
        }
        $crate::ops::options::functions!($($rest)*);
    };
    ($(#[$doc:meta])* fn $name:ident($x:ident $(, $y:ident)* $(; $($arg:ident: $t:ty),+)? $(=> $o:ident: $options:ty)?)
        -> $out:ty $body:block $($rest:tt)*) => {
        $crate::ops::options::functions! {
            $(#[$doc])*
            free fn $name($x $(, $y)* $(; $($arg: $t),+)? $(=> $o: $options)?) -> $out $body
        }
        impl $crate::tensor::Tensor {
            #[doc = concat!("See [`ops::", stringify!($name), "`](crate::ops::", stringify!($name), "()).")]
            ///
            /// # Errors
            /// As the function.
            #[track_caller]
            pub fn $name(&self, $($y: impl $crate::tensor::TensorLike,)* $($($arg: $t,)+)? $($o: impl $crate::ops::options::Sets<$options>,)?)
                -> $crate::types::Result<$out> {
                $name(self, $($y,)* $($($arg,)+)? $($o,)?)
            }
        }
        $crate::ops::options::functions!($($rest)*);
    };
}
/// Says what sets options: `Type => Options |options, value| …;`, where a pattern takes the value apart.
macro_rules! sets {
    ($($t:ty => $options:ty |$o:ident, $value:pat_param| $set:expr;)*) => {
        $(#[diagnostic::do_not_recommend]
        impl $crate::ops::options::Sets<$options> for $t {
            fn set(self, $o: &mut $options) {
                let $value = self;
                $set;
            }
        })*
    };
}
pub(crate) use {functions, sets};

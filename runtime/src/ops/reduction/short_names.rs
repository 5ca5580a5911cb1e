//! Reductions under their short names, whose last argument holds axes and options.

use crate::ops::elementwise::compare::truths;
use crate::ops::methods::*;
use crate::ops::options::{Over, Sets, chosen};
use crate::ops::protocol::{HasMethods, Operand, Takes1};
use crate::ops::{
    reduce_all, reduce_any, reduce_max, reduce_mean, reduce_min, reduce_prod, reduce_sum,
};
use crate::tensor::{Tensor, call_site};
use crate::types::{DType, Result};

macro_rules! short {
    ($($(#[$doc:meta])* $name:ident($over:ident: $sets:ty) = $long:ident of $of:ident;)*) => {
        $(
            $(#[$doc])*
            #[track_caller]
            pub fn $name<X: Operand>(x: X, $over: $sets)
                -> Result<<$long as Takes1<X::Value>>::Output>
            where
                $long: Takes1<X::Value>,
            {
                let _site = call_site!();
                shortly::$name(&x, chosen($over)?)
            }
        )*

        /// The functions and the methods.
        mod shortly {
            use super::*;

            $(
                #[track_caller]
                pub(super) fn $name<X: Operand + ?Sized>(x: &X, over: Over)
                    -> Result<<$long as Takes1<X::Value>>::Output>
                where
                    $long: Takes1<X::Value>,
                {
                    $long(x.operand_as($of)?, over.axes, over.keep_dims)
                }
            )*
        }

        /// Methods: reductions under their short names.
        pub trait ShortMethods: HasMethods {
            $(
                #[doc = concat!("See [`ops::", stringify!($name), "`](crate::ops::", stringify!($name), "()).")]
                ///
                /// # Errors
                /// As the function.
                #[track_caller]
                fn $name(&self, $over: $sets) -> Result<<$long as Takes1<Self::Value>>::Output>
                where
                    $long: Takes1<Self::Value>,
                {
                    let _site = call_site!();
                    shortly::$name(self, chosen($over)?)
                }
            )*
        }
    };
}

/// Keeps every dtype.
fn itself(_: &Tensor) -> Result<Option<Tensor>> {
    Ok(None)
}

/// Bools as int64, so that they are counted.
fn counted(x: &Tensor) -> Result<Option<Tensor>> {
    if x.dtype() == DType::Bool { x.cast(DType::I64).map(Some) } else { Ok(None) }
}

/// Bools as float64.
fn weighed(x: &Tensor) -> Result<Option<Tensor>> {
    if x.dtype() == DType::Bool { x.cast(DType::F64).map(Some) } else { Ok(None) }
}

/// Numbers as bools: true unless zero.
fn asked(x: &Tensor) -> Result<Option<Tensor>> {
    if x.dtype() == DType::Bool { Ok(None) } else { truths(x).map(Some) }
}

short! {
    /// The sum over axes: [`reduce_sum()`] by its short name. Bools are counted, in int64.
    ///
    /// NumPy: `sum`. Options: axes (`..` for all), `KeepDims`.
    ///
    /// # Errors
    /// As [`reduce_sum()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
    /// assert_eq!(x.sum(..)?.item::<f32>()?, 10.0);
    /// assert_eq!(x.sum((1, KeepDims))?.shape(), shape![2, 1]);
    /// assert_eq!(x.greater(1.0)?.sum(..)?.item::<i64>()?, 3);
    /// # Ok::<(), Error>(())
    /// ```
    sum(axes: impl Sets<Over>) = reduce_sum of counted;

    /// The product over axes: [`reduce_prod()`] by its short name. The product of bools is int64.
    ///
    /// NumPy: `prod`. Options: axes (`..` for all), `KeepDims`.
    ///
    /// # Errors
    /// As [`reduce_prod()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![2.0f32, 3.0].prod(..)?.item::<f32>()?, 6.0);
    /// # Ok::<(), Error>(())
    /// ```
    prod(axes: impl Sets<Over>) = reduce_prod of counted;

    /// The mean over axes: [`reduce_mean()`] by its short name. The mean of integers is an integer, as
    /// in TensorFlow; cast them to floats for NumPy's result. The mean of bools is float64.
    ///
    /// NumPy: `mean`. Options: axes (`..` for all), `KeepDims`.
    ///
    /// # Errors
    /// As [`reduce_mean()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1.0f32, 2.0], [3.0, 4.0]].mean(0)?.as_slice::<f32>()?, &[2.0, 3.0]);
    /// # Ok::<(), Error>(())
    /// ```
    mean(axes: impl Sets<Over>) = reduce_mean of weighed;

    /// The largest element over axes: [`reduce_max()`] by its short name.
    ///
    /// NumPy: `max`, `amax`. Options: axes (`..` for all), `KeepDims`.
    ///
    /// # Errors
    /// As [`reduce_max()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 5], [3, 4]].max(1)?.as_slice::<i32>()?, &[5, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    max(axes: impl Sets<Over>) = reduce_max of itself;

    /// The largest element over axes: [`max`](max()) by NumPy's other name.
    ///
    /// # Errors
    /// As [`reduce_max()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2], [3, 4]].amax(0)?.as_slice::<i32>()?, &[3, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    amax(axes: impl Sets<Over>) = reduce_max of itself;

    /// The smallest element over axes: [`reduce_min()`] by its short name.
    ///
    /// NumPy: `min`, `amin`. Options: axes (`..` for all), `KeepDims`.
    ///
    /// # Errors
    /// As [`reduce_min()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 5], [3, 4]].min(..)?.item::<i32>()?, 1);
    /// # Ok::<(), Error>(())
    /// ```
    min(axes: impl Sets<Over>) = reduce_min of itself;

    /// The smallest element over axes: [`min`](min()) by NumPy's other name.
    ///
    /// # Errors
    /// As [`reduce_min()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2], [3, 4]].amin(0)?.as_slice::<i32>()?, &[1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    amin(axes: impl Sets<Over>) = reduce_min of itself;

    /// Returns true where all elements over axes are true: [`reduce_all()`] by its short name. Numbers
    /// are true unless they are zero.
    ///
    /// NumPy: `all`. Bools or numbers. Options: axes (`..` for all), `KeepDims`.
    ///
    /// # Errors
    /// As [`reduce_all()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[true, true], [true, false]].all(0)?.as_slice::<bool>()?, &[true, false]);
    /// # Ok::<(), Error>(())
    /// ```
    all(axes: impl Sets<Over>) = reduce_all of asked;

    /// Returns true where any element over axes is true: [`reduce_any()`] by its short name. Numbers
    /// are true unless they are zero.
    ///
    /// NumPy: `any`. Bools or numbers. Options: axes (`..` for all), `KeepDims`.
    ///
    /// # Errors
    /// As [`reduce_any()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert!(tensor![[false, true], [false, false]].any(..)?.item::<bool>()?);
    /// # Ok::<(), Error>(())
    /// ```
    any(axes: impl Sets<Over>) = reduce_any of asked;
}

impl<X: HasMethods + ?Sized> ShortMethods for X {}

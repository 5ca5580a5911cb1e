//! NumPy's names for functions that have another name in [`ops`](crate::ops).
//!
//! The methods come with the prelude, so `x.arctan()?` works as written in NumPy. The functions need
//! `use extype::numpy`, since most programs call the functions of `ops`. Types of your own have them too.
//!
//! ```
//! use extype::numpy;
//! use extype::prelude::*;
//! let (y, x) = (tensor![1.0f64, 0.0], tensor![0.0f64, 1.0]);
//! assert_eq!(numpy::arctan2(&y, &x)?.degrees()?.as_slice::<f64>()?, &[90.0, 0.0]);
//! # Ok::<(), Error>(())
//! ```

use crate::compounds;
use crate::ops::options::{Offset, Over, Sets};
use crate::ops::*;
use crate::tensor::{Lent, Tensor, call_site};
use crate::types::{DType, Result, bail, normalize_axis};

macro_rules! names {
    // These take what the op takes: extension types that have the op have it by both names.
    (ops $($alias:ident($x:ident: $X:ident $(, $y:ident: $Y:ident)?) = $name:ident: $takes:ident, $example:literal;)*) => {
        $(
            #[doc = concat!("[`ops::", stringify!($name), "`](", stringify!($name), "()) by NumPy's name.")]
            ///
            /// # Errors
            /// As that function.
            ///
            /// ```
            /// use extype::prelude::*;
            #[doc = $example]
            /// # Ok::<(), Error>(())
            /// ```
            #[track_caller]
            pub fn $alias<$X: Operand, $($Y: Operand,)? R>($x: $X $(, $y: $Y)?) -> Result<R>
            where
                $name: $takes<$X::Value $(, $Y::Value)?, Output = R>,
            {
                let _site = call_site!();
                $name($x $(, $y)?)
            }
        )*

        /// Methods: ops by NumPy's names.
        pub trait NumpyMethods: HasMethods {
            $(
                #[doc = concat!("See [`numpy::", stringify!($alias), "`](crate::numpy::", stringify!($alias), "()).")]
                ///
                /// # Errors
                /// As the function.
                #[track_caller]
                fn $alias$(<$Y: Operand>)?(&self $(, $y: $Y)?) -> Result<<$name as $takes<Self::Value $(, $Y::Value)?>>::Output>
                where
                    $name: $takes<Self::Value $(, $Y::Value)?>,
                {
                    let _site = call_site!();
                    $name(Lent::Borrowed(&*self.operand()?) $(, $y)?)
                }
            )*
        }
    };
}
names! { ops
    arcsin(x: X) = asin: Takes1, "assert_eq!(tensor![0.0f32].arcsin()?.as_slice::<f32>()?, &[0.0]);";
    arccos(x: X) = acos: Takes1, "assert_eq!(tensor![1.0f32].arccos()?.as_slice::<f32>()?, &[0.0]);";
    arctan(x: X) = atan: Takes1, "assert_eq!(tensor![0.0f32].arctan()?.as_slice::<f32>()?, &[0.0]);";
    arcsinh(x: X) = asinh: Takes1, "assert_eq!(tensor![0.0f32].arcsinh()?.as_slice::<f32>()?, &[0.0]);";
    arccosh(x: X) = acosh: Takes1, "assert_eq!(tensor![1.0f32].arccosh()?.as_slice::<f32>()?, &[0.0]);";
    arctanh(x: X) = atanh: Takes1, "assert_eq!(tensor![0.0f32].arctanh()?.as_slice::<f32>()?, &[0.0]);";
    arctan2(y: X, x: Y) = atan2: Takes2, "assert_eq!(tensor![0.0f32].arctan2(1.0)?.as_slice::<f32>()?, &[0.0]);";
    absolute(x: X) = abs: Takes1, "assert_eq!(tensor![-2].absolute()?.as_slice::<i32>()?, &[2]);";
    fabs(x: X) = abs: Takes1, "assert_eq!(tensor![-2.0f32].fabs()?.as_slice::<f32>()?, &[2.0]);";
    rint(x: X) = round: Takes1, "assert_eq!(tensor![0.5f32, 1.5].rint()?.as_slice::<f32>()?, &[0.0, 2.0]);";
    negative(x: X) = neg: Takes1, "assert_eq!(tensor![2].negative()?.as_slice::<i32>()?, &[-2]);";
    bitwise_not(x: X) = invert: Takes1, "assert_eq!(tensor![0].bitwise_not()?.as_slice::<i32>()?, &[-1]);";
    subtract(x: X, y: Y) = sub: Takes2, "assert_eq!(tensor![2].subtract(3)?.as_slice::<i32>()?, &[-1]);";
    multiply(x: X, y: Y) = mul: Takes2, "assert_eq!(tensor![2].multiply(3)?.as_slice::<i32>()?, &[6]);";
    divide(x: X, y: Y) = true_divide: Takes2, "assert_eq!(tensor![1, 3].divide(2)?.as_slice::<f64>()?, &[0.5, 1.5]);";
    power(x: X, y: Y) = pow: Takes2, "assert_eq!(tensor![2, 3].power(2)?.as_slice::<i32>()?, &[4, 9]);";
    remainder(x: X, y: Y) = floor_mod: Takes2, "assert_eq!(extype::numpy::remainder(-7, 4)?.item::<i32>()?, 1);";
    fmod(x: X, y: Y) = rem: Takes2, "assert_eq!(extype::numpy::fmod(-7.0, 3.0)?.item::<f64>()?, -1.0);";
    nextafter(x: X, y: Y) = next_after: Takes2, "assert_eq!(extype::numpy::nextafter(1.0f32, 2.0f32)?.item::<f32>()?, 1.0 + f32::EPSILON);";
    fix(x: X) = trunc: Takes1, "assert_eq!(tensor![1.5f32, -1.5].fix()?.as_slice::<f32>()?, &[1.0, -1.0]);";
    radians(x: X) = deg2rad: Takes1, "assert_eq!(tensor![0.0f32].radians()?.as_slice::<f32>()?, &[0.0]);";
    degrees(x: X) = rad2deg: Takes1, "assert_eq!(tensor![0.0f32].degrees()?.as_slice::<f32>()?, &[0.0]);";
}

impl<X: HasMethods + ?Sized> NumpyMethods for X {}

compounds! {
    methods of AliasMethods;

    /// Rounds to a number of decimals: [`round_to`](round_to()) by NumPy's name.
    ///
    /// # Errors
    /// As that function.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.25f32].around(1)?.as_slice::<f32>()?, &[1.2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn around(x; decimals: i32) -> Tensor {
        round_to(x, decimals)
    }

    /// Converts to another dtype: [`cast`](cast()) by NumPy's name.
    ///
    /// # Errors
    /// As that function.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.75f32].astype(i32)?.as_slice::<i32>()?, &[1]);
    /// # Ok::<(), Error>(())
    /// ```
    fn astype(x; dtype: DType) -> Tensor {
        cast(x, dtype)
    }

    /// Exchanges two axes: [`swap_axes`](swap_axes()) by NumPy's name.
    ///
    /// # Errors
    /// As that function.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2, 3]].swapaxes(0, 1)?.shape(), [3, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    fn swapaxes(x; a: i64, b: i64) -> Tensor {
        swap_axes(x, a, b)
    }

    /// Moves axes to other places: [`move_axis`](move_axis()) by NumPy's name.
    ///
    /// # Errors
    /// As that function.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::zeros([2, 3, 4], f32)?.moveaxis(0, -1)?.shape(), [3, 4, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn moveaxis(x; from: impl IntegersLike as Integers, to: impl IntegersLike as Integers) -> Tensor {
        move_axis(x, from, to)
    }

    /// All windows of `size` elements along an axis, as a new last axis.
    ///
    /// NumPy: `sliding_window_view`, but the windows are copies. Any dtype; an axis of size `n` becomes `n - size + 1`.
    ///
    /// # Errors
    /// `InvalidArgument` for an axis out of range, and a size of zero or above that of the axis.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![1, 2, 3, 4].sliding_window_view(3, 0)?;
    /// assert_eq!(y.shape(), shape![2, 3]);
    /// assert_eq!(y.as_slice::<i32>()?, &[1, 2, 3, 2, 3, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    fn sliding_window_view(x; size: usize, axis: i64) -> Tensor {
        let axis = normalize_axis(axis, rank_of(x)?)? as i64;
        let known = x.shape().dim(axis)?.size();
        if size == 0 || known.is_some_and(|n| n < size) {
            bail!("windows of {size} elements along an axis of {}", x.shape().dim(axis)?);
        }
        let n = shape_of(x)?.index(axis)?.cast(DType::I64)?;
        let first = crate::ops::range(0i64, sub(&n, size as i64 - 1)?, 1i64)?.expand_dims(-1)?;
        let places = add(first, crate::ops::range(0i64, size as i64, 1i64)?)?;
        x.gather(&places, axis)?.move_axis(axis + 1, -1)
    }

    /// The logarithm of the sum of the exponentials, without overflow. Options: axes (`..` for all), `KeepDims`.
    ///
    /// SciPy: `logsumexp`; TensorFlow: `tf.reduce_logsumexp` ([`reduce_logsumexp`](reduce_logsumexp())). Floats.
    ///
    /// # Errors
    /// `InvalidArgument` for axes out of range.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![[0.0f64, 0.0]].logsumexp(1)?;
    /// assert!((y.as_slice::<f64>()?[0] - 2f64.ln()).abs() < 1e-15);
    /// # Ok::<(), Error>(())
    /// ```
    fn logsumexp(x => options: impl Sets<Over> as Over) -> Tensor {
        reduce_logsumexp(x, options.axes, options.keep_dims)
    }

    /// A diagonal of matrices, the main one for `..`. Diagonal `k` has the elements whose column is their
    /// row plus `k`.
    ///
    /// NumPy: `diagonal`, of the last two axes, as `np.linalg.diagonal`. Any dtype; `[…, m, n]` gives `[…, k]`.
    ///
    /// # Errors
    /// `InvalidArgument` for a rank below 2, and a diagonal that is not there.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1, 2], [3, 4]];
    /// assert_eq!(x.diagonal(..)?.as_slice::<i32>()?, &[1, 4]);
    /// assert_eq!(x.diagonal(1)?.as_slice::<i32>()?, &[2]);
    /// assert_eq!(x.diagonal(-1)?.as_slice::<i32>()?, &[3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn diagonal(x => options: impl Sets<Offset> as Offset) -> Tensor {
        x.matrix_diag_part(0, options.diagonal, Default::default())
    }
}

//! Axes reversed, matrices turned.

use crate::ops::options::{Among, TakesInteger, functions};
use crate::ops::*;
use crate::tensor::Tensor;

/// Options of [`rot90`]: how many quarter turns, one for `..`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turns {
    /// How many, the other way round if negative.
    pub count: i64,
}

impl Default for Turns {
    fn default() -> Self {
        Self { count: 1 }
    }
}

impl TakesInteger for Turns {
    fn set_integer(&mut self, n: i64) {
        self.count = n;
    }
}

functions! {
    /// In reverse order along axes, all of them for `..`.
    ///
    /// NumPy: `flip`; TensorFlow: `ReverseV2`, which [`reverse()`] is by name.
    ///
    /// # Errors
    /// `InvalidArgument` for an axis out of range.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1, 2], [3, 4]];
    /// assert_eq!(x.flip(..)?.as_slice::<i32>()?, &[4, 3, 2, 1]);
    /// assert_eq!(x.flip(1)?.as_slice::<i32>()?, &[2, 1, 4, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn flip(x => o: Among) -> Tensor {
        let axes = match o.given() {
            Some(axes) => axes,
            None => Integers::from((0..rank_of(x)? as i64).collect::<Vec<i64>>()),
        };
        reverse(x, axes)
    }

    /// Columns in reverse order: the second axis.
    ///
    /// NumPy: `fliplr`.
    ///
    /// # Errors
    /// `InvalidArgument` for a rank below 2.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2], [3, 4]].fliplr()?.as_slice::<i32>()?, &[2, 1, 4, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn fliplr(x) -> Tensor {
        reverse(x, 1)
    }

    /// Rows in reverse order: the first axis.
    ///
    /// NumPy: `flipud`.
    ///
    /// # Errors
    /// `InvalidArgument` for a scalar.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2], [3, 4]].flipud()?.as_slice::<i32>()?, &[3, 4, 1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn flipud(x) -> Tensor {
        reverse(x, 0)
    }

    /// The first two axes turned by 90 degrees, from the first to the second: against the clock.
    ///
    /// NumPy: `rot90`. Option: how many turns, one for `..`.
    ///
    /// # Errors
    /// `InvalidArgument` for a rank below 2.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2], [3, 4]].rot90(..)?.as_slice::<i32>()?, &[2, 4, 1, 3]);
    /// assert_eq!(tensor![[1, 2], [3, 4]].rot90(2)?.as_slice::<i32>()?, &[4, 3, 2, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    fn rot90(x => o: Turns) -> Tensor {
        match o.count.rem_euclid(4) {
            0 => reverse(x, [0i64; 0]),
            1 => reverse(x, 1)?.swap_axes(0, 1),
            2 => reverse(x, [0i64, 1]),
            _ => reverse(x.swap_axes(0, 1)?, 1),
        }
    }
}

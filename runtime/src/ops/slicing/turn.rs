//! Axes reversed, rolled and repeated, matrices turned.

use crate::compounds;
use crate::ops::args::{Axes, Integers};
use crate::ops::methods::*;
use crate::ops::options::{Among, Sets, TakesAxes, TakesInteger, chosen, sets};
use crate::ops::protocol::Op;
use crate::ops::{Roll, Tile, rank_of, reverse, shape_of};
use crate::tensor::Tensor;
use crate::types::{Result, bail};

/// The axes of [`Roll`]; an empty list means all elements as one row.
pub(super) fn among(axes: impl Sets<Among>) -> Result<Integers> {
    Ok(chosen::<Among>(axes)?.given().unwrap_or_else(|| Integers::from(())))
}

/// Applies [`Roll`] to tensors as NumPy does.
pub(super) fn rolled(op: &Roll, operands: &[&Tensor]) -> Result<Tensor> {
    let ([x], Integers::Known(axes)) = (operands, &op.axis) else { return op.run(operands) };
    let shifts = match &op.shift {
        Integers::Known(shifts) => Some(shifts.len()),
        Integers::Tensor(shifts) => shifts.shape().num_elements(),
        Integers::Unknown => None,
    };
    match (&axes[..], &op.shift) {
        ([], shift) => {
            let axis = Integers::from(vec![0i64; shifts.unwrap_or(1)]);
            let row = Roll { axis, shift: shift.clone() }.run(&[&x.reshape([-1])?])?;
            row.reshape(&shape_of(*x)?)
        }
        ([_, _, ..], Integers::Known(shift)) if shifts == Some(1) => {
            let shift = Integers::from(vec![shift[0]; axes.len()]);
            Roll { shift, axis: op.axis.clone() }.run(operands)
        }
        _ => op.run(operands),
    }
}

/// Applies [`Tile`] to tensors as NumPy does.
pub(super) fn tiled(op: &Tile, operands: &[&Tensor]) -> Result<Tensor> {
    let ([x], Some(known)) = (operands, op.multiples.known()) else { return op.run(operands) };
    match x.rank() {
        Some(rank) if known.len() < rank => {
            let mut all = vec![1i64; rank - known.len()];
            all.extend(known);
            Tile { multiples: all.into() }.run(operands)
        }
        Some(rank) if known.len() > rank => {
            let mut x = (*x).clone();
            for _ in rank..known.len() {
                x = x.expand_dims(0)?;
            }
            op.run(&[&x])
        }
        _ => op.run(operands),
    }
}

/// Options of [`rot90`]: how many quarter turns, one for `..`; and the two axes, `[0, 1]` for `..`.
#[derive(Clone, Debug, PartialEq)]
pub struct Turns {
    /// The number of quarter turns, in the other direction if negative.
    pub count: i64,
    /// The axes: from the first to the second.
    pub axes: Axes,
}

impl Default for Turns {
    fn default() -> Self {
        Self { count: 1, axes: Axes::from([0i64, 1]) }
    }
}

sets! { Turns => Turns |o, all| *o = all; }

impl TakesAxes for Turns {
    fn set_axes(&mut self, axes: Axes) {
        self.axes = axes;
    }

    fn integers_are_axes(&self) -> bool {
        false
    }
}

impl TakesInteger for Turns {
    fn set_integer(&mut self, n: i64) {
        self.count = n;
    }
}

compounds! {
    /// Methods: tensors reversed and turned by 90 degrees.
    methods of TurnMethods;

    /// Reverses the order along axes, all of them for `..`.
    ///
    /// NumPy: `flip`; TensorFlow: `ReverseV2` ([`reverse()`]).
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
    fn flip(x => options: impl Sets<Among> as Among) -> Tensor {
        let axes = match options.given() {
            Some(axes) => axes,
            None => Integers::from((0..rank_of(x)? as i64).collect::<Vec<i64>>()),
        };
        reverse(x, axes)
    }

    /// Reverses the columns: the second axis.
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

    /// Reverses the rows: the first axis.
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

    /// Turns a tensor by 90 degrees in the plane of two axes, from the first to the second. The default
    /// is the first two axes, which turns a matrix counterclockwise.
    ///
    /// NumPy: `rot90`. Options: how many turns, one for `..`; the axes, a list of two.
    ///
    /// # Errors
    /// `InvalidArgument` for a rank below 2, and axes that are out of range or not two.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2], [3, 4]].rot90(..)?.as_slice::<i32>()?, &[2, 4, 1, 3]);
    /// assert_eq!(tensor![[1, 2], [3, 4]].rot90(2)?.as_slice::<i32>()?, &[4, 3, 2, 1]);
    /// assert_eq!(ops::zeros([5, 2, 3], f32)?.rot90([1, 2])?.shape(), shape![5, 3, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn rot90(x => options: impl Sets<Turns> as Turns) -> Tensor {
        let axes = options.axes.of(x)?;
        let [a, b] = axes[..] else { bail!("two axes are turned, not {}", axes.len()) };
        let (a, b) = (a as i64, b as i64);
        match options.count.rem_euclid(4) {
            0 => reverse(x, [0i64; 0]),
            // Whole rows are reversed, which is faster than reversing their elements.
            1 => reverse(x.swap_axes(a, b)?, a),
            2 => reverse(x, [a, b]),
            _ => reverse(x, a)?.swap_axes(a, b),
        }
    }
}

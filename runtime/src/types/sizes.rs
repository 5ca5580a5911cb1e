//! Sizes of shapes as plain numbers.

use std::fmt::Display;
use std::panic::Location;

use super::{Error, Shape, err, fail};

/// The size of an axis, as in `x.shape()[0]`.
///
/// # Panics
/// For an axis that is out of range, and a size that is unknown while tracing. Instead, [`Shape::dim`] gives an
/// error or [`Dim::UNKNOWN`](super::Dim::UNKNOWN).
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]];
/// assert_eq!(x.shape()[1], 3);
/// let wide: Vec<usize> = (0..x.shape()[0]).collect();
/// assert_eq!(wide, [0, 1]);
/// ```
impl std::ops::Index<usize> for Shape {
    type Output = usize;

    #[track_caller]
    fn index(&self, axis: usize) -> &usize {
        match self.dims() {
            Some(dims) if axis < dims.len() && dims[axis].is_known() => &dims[axis].0,
            Some(dims) if axis >= dims.len() => fail(
                err!("axis {axis} is out of range for shape {self}")
                    .with_location(Location::caller()),
            ),
            _ => fail(self.not_known(
                format!("the size of axis {axis}"),
                format!("shape_of(&x)?.index({axis})"),
            )),
        }
    }
}

impl Shape {
    /// The error for a number that the current trace does not know.
    #[cold]
    #[track_caller]
    pub(crate) fn not_known(&self, what: impl Display, tensor: impl Display) -> Error {
        let e = err!(
            "{what} of shape {self} is unknown while tracing: the trace serves calls of several sizes; \
             `ops::{tensor}?` has it as a tensor. If it is to be a plain number trace for each size, without \
             `reduce_retracing` and with the size in the signature"
        );
        e.with_location(Location::caller())
    }
}

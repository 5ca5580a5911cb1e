//! Indices of the largest and smallest elements as in NumPy: along an axis, or among all elements as one
//! row.

use crate::compounds;
use crate::ops::args::KeepDims;
use crate::ops::methods::*;
use crate::ops::options::{Along, Sets, TakesInteger, sets};
use crate::ops::scan::running::row_or_axis;
use crate::ops::shape_of;
use crate::tensor::Tensor;
use crate::types::Result;

/// Options of the index of an extremum: an axis (`..` for all elements as one row), `KeepDims`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extremum {
    /// The axis, if one is given.
    pub axis: Option<i64>,
    /// True to keep the axis, or all axes, with size 1.
    pub keep_dims: bool,
}

impl TakesInteger for Extremum {
    fn set_integer(&mut self, axis: i64) {
        self.axis = Some(axis);
    }
}

sets! {
    KeepDims => Extremum |o, _| o.keep_dims = true;
    Along => Extremum |o, along| o.axis = along.axis;
    Extremum => Extremum |o, all| *o = all;
}

/// The index that a search along an axis finds.
fn place(
    x: &Tensor,
    options: Extremum,
    search: fn(&Tensor, i64) -> Result<Tensor>,
) -> Result<Tensor> {
    let (row, axis) = row_or_axis(x, options.axis)?;
    let place = search(&row, axis)?;
    match options.axis {
        _ if !options.keep_dims => Ok(place),
        Some(axis) => place.expand_dims(axis),
        None => place.reshape(&shape_of(x)?.ones_like()?),
    }
}

compounds! {
    /// Methods: indices of the largest and smallest elements.
    methods of ExtremesMethods;

    /// The index of the largest element, int64: along an axis, or among all elements as one row
    /// (`..`). Of equal elements it is the first. NaN is passed over, as in TensorFlow; NumPy takes
    /// it.
    ///
    /// NumPy: `argmax`; TensorFlow: `ArgMax`. Options: an axis, `KeepDims`.
    ///
    /// # Errors
    /// `InvalidArgument` for an axis out of range or empty, and for dtypes without order.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1.0f32, 3.0], [5.0, 2.0]];
    /// assert_eq!(x.argmax(..)?.item::<i64>()?, 2);
    /// assert_eq!(x.argmax(1)?.as_slice::<i64>()?, &[1, 0]);
    /// assert_eq!(x.argmax((1, KeepDims))?.shape(), shape![2, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    fn argmax(x => options: impl Sets<Extremum> as Extremum) -> Tensor {
        place(x, options, |x, axis| super::argmax(x, axis))
    }

    /// The index of the smallest element, int64: along an axis, or among all elements as one row
    /// (`..`). Of equal elements it is the first. NaN is passed over, as in TensorFlow; NumPy takes
    /// it.
    ///
    /// NumPy: `argmin`; TensorFlow: `ArgMin`. Options as of [`argmax()`].
    ///
    /// # Errors
    /// As [`argmax()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1.0f32, 3.0], [5.0, 2.0]].argmin(..)?.item::<i64>()?, 0);
    /// # Ok::<(), Error>(())
    /// ```
    fn argmin(x => options: impl Sets<Extremum> as Extremum) -> Tensor {
        place(x, options, |x, axis| super::argmin(x, axis))
    }
}

//! Parameters of distributions: tensors, and plain numbers, which take the dtype of the draw.

use std::ops::{Range, RangeFull};

use crate::array::HostScalar;
use crate::tensor::Tensor;
use crate::types::{DType, Result, bail};

/// A mean, a deviation, a bound: a plain number, or a tensor of the dtype that is drawn.
///
/// ```
/// use extype::prelude::*;
/// // A mean of each column.
/// let x = random::stateless_normal([1000, 2], [1, 2], &tensor![0.0f32, 100.0], 1.0, f32)?;
/// let means = x.mean(0)?;
/// assert!(means.index(0)?.item::<f32>()? < 1.0 && means.index(1)?.item::<f32>()? > 99.0);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no parameter of a distribution",
    note = "use a number, or a tensor of the dtype that is drawn"
)]
pub trait Parameter {
    /// The parameter as a tensor of this dtype.
    ///
    /// # Errors
    /// `InvalidArgument` for a tensor of another dtype and a number that the dtype can't hold.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::random::Parameter;
    /// assert_eq!(Parameter::of_dtype(&2, f32)?.item::<f32>()?, 2.0);
    /// assert!(Parameter::of_dtype(&tensor![2.0f32], f64).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    fn of_dtype(&self, dtype: DType) -> Result<Tensor>;
}

impl Parameter for Tensor {
    fn of_dtype(&self, dtype: DType) -> Result<Tensor> {
        if self.dtype() != dtype {
            bail!("a parameter of {} for numbers of {dtype}; cast it", self.tensor_type());
        }
        Ok(self.clone())
    }
}

impl Parameter for &Tensor {
    fn of_dtype(&self, dtype: DType) -> Result<Tensor> {
        (**self).of_dtype(dtype)
    }
}

impl<S: HostScalar> Parameter for S {
    fn of_dtype(&self, dtype: DType) -> Result<Tensor> {
        self.to_scalar().to_array(dtype).map(Tensor::Value)
    }
}

/// The range of uniform numbers: `low..high` of numbers or tensors, or `..` for the natural range: `[0, 1)`
/// for floats, and every value of the dtype for integers.
///
/// Bounds of floats may be tensors that broadcast against the result; those of integers are
/// scalars.
///
/// ```
/// use extype::prelude::*;
/// let dice = random::stateless_uniform([100], [1, 2], 1..7, i32)?;
/// assert!(dice.as_slice::<i32>()?.iter().all(|n| (1..7).contains(n)));
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no range of numbers to draw from",
    label = "write a range, `0.0..1.0`, or `..` for the natural one"
)]
pub trait Bounds {
    /// The bounds as tensors of this dtype; `None` for the natural range.
    ///
    /// # Errors
    /// As [`Parameter::of_dtype`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::random::Bounds;
    /// let (low, high) = Bounds::of_dtype(&(-1.0..1.0), f32)?.unwrap();
    /// assert_eq!((low.item::<f32>()?, high.item::<f32>()?), (-1.0, 1.0));
    /// assert!(Bounds::of_dtype(&.., f32)?.is_none());
    /// # Ok::<(), Error>(())
    /// ```
    fn of_dtype(&self, dtype: DType) -> Result<Option<(Tensor, Tensor)>>;
}

impl Bounds for RangeFull {
    fn of_dtype(&self, _: DType) -> Result<Option<(Tensor, Tensor)>> {
        Ok(None)
    }
}

impl<P: Parameter> Bounds for Range<P> {
    fn of_dtype(&self, dtype: DType) -> Result<Option<(Tensor, Tensor)>> {
        Ok(Some((self.start.of_dtype(dtype)?, self.end.of_dtype(dtype)?)))
    }
}

//! What is read off a masked tensor, and how its mask changes.

use extype::array::Element;
use extype::ops::{Apply3, Select};
use extype::prelude::*;

use crate::MaskedTensor;
use crate::tensor::{constant, same_shape};

/// Reading. The parts themselves are the fields `values` and `mask`.
impl MaskedTensor {
    /// True where an entry is missing: the mask as NumPy has it (`numpy.ma.getmaskarray`).
    ///
    /// # Errors
    /// None of its own.
    #[track_caller]
    pub fn missing(&self) -> Result<Tensor> {
        self.mask.logical_not()
    }

    /// True if some entry is missing: a bool scalar (`numpy.ma.is_masked`).
    ///
    /// # Errors
    /// None of its own.
    ///
    /// ```
    /// use extype_masked::MaskedTensor;
    /// let m = MaskedTensor::from_options(&[Some(1.0), None])?;
    /// assert!(m.is_masked()?.item::<bool>()?);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn is_masked(&self) -> Result<Tensor> {
        self.mask.reduce_all(.., false)?.logical_not()
    }

    /// The number of valid entries along axes (`..` for all): an int64 tensor without them.
    ///
    /// # Errors
    /// `InvalidArgument` for an axis out of range or given twice.
    ///
    /// ```
    /// use extype_masked::MaskedTensor;
    /// let m = MaskedTensor::from_options(&[Some(1.0), None, Some(3.0)])?;
    /// assert_eq!(m.count(..)?.item::<i64>()?, 2);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn count(&self, axes: impl Into<Axes>) -> Result<Tensor> {
        self.counts(&axes.into(), false)
    }

    /// The values, with `value` (a number, or a tensor that broadcasts) at missing entries
    /// (`filled` of NumPy).
    ///
    /// # Errors
    /// `InvalidArgument` if the dtype differs, or the shape does not broadcast.
    ///
    /// ```
    /// use extype_masked::MaskedTensor;
    /// let m = MaskedTensor::from_options(&[Some(1.0), None])?;
    /// assert_eq!(m.fill(-1.0)?.as_slice::<f64>()?, &[1.0, -1.0]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn fill<V: Operand>(&self, value: V) -> Result<Tensor>
    where
        Tensor: Apply3<Tensor, V::Value, Select, Output = Tensor>,
    {
        ops::select(&self.mask, &self.values, value)
    }

    /// The valid entries in row-major order, a vector (`compressed` of NumPy).
    ///
    /// # Errors
    /// None of its own.
    ///
    /// ```
    /// use extype_masked::MaskedTensor;
    /// let m = MaskedTensor::from_options(&[[Some(1), None], [Some(3), Some(4)]])?;
    /// assert_eq!(m.compressed()?.as_slice::<i32>()?, &[1, 3, 4]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn compressed(&self) -> Result<Tensor> {
        ops::boolean_mask(&self.values.reshape([-1])?, &self.mask.reshape([-1])?, 0)
    }

    /// The entries with `None` for missing ones, in row-major order.
    ///
    /// # Errors
    /// `InvalidArgument` if `T` is not the element type; `FailedPrecondition` in a trace.
    ///
    /// ```
    /// use extype_masked::MaskedTensor;
    /// let m = MaskedTensor::from_nan([1.0f64, f64::NAN])?;
    /// assert_eq!(m.to_options::<f64>()?, [Some(1.0), None]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn to_options<T: Element>(&self) -> Result<Vec<Option<T>>> {
        let (values, mask) = (self.values.as_slice::<T>()?, self.mask.as_slice::<bool>()?);
        Ok(values.iter().zip(mask).map(|(x, valid)| valid.then_some(*x)).collect())
    }
}

/// Other masks.
impl MaskedTensor {
    /// This tensor with the entries missing where `condition`, a bool tensor, is false. Both
    /// broadcast.
    ///
    /// # Errors
    /// `InvalidArgument` if the condition is no bool, or the shapes don't broadcast.
    ///
    /// ```
    /// use extype::tensor;
    /// use extype_masked::MaskedTensor;
    /// let m = MaskedTensor::from_options(&[Some(1.0), None, Some(3.0)])?;
    /// assert_eq!(m.only(&tensor![false, true, true])?.to_string(), "[-- -- 3.]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn only(&self, condition: &Tensor) -> Result<Self> {
        let mask = ops::logical_and(&self.mask, condition)?;
        Ok(Self { values: same_shape(&self.values, &mask)?, mask })
    }

    /// This tensor with infinities and NaN missing (`numpy.ma.masked_invalid`). After an op it
    /// gives what `numpy.ma` does outside the op's domain: `m.log()?.only_finite()?` is missing
    /// where `m` is not positive.
    ///
    /// # Errors
    /// `InvalidArgument` if the values are not floats.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_masked::MaskedTensor;
    /// let m = MaskedTensor::from_options(&[Some(1.0), Some(0.0), None])?;
    /// assert_eq!((1.0 / &m).only_finite()?.to_string(), "[1. -- --]");
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn only_finite(&self) -> Result<Self> {
        self.only(&self.values.is_finite()?)?.cleared()
    }

    /// This tensor with zeros missing: a divisor of which no integer division fails.
    ///
    /// # Errors
    /// `InvalidArgument` if the values are not numbers.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_masked::MaskedTensor;
    /// let (m, n) = (MaskedTensor::all_valid([7, 8])?, MaskedTensor::all_valid([2, 0])?);
    /// assert_eq!(ops::floor_div(&m, n.only_nonzero()?)?.to_string(), "[ 3 --]");
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn only_nonzero(&self) -> Result<Self> {
        self.only(&self.values.not_equal(0)?)
    }

    /// The same entries, with zeros (false, the empty string) at missing ones.
    ///
    /// # Errors
    /// None of its own.
    #[track_caller]
    pub fn cleared(&self) -> Result<Self> {
        let zero = constant(self.values.dtype(), 0)?;
        Ok(Self { values: ops::select(&self.mask, &self.values, &zero)?, mask: self.mask.clone() })
    }
}

//! The type, and the ways to make one.

use extype::array::{Element, Scalar};
use extype::control::Join;
use extype::ensure_dtype;
use extype::prelude::*;

use crate::entries::Entries;

/// A tensor in which entries may be missing.
///
/// `mask` is a bool tensor of the shape of `values`: **true where the entry is valid**. (NumPy's
/// masked arrays mean the opposite: their mask is true where an entry is masked. That one is
/// [`missing`](Self::missing) here, and [`masked_where`](Self::masked_where) takes it.) What
/// `values` holds at missing entries has no meaning.
///
/// Elementwise ops keep a missing entry missing; of two operands an entry is valid where both
/// are. Reductions skip missing entries, and are missing themselves (with the value 0) where no
/// entry is valid. See the [crate's page](crate) for all ops.
///
/// [`new`](Self::new) takes the values as they are. The other constructors put zeros (false, the
/// empty string) at missing entries; [`cleared`](Self::cleared) does so for any masked tensor.
/// A NaN at a missing entry never reaches a valid one, but can reach a gradient: clear such data.
///
/// ```
/// use extype::prelude::*;
/// use extype_masked::MaskedTensor;
///
/// let m = MaskedTensor::new([[1.0f32, 2.0], [3.0, 4.0]], [[true, false], [true, true]])?;
/// let rows = ops::reduce_sum(&m, 1, false)?;
/// assert_eq!(rows.values.as_slice::<f32>()?, &[1.0, 7.0]);
/// assert_eq!(m.type_spec().to_string(),
///     "MaskedTensorSpec(values=TensorSpec([2, 2], float32), mask=TensorSpec([2, 2], bool))");
/// # Ok::<(), Error>(())
/// ```
#[derive(ExtensionType, Clone)]
#[extension_type(name = "masked.MaskedTensor", validate)]
pub struct MaskedTensor {
    /// The values: any shape, any dtype.
    pub values: Tensor,
    /// True where an entry is valid: bool, of the shape of `values`.
    pub mask: Tensor,
}

impl Validate for MaskedTensor {
    fn validate(&self) -> Result<()> {
        ensure_dtype!(self.mask, bool)?;
        let shape = self.values.shape();
        shape.assert_compatible(&self.mask.shape()).map_err(|e| e.prefixed("values and mask"))
    }
}

/// A conditional with a masked and a dense arm is masked: what is dense is all valid.
impl Join<Tensor> for MaskedTensor {
    type Joined = Self;

    fn join_self(self) -> Result<Self> {
        Ok(self)
    }

    fn join_other(values: Tensor) -> Result<Self> {
        Self::all_valid(values)
    }
}
extype::join_both_ways!(MaskedTensor, Tensor);

/// Constructors.
impl MaskedTensor {
    /// Values that are all valid.
    ///
    /// # Errors
    /// `InvalidArgument` if the data has no tensor's form.
    ///
    /// ```
    /// use extype_masked::MaskedTensor;
    /// assert_eq!(MaskedTensor::all_valid([1, 2])?.to_string(), "[1 2]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn all_valid(values: impl TensorLike) -> Result<Self> {
        let values = values.to_tensor()?;
        Ok(Self { mask: ops::fill(sizes(&values)?, &scalar(true))?, values })
    }

    /// A tensor without a valid entry (`numpy.ma.masked_all`).
    ///
    /// # Errors
    /// `InvalidArgument` for a negative size.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_masked::MaskedTensor;
    /// assert_eq!(MaskedTensor::all_missing(f32, [2])?.to_string(), "[-- --]");
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn all_missing(dtype: DType, shape: impl Into<ops::Integers>) -> Result<Self> {
        let shape = shape.into();
        let values = ops::fill(&shape, &constant(dtype, 0)?)?;
        Ok(Self { values, mask: ops::fill(&shape, &scalar(false))? })
    }

    /// A tensor in which NaN stands for a missing entry; of a float dtype and any shape.
    ///
    /// # Errors
    /// `InvalidArgument` if the values are no tensor, or not floats.
    ///
    /// ```
    /// use extype_masked::MaskedTensor;
    /// let m = MaskedTensor::from_nan([1.5f32, f32::NAN])?;
    /// assert_eq!(m.mask.as_slice::<bool>()?, &[true, false]);
    /// assert_eq!(m.values.as_slice::<f32>()?, &[1.5, 0.0]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_nan(values: impl TensorLike) -> Result<Self> {
        let values = values.to_tensor()?;
        let mask = ops::logical_not(values.is_nan()?)?;
        Self { values, mask }.cleared()
    }

    /// Numbers with `None` for missing entries: arrays, vectors and slices of options, nested for
    /// more axes.
    ///
    /// # Errors
    /// `InvalidArgument` if lists of one level have different lengths.
    ///
    /// ```
    /// use extype_masked::MaskedTensor;
    /// assert_eq!(MaskedTensor::from_options(&[Some(1.0), None])?.to_string(), "[1. --]");
    /// let table = vec![vec![Some(1), Some(2)], vec![None, Some(4)]];
    /// assert_eq!(MaskedTensor::from_options(&table)?.to_string(), "[[ 1  2]\n [--  4]]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_options<T: Element>(entries: &(impl Entries<T> + ?Sized)) -> Result<Self> {
        let (mut sizes, mut values, mut mask) = (Vec::new(), Vec::new(), Vec::new());
        entries.sizes(&mut sizes);
        entries.read(&sizes, &mut values, &mut mask)?;
        Ok(Self {
            values: Tensor::from_slice(&values, &sizes)?,
            mask: Tensor::from_slice(&mask, &sizes)?,
        })
    }

    /// A tensor in which one value, such as -999, stands for a missing entry
    /// (`numpy.ma.masked_equal`).
    ///
    /// # Errors
    /// `InvalidArgument` if the sentinel does not fit the dtype, or is NaN, which equals nothing.
    ///
    /// ```
    /// use extype_masked::MaskedTensor;
    /// let m = MaskedTensor::from_sentinel([3, -999, 5], -999)?;
    /// assert_eq!(m.to_string(), "[ 3 --  5]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_sentinel(
        values: impl TensorLike,
        sentinel: impl extype::array::HostScalar,
    ) -> Result<Self> {
        let sentinel = sentinel.to_scalar();
        if matches!(sentinel, Scalar::Float(x) if x.is_nan()) {
            return Err(Error::invalid("NaN equals nothing; use `MaskedTensor::from_nan`"));
        }
        let values = values.to_tensor()?;
        let mask = values.not_equal(sentinel)?;
        Self { values, mask }.cleared()
    }

    /// Values that are missing where a condition is true, as with NumPy's masks
    /// (`numpy.ma.masked_where`); the condition broadcasts to the values.
    ///
    /// # Errors
    /// `InvalidArgument` if the condition is no bool, or does not broadcast to the values.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_masked::MaskedTensor;
    /// let x = tensor![1.0f32, -2.0, 3.0];
    /// let m = MaskedTensor::masked_where(&x.less(0.0)?, &x)?;
    /// assert_eq!(m.to_string(), "[1. -- 3.]");
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn masked_where(condition: &Tensor, values: &Tensor) -> Result<Self> {
        ensure_dtype!(condition, bool)?;
        let mask = same_shape(&condition.logical_not()?, values)?;
        Self::new(values.clone(), mask)?.cleared()
    }
}

/// The sizes of a tensor, as a tensor where a trace does not know them.
pub(crate) fn sizes(x: &Tensor) -> Result<ops::Integers> {
    match ops::Integers::of_shape(&x.shape()) {
        Some(sizes) => Ok(sizes),
        None => ops::shape_of(x).map(ops::Integers::from),
    }
}

/// `x` repeated to the shape of `like`, which it broadcasts to.
pub(crate) fn same_shape(x: &Tensor, like: &Tensor) -> Result<Tensor> {
    let (shape, want) = (x.shape(), like.shape());
    match want.is_fully_defined() && shape == want {
        true => Ok(x.clone()),
        false => x.broadcast_to(sizes(like)?),
    }
}

/// A small integer as a scalar of any dtype: zero is also false and the empty string.
pub(crate) fn constant(dtype: DType, number: i64) -> Result<Tensor> {
    match dtype {
        DType::Bool => Ok(Tensor::scalar(number != 0)),
        DType::String => Tensor::from_strings(&[""], &[]),
        dtype => Scalar::Int(number).to_array(dtype).map(Tensor::Value),
    }
}

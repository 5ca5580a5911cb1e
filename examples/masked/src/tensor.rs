//! One mask entry for each value.

use std::fmt;

use extype::array::Formatted;
use extype::ops::{
    Apply3, Concat, ExpandDims, ReduceMax, ReduceMean, ReduceMin, ReduceSum, Select, Slice,
};
use extype::prelude::*;

/// A tensor in which entries may be missing.
///
/// `mask` is a bool tensor of the shape of `values`: true where the entry is valid. What `values`
/// holds at missing entries has no meaning; the constructors of this crate put zeros there.
///
/// Elementwise ops keep a missing entry missing; of two operands an entry is valid where both
/// are. Sums, means, minima and maxima skip missing entries, and are missing themselves (with the
/// value 0) where no entry is valid.
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
#[derive(ExtensionType, Clone, Debug)]
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
        self.values.shape().assert_compatible(&self.mask.shape())
    }
}

impl MaskedTensor {
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
    #[expect(clippy::needless_pass_by_value, reason = "data is given as `new` takes it")]
    #[track_caller]
    pub fn from_nan(values: impl TensorLike) -> Result<Self> {
        let values = values.to_tensor()?;
        let mask = ops::logical_not(values.is_nan()?)?;
        Ok(Self { values: ops::select(&mask, &values, 0.0)?, mask })
    }

    /// A float64 vector with `None` for missing entries.
    ///
    /// # Errors
    /// None at present; the constructor of an extension type may fail.
    ///
    /// ```
    /// use extype_masked::MaskedTensor;
    /// let m = MaskedTensor::from_options(&[Some(1.0), None])?;
    /// assert_eq!(m.to_string(), "[1. --]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_options(entries: &[Option<f64>]) -> Result<Self> {
        let values: Vec<f64> = entries.iter().map(|e| e.unwrap_or(0.0)).collect();
        let mask: Vec<bool> = entries.iter().map(Option::is_some).collect();
        Self::new(values, mask)
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
        self.mask.cast(i64)?.reduce_sum(axes, false)
    }

    /// The values, with `value` (a number, or a tensor that broadcasts) at missing entries.
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

    /// A reduction of the values with `neutral` at missing entries; 0 where no entry is valid.
    fn reduced(&self, op: &impl ReductionOp, neutral: &Tensor) -> Result<Self> {
        let values = op.call(&self.fill(neutral)?)?;
        let mask = self.mask.reduce_any(op.axes(), op.keep_dims())?;
        Ok(Self { values: ops::select(&mask, &values, 0)?, mask })
    }
}

#[dispatch]
impl MaskedTensor {
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
        Ok(Self { values: op.call(&x.values)?, mask: x.mask.clone() })
    }

    #[overrides(binary_elementwise, with = Tensor)]
    fn binary(
        op: impl BinaryOp,
        x: Arg<'_, Self, Tensor>,
        y: Arg<'_, Self, Tensor>,
    ) -> Result<Self> {
        match (x, y) {
            (Arg::This(x), Arg::This(y)) => Ok(Self {
                values: op.call(&x.values, &y.values)?,
                mask: ops::logical_and(&x.mask, &y.mask)?,
            }),
            (Arg::This(x), Arg::Other(y)) => {
                let values = op.call(&x.values, y)?;
                Ok(Self { mask: same_shape(&x.mask, &values)?, values })
            }
            (Arg::Other(x), Arg::This(y)) => {
                let values = op.call(x, &y.values)?;
                Ok(Self { mask: same_shape(&y.mask, &values)?, values })
            }
            (Arg::Other(_), Arg::Other(_)) => unreachable!("one operand is masked"),
        }
    }

    #[overrides(ReduceSum)]
    fn reduce_sum(x: &Self, axes: &Axes, keep_dims: bool) -> Result<Self> {
        let values = x.fill(0)?.reduce_sum(axes, keep_dims)?;
        Ok(Self { values, mask: x.mask.reduce_any(axes, keep_dims)? })
    }

    #[overrides(ReduceMean)]
    fn reduce_mean(x: &Self, axes: &Axes, keep_dims: bool) -> Result<Self> {
        let total = x.fill(0)?.reduce_sum(axes, keep_dims)?;
        let count = x.mask.cast(total.dtype())?.reduce_sum(axes, keep_dims)?;
        let count = count.maximum(1)?;
        let values = match total.dtype().is_integer() {
            true => total.truncate_div(&count)?,
            false => ops::div(&total, &count)?,
        };
        Ok(Self { values, mask: x.mask.reduce_any(axes, keep_dims)? })
    }

    #[overrides(ReduceMin)]
    fn reduce_min(x: &Self, axes: &Axes, keep_dims: bool) -> Result<Self> {
        x.reduced(&ReduceMin::new(axes, keep_dims), &largest(x.values.dtype())?)
    }

    #[overrides(ReduceMax)]
    fn reduce_max(x: &Self, axes: &Axes, keep_dims: bool) -> Result<Self> {
        x.reduced(&ReduceMax::new(axes, keep_dims), &smallest(x.values.dtype())?)
    }

    #[overrides(ExpandDims)]
    fn expand_dims(x: &Self, axis: &Axis) -> Result<Self> {
        Ok(Self { values: x.values.expand_dims(*axis)?, mask: x.mask.expand_dims(*axis)? })
    }

    #[overrides(Slice)]
    fn slice(x: &Self, begin: &Integers, size: &Integers) -> Result<Self> {
        Ok(Self { values: x.values.slice(begin, size)?, mask: x.mask.slice(begin, size)? })
    }

    #[overrides(Concat)]
    fn concat(xs: &[&Self], axis: &Axis) -> Result<Self> {
        let values: Vec<&Tensor> = xs.iter().map(|x| &x.values).collect();
        let masks: Vec<&Tensor> = xs.iter().map(|x| &x.mask).collect();
        Ok(Self { values: ops::concat(&values, *axis)?, mask: ops::concat(&masks, *axis)? })
    }
}

/// `x` repeated to the shape of `like`, which it broadcasts to.
fn same_shape(x: &Tensor, like: &Tensor) -> Result<Tensor> {
    let (shape, want) = (x.shape(), like.shape());
    if want.is_fully_defined() && shape == want {
        return Ok(x.clone());
    }
    match Integers::try_from(&want) {
        Ok(sizes) => x.broadcast_to(sizes),
        Err(_) => x.broadcast_to(&ops::shape_of(like)?),
    }
}

/// A scalar that no element of the dtype is above.
fn largest(dtype: DType) -> Result<Tensor> {
    limit(dtype, f64::INFINITY, |int| int.1)
}

/// A scalar that no element of the dtype is below.
fn smallest(dtype: DType) -> Result<Tensor> {
    limit(dtype, f64::NEG_INFINITY, |int| int.0)
}

/// `float` as a float dtype, or one of the bounds of an integer dtype.
fn limit(dtype: DType, float: f64, pick: fn((i128, i128)) -> i128) -> Result<Tensor> {
    macro_rules! integers {
        ($($d:ident $t:ty),*) => {
            match dtype {
                d if d.is_float() => Tensor::scalar(float).cast(d),
                $(DType::$d => {
                    // The bound of a type lies within it.
                    let bound = pick((<$t>::MIN.into(), <$t>::MAX.into()));
                    Ok(Tensor::scalar(<$t>::try_from(bound).unwrap_or_default()))
                })*
                d => Err(Error::invalid(format!("{d} has no order"))),
            }
        };
    }
    integers!(I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64)
}

impl fmt::Display for MaskedTensor {
    /// As the values print, with `--` for missing entries.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Ok(values), Ok(mask)) = (self.values.value(), self.mask.as_slice::<bool>()) else {
            return write!(f, "MaskedTensor(values={}, mask={})", self.values, self.mask);
        };
        let mut text = Formatted::new(values, f.precision());
        text.replace(|i| match mask.get(i) {
            Some(true) => None,
            _ => Some("--".to_owned()),
        });
        text.fmt(f)
    }
}

//! Reductions: over the valid entries only.

use extype::ops::options::Spread;
use extype::prelude::*;

use crate::MaskedTensor;
use crate::tensor::constant;

#[dispatch(stand_in = values)]
impl MaskedTensor {
    /// A reduction of the values with a number at missing entries that does not change it.
    #[overrides(reduction)]
    fn reduction(op: impl ReductionOp, x: &Self) -> Result<Self> {
        let (name, dtype) = (op.def().name, x.values.dtype());
        let neutral = match name {
            "Sum" | "Any" | "EuclideanNorm" | "ReduceJoin" => constant(dtype, 0),
            "Prod" | "All" => constant(dtype, 1),
            "Max" => smallest(dtype),
            "Min" => largest(dtype),
            _ => {
                let text = format!("{name} of masked tensors: use `fill` and reduce the result");
                return Err(Error::new(ErrorKind::Unimplemented, text));
            }
        }?;
        let values = op.call(&x.fill(&neutral)?)?;
        let reduced = Self { values, mask: x.mask.reduce_any(op.axes(), op.keep_dims())? };
        match name {
            // Of nothing they are zero already.
            "Sum" | "Any" | "EuclideanNorm" | "ReduceJoin" => Ok(reduced),
            _ => reduced.cleared(),
        }
    }

    #[overrides(ReduceMean, in reduction)]
    fn reduce_mean(x: &Self, axes: &Axes, keep_dims: bool) -> Result<Self> {
        let dtype = x.values.dtype();
        let wide = widened(dtype);
        let total = x.cleared()?.values.cast(wide)?.reduce_sum(axes, keep_dims)?;
        let count = x.counts(axes, keep_dims)?.maximum(1)?.cast(wide)?;
        let values = match wide.is_integer() {
            true => total.truncate_div(&count)?,
            false => ops::div(&total, &count)?,
        };
        Ok(Self { values: values.cast(dtype)?, mask: x.mask.reduce_any(axes, keep_dims)? })
    }

    /// As `numpy.ma.var`: missing where there are not more valid entries than `ddof`.
    #[overrides(var, in body)]
    fn var(x: &Self, options: &Spread) -> Result<Option<Self>> {
        let floats = match x.values.dtype() {
            // The body is right for these, but for the entries that it calls valid.
            d if d.is_complex() => return Ok(None),
            d if d.is_float() => x.clone(),
            _ => ops::cast(x, f64)?,
        };
        floats.spread(&options.over.axes, options.ddof, options.over.keep_dims).map(Some)
    }
}

impl MaskedTensor {
    /// The variance of the valid entries along axes: the sum of squared distances to the mean,
    /// divided by the number of valid entries less `ddof` (0 for the population's, 1 for a
    /// sample's); missing where that is not positive, as in `numpy.ma.var`.
    ///
    /// # Errors
    /// `InvalidArgument` if the values are not floats (cast integers first), and for an axis out
    /// of range.
    ///
    /// ```
    /// use extype_masked::MaskedTensor;
    /// let m = MaskedTensor::from_options(&[Some(1.0), None, Some(5.0)])?;
    /// assert_eq!(m.variance(.., 0, false)?.to_string(), "4.0");
    /// assert_eq!(m.variance(.., 1, false)?.to_string(), "8.0");
    /// assert_eq!(m.variance(.., 2, false)?.to_string(), "--");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn variance(
        &self,
        axes: impl Into<Axes>,
        ddof: i64,
        keep_dims: impl extype::ops::KeepDimsArg,
    ) -> Result<Self> {
        self.spread(&axes.into(), ddof as f64, keep_dims.keep_dims())
    }

    fn spread(&self, axes: &Axes, ddof: f64, keep_dims: bool) -> Result<Self> {
        let dtype = self.values.dtype();
        if !dtype.is_float() {
            return Err(Error::invalid(format!(
                "the variance is of floats, not {dtype}; cast first, as in `m.cast(f64)?`"
            )));
        }
        let wide = ops::cast(self, widened(dtype))?;
        let distances = ops::sub(&wide, ops::reduce_mean(&wide, axes, true)?)?;
        let total = ops::reduce_sum(ops::square(&distances)?, axes, keep_dims)?.values;
        let divisor = ops::sub(self.counts(axes, keep_dims)?.cast(f64)?, ddof)?;
        let mask = divisor.greater(0.0)?;
        let divisor = ops::select(&mask, divisor, 1.0)?.cast(total.dtype())?;
        let variance = ops::div(&total, divisor)?;
        Self { values: variance.cast(dtype)?, mask }.cleared()
    }

    /// The standard deviation of the valid entries along axes: the square root of the
    /// [`variance`](Self::variance).
    ///
    /// # Errors
    /// As `variance`.
    #[track_caller]
    pub fn standard_deviation(
        &self,
        axes: impl Into<Axes>,
        ddof: i64,
        keep_dims: impl extype::ops::KeepDimsArg,
    ) -> Result<Self> {
        ops::sqrt(self.variance(axes, ddof, keep_dims)?)
    }

    /// The number of valid entries, int64.
    pub(crate) fn counts(&self, axes: &Axes, keep_dims: bool) -> Result<Tensor> {
        // Half the memory, where no sum can be too large for it.
        let few = self.mask.shape().num_elements().is_some_and(|n| i32::try_from(n).is_ok());
        let ones = self.mask.cast(if few { DType::I32 } else { DType::I64 })?;
        ones.reduce_sum(axes, keep_dims)?.cast(i64)
    }
}

/// The dtype that sums of many small numbers are taken in.
fn widened(dtype: DType) -> DType {
    match dtype {
        DType::F16 | DType::BF16 => DType::F32,
        DType::I8 | DType::I16 | DType::I32 | DType::U8 | DType::U16 | DType::U32 => DType::I64,
        dtype => dtype,
    }
}

/// A scalar that no element of the dtype is above.
pub(crate) fn largest(dtype: DType) -> Result<Tensor> {
    limit(dtype, f64::INFINITY, |(_, high)| high)
}

/// A scalar that no element of the dtype is below.
pub(crate) fn smallest(dtype: DType) -> Result<Tensor> {
    limit(dtype, f64::NEG_INFINITY, |(low, _)| low)
}

/// `float` as a float dtype, or one of the bounds of an integer dtype; a zero where there is no
/// order, which the op refuses.
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
                d => constant(d, 0),
            }
        };
    }
    integers!(I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64)
}

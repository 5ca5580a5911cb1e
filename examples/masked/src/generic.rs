//! One mask entry for each row of any value.

use extype::ensure_dtype;
use extype::ops::{
    Apply2, ApplySeq, BinaryElementwise, Concat, Gather, RightElementwise, UnaryElementwise,
};
use extype::prelude::*;

/// A value of any type, rows of which may be missing.
///
/// `mask` is a bool vector with one entry for each row (the outermost axis) of `values`: a
/// tensor, or an extension type of this or another crate, such as a ragged tensor. Elementwise
/// ops apply to the values and keep a missing row missing; of two masked operands a row is valid
/// where both are. `gather` and `concat` along axis 0 move rows with their mask entries; along an
/// inner axis they are ops of the values, and a row of a `concat` is valid where all its parts are.
///
/// ```
/// use extype::prelude::*;
/// use extype_masked::{Masked, MaskedTensor};
///
/// let inner = MaskedTensor::from_nan([[1.0f64, f64::NAN], [3.0, 4.0]])?;
/// let m = Masked::new(inner, [true, false])?;
/// let n = ops::square(&m + &m)?;
/// assert_eq!(n.values.values.as_slice::<f64>()?[0], 4.0);
/// assert_eq!(n.mask.as_slice::<bool>()?, &[true, false]);
/// # Ok::<(), Error>(())
/// ```
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "masked.Masked", validate)]
pub struct Masked<V: Structure> {
    /// The values: their outermost axis has one row for each mask entry.
    pub values: V,
    /// True where a row is valid: bool of shape `[rows]`.
    pub mask: Tensor,
}

impl<V: Structure> Validate for Masked<V> {
    fn validate(&self) -> Result<()> {
        ensure_dtype!(self.mask, bool)?;
        self.mask.shape().with_rank(1).map_err(|e| e.prefixed("field `mask`"))?;
        Ok(())
    }
}

impl<V: Structure> Masked<V> {
    /// The number of valid rows: an int64 scalar.
    ///
    /// # Errors
    /// None of its own.
    #[track_caller]
    pub fn count(&self) -> Result<Tensor> {
        self.mask.cast(i64)?.reduce_sum(.., false)
    }
}

#[dispatch]
impl<V> Masked<V>
where
    V: Structure + UnaryElementwise<Output = V>,
{
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
        Ok(Self { values: op.call(&x.values)?, mask: x.mask.clone() })
    }
}

#[dispatch]
impl<V> Masked<V>
where
    V: Structure
        + BinaryElementwise<V, Output = V>
        + BinaryElementwise<Tensor, Output = V>
        + RightElementwise<Tensor, Output = V>,
{
    #[overrides(binary_elementwise, with = Tensor)]
    fn binary(op: impl BinaryOp, operands: Pair<'_, Self, Tensor>) -> Result<Self> {
        match operands {
            Pair::Both(x, y) => Ok(Self {
                values: op.call(&x.values, &y.values)?,
                mask: ops::logical_and(&x.mask, &y.mask)?,
            }),
            Pair::Left(x, y) => Ok(Self { values: op.call(&x.values, y)?, mask: x.mask.clone() }),
            Pair::Right(x, y) => {
                Ok(Self { values: op.call_right(x, &y.values)?, mask: y.mask.clone() })
            }
        }
    }
}

#[dispatch]
impl<V: Structure + Apply2<Tensor, Gather, Output = V>> Masked<V> {
    #[overrides(Gather)]
    fn gather(x: &Self, indices: &Tensor, op: &Gather) -> Result<Self> {
        let mask = match row_axis(op.axis)? {
            true => op.run(&[&x.mask, indices])?,
            false => x.mask.clone(),
        };
        Ok(Self { values: V::apply2(op, &x.values, indices)?, mask })
    }
}

#[dispatch]
impl<V: Structure + ApplySeq<Concat, Output = V>> Masked<V> {
    #[overrides(Concat)]
    fn concat(xs: &[&Self], op: &Concat) -> Result<Self> {
        let values: Vec<&V> = xs.iter().map(|x| &x.values).collect();
        let masks: Vec<&Tensor> = xs.iter().map(|x| &x.mask).collect();
        let mask = match row_axis(op.axis)? {
            true => op.run(&masks)?,
            false => ops::stack(&masks, 0)?.reduce_all(0, false)?,
        };
        Ok(Self { values: V::apply_seq(op, &values)?, mask })
    }
}

/// True for the axis of the rows, the outermost.
fn row_axis(axis: Axis) -> Result<bool> {
    match axis.0 {
        axis if axis < 0 => Err(Error::invalid(format!(
            "axis {axis} counts from the innermost axis; count from the outermost, the rows', as 0"
        ))),
        axis => Ok(axis == 0),
    }
}

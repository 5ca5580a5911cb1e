//! Ops on single elements. Those of one operand are those of the values; several operands are broadcast first.

use extype::ops::{Arg, OneHot, Op};
use extype::prelude::*;

use super::broadcast::broadcast;
use crate::RaggedTensor;

#[dispatch]
impl RaggedTensor {
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
        Ok(x.with_values(op.call(&x.flat_values)?))
    }

    #[overrides(binary_elementwise, with = Tensor)]
    fn binary(op: impl BinaryOp, operands: Pair<'_, Self, Tensor>) -> Result<Self> {
        let (x, y) = operands.split();
        let (flat, partitions) = broadcast(&[x, y])?;
        Ok(Self { flat_values: op.call(&flat[0], &flat[1])?, partitions })
    }

    #[overrides(Select)]
    fn select(
        condition: Arg<'_, Self, Tensor>,
        t: Arg<'_, Self, Tensor>,
        e: Arg<'_, Self, Tensor>,
    ) -> Result<Self> {
        let (flat, partitions) = broadcast(&[condition, t, e])?;
        Ok(Self { flat_values: ops::select(&flat[0], &flat[1], &flat[2])?, partitions })
    }

    /// The new axis is behind the ragged ones.
    #[overrides(OneHot)]
    fn one_hot(indices: &Self, on_value: &Tensor, off_value: &Tensor, op: &OneHot) -> Result<Self> {
        let levels = indices.ragged_rank() as i64;
        let axis = match op.axis {
            axis if axis < 0 => axis,
            axis if axis > levels => axis - levels,
            axis => {
                return Err(Error::invalid(format!(
                    "the new axis {axis} is behind the ragged ones, of which there are {levels}"
                )));
            }
        };
        let op = OneHot { axis, ..op.clone() };
        Ok(indices.with_values(op.run(&[&indices.flat_values, on_value, off_value])?))
    }
}

impl RaggedTensor {
    /// What a function makes of the values, in the same rows.
    ///
    /// TensorFlow: `tf.ragged.map_flat_values`. The first axis of the result has the size of that of the values.
    ///
    /// # Errors
    /// What the function fails with, and `InvalidArgument` for another number of values.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![1.0f32, 4.0], vec![], vec![9.0]])?;
    /// assert_eq!(r.map_flat_values(|x| x.sqrt())?.to_string(), "[[1.0, 2.0], [], [3.0]]");
    /// # use extype::prelude::*;
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn map_flat_values(&self, f: impl FnOnce(&Tensor) -> Result<Tensor>) -> Result<Self> {
        self.with_flat_values(f(&self.flat_values)?)
    }
}

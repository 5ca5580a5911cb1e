//! Matrix products.

use extype::ops::{BatchMatMul, MatMul};
use extype::prelude::*;

use crate::MaskedTensor;
use crate::elementwise::parts;

macro_rules! products {
    ($($name:ident = $op:ident),*) => {
        #[dispatch]
        impl MaskedTensor {
            $(
                /// Missing entries count as zeros; an entry of the product is missing where no
                /// pair of valid entries meets (`numpy.ma.dot`, not strict).
                #[overrides($op)]
                fn $name(operands: Pair<'_, Self, Tensor>, op: &$op) -> Result<Self> {
                    let (x, y) = operands.split();
                    let ((x, x_mask), (y, y_mask)) = (parts(x), parts(y));
                    let values = op.run(&[&zeroed(x, x_mask)?, &zeroed(y, y_mask)?])?;
                    let pairs = op.run(&[&ones(x, x_mask)?, &ones(y, y_mask)?])?;
                    Ok(Self { values, mask: pairs.greater(0)? })
                }
            )*
        }
    };
}
products!(matmul = MatMul, batch_matmul = BatchMatMul);

impl MaskedTensor {
    /// The product of two matrices, or of two stacks of them, in which an entry is missing where
    /// any entry of its row or column is (`numpy.ma.dot` with `strict=True`).
    /// [`ops::matmul`](extype::ops::matmul()) takes missing entries as zeros instead.
    ///
    /// # Errors
    /// `InvalidArgument` if dtypes or inner sizes differ, or for a rank below 2.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_masked::MaskedTensor;
    /// let m = MaskedTensor::new([[1.0f32, 2.0], [3.0, 4.0]], [[true, false], [true, true]])?;
    /// assert_eq!(ops::matmul(&m, &m)?.to_string(), "[[ 1.  --]\n [15. 16.]]");
    /// assert_eq!(m.matmul_strict(&m)?.to_string(), "[[ --  --]\n [15.  --]]");
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn matmul_strict(&self, other: &Self) -> Result<Self> {
        let values = ops::batch_matmul(&self.cleared()?.values, &other.cleared()?.values)?;
        let rows = self.mask.reduce_all(-1, KeepDims)?;
        let columns = other.mask.reduce_all(-2, KeepDims)?;
        Self { values, mask: ops::logical_and(&rows, &columns)? }.cleared()
    }
}

/// The values with zeros at missing entries.
fn zeroed(values: &Tensor, mask: Option<&Tensor>) -> Result<Tensor> {
    match mask {
        Some(mask) => ops::select(mask, values, 0),
        None => Ok(values.clone()),
    }
}

/// Ones at valid entries, zeros at missing ones.
fn ones(values: &Tensor, mask: Option<&Tensor>) -> Result<Tensor> {
    match mask {
        Some(mask) => mask.cast(f32),
        None => ops::fill(crate::tensor::sizes(values)?, &scalar(1.0f32)),
    }
}

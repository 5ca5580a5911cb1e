//! The rows of a tensor one by one.

use crate::ops::methods::*;
use crate::tensor::{Tensor, call_site};
use crate::types::{Result, bail, err};

impl Tensor {
    /// The slices along the first axis, for a loop: `for row in x.rows()? { … }`. Errors occur before
    /// the loop begins.
    ///
    /// NumPy: `for row in x`. In a traced function `for row in &x` is a loop of the graph.
    ///
    /// # Errors
    /// `InvalidArgument` for a scalar, and for a first size that is unknown while tracing.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let mut sums = Vec::new();
    /// for row in tensor![[1, 2], [3, 4]].rows()? {
    ///     sums.push(row.sum(..)?.item::<i32>()?);
    /// }
    /// assert_eq!(sums, [3, 7]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    #[doc(alias = "iter")]
    pub fn rows(&self) -> Result<std::vec::IntoIter<Tensor>> {
        let _site = call_site!();
        let Some(1..) = self.rank() else {
            bail!("a tensor with an axis is wanted, not {}", self.tensor_type())
        };
        let n = self.shape().dim(0)?.size().ok_or_else(|| {
            err!(
                "how many there are is unknown while tracing; `for row in &x` in a `#[tf_function]` is a \
                 loop of the graph"
            )
        })?;
        Ok(self.unstack(n, 0)?.into_iter())
    }
}

/// Iterates over the rows: `for row in &x`.
///
/// # Panics
/// If [`rows`](Tensor::rows) fails. In a trace, as with operators, the call of the traced function
/// returns the error.
impl IntoIterator for &Tensor {
    type Item = Tensor;
    type IntoIter = std::vec::IntoIter<Tensor>;

    #[track_caller]
    fn into_iter(self) -> Self::IntoIter {
        crate::ops::operator(self.rows())
    }
}

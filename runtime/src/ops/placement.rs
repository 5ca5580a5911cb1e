//! Tensors are moved to devices by the op that copies.

use super::methods::*;
use crate::tensor::{Tensor, call_site_of, device};
use crate::types::Result;

impl Tensor {
    /// The tensor on another device; gradients pass. Elements that lie there already are not copied.
    ///
    /// TensorFlow: `tf.identity` in the scope of a device; PyTorch: `x.to`.
    ///
    /// # Errors
    /// As the scope [`device`](crate::tensor::device()), and what the device refuses.
    ///
    /// ```
    /// use extype::device::ensure_logical_cpus;
    /// use extype::prelude::*;
    /// ensure_logical_cpus(2)?;
    /// let x = tensor![1.0f32, 2.0].to_device("cpu:1")?;
    /// assert_eq!(x.device(), Some("cpu:1".parse()?));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn to_device(&self, name: &str) -> Result<Tensor> {
        let _site = call_site_of(Some("to_device"));
        let _scope = device(name)?;
        self.identity()
    }
}

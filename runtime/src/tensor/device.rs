//! Where tensors and variables lie.

use super::mark::device_of;
use super::{Tensor, Variable, call_site_of, device, execute_one};
use crate::ir::{Attrs, find_op};
use crate::types::{Device, Result};

impl Tensor {
    /// The device where the elements lie. In a trace, the device of the node, if it has one.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1.0f32, 2.0].device(), Some("cpu:0".parse()?));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn device(&self) -> Option<Device> {
        match self {
            Tensor::Value(array) => Some(device_of(array).name()),
            Tensor::Symbol(symbol) => symbol.device()?.parse().ok(),
        }
    }

    /// The tensor on another device; gradients pass. Elements that lie there already are not copied.
    ///
    /// TensorFlow: `tf.identity` in the scope of a device; PyTorch: `x.to`.
    ///
    /// # Errors
    /// As the scope [`device`](super::device()), and what the device refuses.
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
        execute_one(find_op("Identity")?, Attrs::new(), &[self])
    }
}

impl Variable {
    /// The device where its values lie: that of the scope in which it was created. `None` if there was no scope, and for a
    /// placeholder in a trace.
    ///
    /// ```
    /// use extype::device::ensure_logical_cpus;
    /// use extype::prelude::*;
    /// use extype::tensor::device;
    /// ensure_logical_cpus(2)?;
    /// let v = {
    ///     let _second = device("cpu:1")?;
    ///     Variable::new([1.0f32, 2.0])?
    /// };
    /// v.assign([3.0, 4.0])?;
    /// assert_eq!(v.device(), Some("cpu:1".parse()?));
    /// assert_eq!(v.read()?.device(), v.device());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn device(&self) -> Option<Device> {
        Some(self.state()?.device()?.name())
    }
}

//! Where tensors and variables lie.

use super::mark::device_of;
use super::{Tensor, Variable};
use crate::types::Device;

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

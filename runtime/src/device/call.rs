//! Calls of ops on devices that are not the host.

use std::any::Any;
use std::sync::Arc;

use super::{Backend, DeviceId};
use crate::array::{Array, DeviceMemory, num_elements};
use crate::ir::{Attrs, Kernel, OpDef, Outputs};
use crate::types::{DType, Error, Result, caught_alone, err};

/// Computes an op on a device. The results may lie there or on the host.
pub type DeviceKernel = fn(&DeviceCall<'_>) -> Result<Outputs>;

/// The call of an op that the kernel of a device computes. The op has accepted the inputs.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct DeviceCall<'a> {
    /// The op.
    pub op: &'static OpDef,
    /// The inputs, wherever they lie.
    pub inputs: &'a [&'a Array],
    /// The attributes.
    pub attrs: &'a Attrs,
    /// The index of the device among those of its backend.
    pub index: u32,
    device: DeviceId,
    backend: &'a Arc<dyn Backend>,
}

impl DeviceCall<'_> {
    /// The backend, if it is of this type.
    pub fn backend<B: Backend>(&self) -> Option<&B> {
        let backend: &dyn Any = &**self.backend;
        backend.downcast_ref()
    }

    /// Input `i` in memory of the device: a copy, unless it lies there.
    ///
    /// # Errors
    /// What the device refuses; `InvalidArgument` if there are fewer inputs, or for an input that is not of numbers.
    pub fn memory(&self, i: usize) -> Result<Arc<dyn DeviceMemory>> {
        let input = self.inputs.get(i).ok_or_else(|| err!("no input {i}"))?;
        match self.to_device(input)?.device_memory() {
            Some((_, memory)) => Ok(memory.clone()),
            None => Err(err!("a device has no memory for elements of {}", input.dtype())),
        }
    }

    /// A result in memory of the device, which `fill` writes.
    ///
    /// # Errors
    /// What the device or `fill` refuses; `Internal` for a dtype whose elements have no fixed size.
    pub fn output(
        &self,
        dtype: DType,
        dims: &[usize],
        fill: impl FnOnce(&mut dyn DeviceMemory) -> Result<()>,
    ) -> Result<Array> {
        let size = dtype.size().ok_or_else(|| Error::internal("elements of no size"))?;
        let mut memory = self.backend.alloc(self.index, num_elements(dims, size)? * size)?;
        fill(&mut *memory)?;
        Array::on_device(dtype, dims, self.device.number(), memory.into())
    }

    /// The array in memory of the device. Strings, variants and resources stay on the host.
    ///
    /// # Errors
    /// What the device refuses.
    pub fn to_device(&self, array: &Array) -> Result<Array> {
        moved(array, self.device)
    }
}

/// The kernel that every op has: that of the host. Its results lie there, so a kernel of a device may call it and move
/// them by [`to_device`](DeviceCall::to_device).
///
/// # Errors
/// What the kernel refuses, or what a device that holds an input refuses.
pub fn on_host(call: &DeviceCall<'_>) -> Result<Outputs> {
    call.op.run(call.inputs, call.attrs)
}

/// The array in memory of a device, or on the host for a logical CPU. Strings, variants and resources stay on the host.
pub(crate) fn moved(array: &Array, device: DeviceId) -> Result<Array> {
    let Some((backend, index)) = device.backend() else { return array.to_host() };
    let on = array.device_memory().map(|(on, memory)| (DeviceId::of_number(on), memory));
    if on.is_some_and(|(on, _)| on == device) || array.dtype().size().is_none() {
        return Ok(array.clone());
    }
    let bytes = array.len() * array.dtype().size().unwrap_or(0);
    let mut memory = backend.alloc(index, bytes)?;
    match on {
        Some((on, from))
            if on.backend().is_some_and(|(other, _)| Arc::ptr_eq(&other, &backend)) =>
        {
            backend.copy(&**from, &mut *memory, bytes)?;
        }
        _ => memory.write(array.to_host()?.as_bytes().unwrap_or_default())?,
    }
    Array::on_device(array.dtype(), array.dims(), device.number(), memory.into())
}

/// Runs an op on a device.
///
/// # Errors
/// What the op's checks and the kernel refuse; `Unimplemented` if the device has no kernel for the op.
pub(crate) fn run(
    device: DeviceId,
    op: &'static OpDef,
    inputs: &[&Array],
    attrs: &Attrs,
) -> Result<Outputs> {
    let Some((backend, index)) = device.backend() else { return op.run(inputs, attrs) };
    let kernel = device.registered(op).or_else(|| backend.kernel(op));
    let promised = op.infer_values(inputs, attrs)?;
    let has_memory = |dtype: DType| dtype.size().is_some();
    let stays = op.calls
        || promised.is_empty()
        || !inputs.iter().all(|x| has_memory(x.dtype()))
        || !promised.iter().all(|y| has_memory(y.dtype));
    let kernel = kernel.or_else(|| for_all_devices(op, stays));
    let kernel = kernel.ok_or_else(|| no_kernel(op, device))?;
    let call = DeviceCall { op, inputs, attrs, index, device, backend: &backend };
    let outputs = caught_alone("the kernel", || kernel(&call));
    let outputs = outputs.and_then(|y| op.check_results(&y, &promised).map(|()| y));
    outputs.map_err(|e| e.with_op(op.rust_name))
}

/// The kernel of an op that only copies elements, or of a call that `stays` on the host: it has strings, variants,
/// resources or functions, or no results.
fn for_all_devices(op: &OpDef, stays: bool) -> Option<DeviceKernel> {
    if let Kernel::Pass = op.kernel {
        return Some(|call| call.inputs.iter().map(|x| call.to_device(x)?.renewed()).collect());
    }
    stays.then_some(on_host)
}

#[cold]
fn no_kernel(op: &OpDef, device: DeviceId) -> Error {
    let name = op.rust_name;
    err!(
        Unimplemented,
        "no kernel for {}; `register_kernel` adds one, and in the scope `device(\"cpu:0\")` it runs on the host",
        device.name()
    )
    .with_op(name)
}

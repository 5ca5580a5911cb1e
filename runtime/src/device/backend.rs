//! What a kind of device provides.

use std::any::Any;

use super::{DeviceKernel, on_host, table};
use crate::array::DeviceMemory;
use crate::ir::OpDef;
use crate::types::{Error, Result, err};

/// The devices of one kind: their memory and their kernels.
///
/// TensorFlow: a pluggable device; JAX: a PJRT client.
///
/// ```
/// use extype::array::DeviceMemory;
/// use extype::device::{Backend, Cpu, DeviceCall, on_host, register, register_kernel};
/// use extype::ir::{Outputs, find_op};
/// use extype::prelude::*;
/// use extype::tensor::device;
///
/// /// A device that only doubles.
/// struct Doubler;
///
/// impl Backend for Doubler {
///     fn kind(&self) -> &str {
///         "DOUBLER"
///     }
///     fn alloc(&self, index: u32, bytes: usize) -> Result<Box<dyn DeviceMemory>> {
///         Cpu.alloc(index, bytes)
///     }
/// }
///
/// fn add(call: &DeviceCall<'_>) -> Result<Outputs> {
///     let sum = on_host(call)?;
///     sum.iter().map(|y| call.to_device(y)).collect()
/// }
///
/// register(Doubler)?;
/// register_kernel("DOUBLER", find_op("AddV2")?, add)?;
/// let x = tensor![1.0f32, 2.0];
/// let y = {
///     let _scope = device("/device:doubler:0")?;
///     assert!(x.exp().unwrap_err().to_string().contains("no kernel for /device:DOUBLER:0"));
///     &x + &x
/// };
/// assert_eq!(y.device().unwrap().to_string(), "/device:DOUBLER:0");
/// assert_eq!(y.to_vec::<f32>()?, [2.0, 4.0]);
/// # Ok::<(), Error>(())
/// ```
pub trait Backend: Any + Send + Sync {
    /// The kind in the names of its devices, in capitals: "GPU".
    fn kind(&self) -> &str;

    /// The number of devices, which have the indices from 0.
    fn count(&self) -> u32 {
        1
    }

    /// Memory of a device.
    ///
    /// # Errors
    /// `ResourceExhausted` if there is not enough.
    fn alloc(&self, index: u32, bytes: usize) -> Result<Box<dyn DeviceMemory>>;

    /// Copies `bytes` bytes from memory of one of its devices to memory of another one; through the host unless the
    /// backend has a better way.
    ///
    /// # Errors
    /// If a device fails.
    fn copy(&self, from: &dyn DeviceMemory, to: &mut dyn DeviceMemory, bytes: usize) -> Result<()> {
        let mut host = vec![0; bytes];
        from.read(&mut host)?;
        to.write(&host)
    }

    /// The kernel of an op for which [`register_kernel`](super::register_kernel) was not called.
    fn kernel(&self, op: &'static OpDef) -> Option<DeviceKernel> {
        let _ = op;
        None
    }
}

/// The logical CPUs: their memory is that of the host, and they have the kernels of the op table. Other backends may
/// delegate to it.
///
/// ```
/// use extype::device::{Backend, Cpu};
/// let mut memory = Cpu.alloc(0, 2)?;
/// memory.write(&[1, 2])?;
/// let mut bytes = [0; 2];
/// memory.read(&mut bytes)?;
/// assert_eq!((Cpu.kind(), bytes), ("CPU", [1, 2]));
/// # Ok::<(), extype::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Cpu;

impl Backend for Cpu {
    fn kind(&self) -> &str {
        "CPU"
    }

    fn count(&self) -> u32 {
        table::logical_cpus()
    }

    fn alloc(&self, _index: u32, bytes: usize) -> Result<Box<dyn DeviceMemory>> {
        let mut memory = Vec::new();
        let reserved = memory.try_reserve_exact(bytes);
        reserved.map_err(|_| err!(ResourceExhausted, "no memory for {bytes} bytes"))?;
        memory.resize(bytes, 0);
        Ok(Box::new(HostMemory(memory)))
    }

    fn kernel(&self, _op: &'static OpDef) -> Option<DeviceKernel> {
        Some(on_host)
    }
}

struct HostMemory(Vec<u8>);

impl HostMemory {
    fn check(&self, bytes: usize) -> Result<()> {
        match bytes == self.0.len() {
            true => Ok(()),
            false => Err(Error::internal("a copy of another number of bytes than the memory has")),
        }
    }
}

impl DeviceMemory for HostMemory {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.check(bytes.len())?;
        self.0.copy_from_slice(bytes);
        Ok(())
    }

    fn read(&self, bytes: &mut [u8]) -> Result<()> {
        self.check(bytes.len())?;
        bytes.copy_from_slice(&self.0);
        Ok(())
    }
}

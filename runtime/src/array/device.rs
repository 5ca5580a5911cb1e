//! Arrays whose elements lie in the memory of a device, not in that of the host.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use super::block::Owner;
use super::{AnyWriter, Array, IntoDims, num_elements, wrong_dtype};
use crate::types::{DType, Error, Result};

/// Memory of a device, made by [`Backend::alloc`](crate::device::Backend::alloc): bytes that only the device computes with. The
/// host copies bytes into it and out of it. The kernels of a device downcast it to their own type.
pub trait DeviceMemory: Any + Send + Sync {
    /// Copies bytes of the host into all of the memory.
    ///
    /// # Errors
    /// If the device fails.
    fn write(&mut self, bytes: &[u8]) -> Result<()>;

    /// Copies all of the memory to the host.
    ///
    /// # Errors
    /// If the device fails.
    fn read(&self, bytes: &mut [u8]) -> Result<()>;
}

/// The storage of an array on a device.
pub(super) struct OnDevice {
    /// A number that only the floor above interprets.
    device: u16,
    memory: Arc<dyn DeviceMemory>,
    /// The copy that the host made when it first read the elements.
    host: OnceLock<Array>,
}

impl Array {
    /// An array of elements of fixed size in the memory of a device, in row-major order.
    ///
    /// # Errors
    /// `Internal` for a dtype whose elements have no fixed size; `ResourceExhausted` for sizes that overflow.
    pub(crate) fn on_device(
        dtype: DType,
        dims: impl IntoDims,
        device: u16,
        memory: Arc<dyn DeviceMemory>,
    ) -> Result<Array> {
        let size = dtype.size().ok_or_else(|| Error::internal("elements of no size"))?;
        let owner = Owner::Device(Arc::new(OnDevice { device, memory, host: OnceLock::new() }));
        dims.with_dims(|dims| Self::over(dtype, dims, num_elements(dims, size)?, owner, None))
    }

    /// The device whose memory holds the elements, and the memory; `None` for an array of the host.
    pub(crate) fn device_memory(&self) -> Option<(u16, &Arc<dyn DeviceMemory>)> {
        match &self.header().owner {
            Owner::Device(on) => Some((on.device, &on.memory)),
            _ => None,
        }
    }

    /// This array on the host.
    ///
    /// # Errors
    /// If the device fails; `ResourceExhausted` if there is no memory.
    pub(crate) fn to_host(&self) -> Result<Array> {
        match &self.header().owner {
            Owner::Device(on) => self.copied(on)?.reshape(self.dims()),
            _ => Ok(self.clone()),
        }
    }

    /// An array of the host with the same elements, but maybe under other sizes: a copy that is made once, unless they
    /// lie there.
    ///
    /// # Errors
    /// As [`to_host`](Self::to_host).
    #[inline]
    pub(super) fn on_host(&self) -> Result<&Array> {
        match &self.header().owner {
            Owner::Device(on) => self.copied(on),
            _ => Ok(self),
        }
    }

    #[cold]
    fn copied<'a>(&self, on: &'a OnDevice) -> Result<&'a Array> {
        if let Some(copy) = on.host.get() {
            return Ok(copy);
        }
        let mut copy = AnyWriter::new(self.dtype(), self.dims())?;
        on.memory.read(copy.bytes_mut())?;
        // Of two copies made at once, one is kept.
        let _ = on.host.set(copy.finish()?);
        on.host.get().ok_or_else(|| Error::internal("the copy of an array is lost"))
    }

    /// The array of the host with the elements, which were asked for as this dtype.
    #[cold]
    pub(super) fn elsewhere(&self, asked: DType) -> Result<&Array> {
        match &self.header().owner {
            Owner::Device(on) if self.dtype() == asked => self.copied(on),
            _ => Err(wrong_dtype(asked, self.dtype())),
        }
    }
}

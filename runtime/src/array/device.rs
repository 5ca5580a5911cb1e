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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::types::bail;

    /// Memory that counts its reads, and fails if it has no bytes left.
    struct Counted(Vec<u8>, Arc<AtomicUsize>);

    impl DeviceMemory for Counted {
        fn write(&mut self, bytes: &[u8]) -> Result<()> {
            self.0.copy_from_slice(bytes);
            Ok(())
        }

        fn read(&self, bytes: &mut [u8]) -> Result<()> {
            self.1.fetch_add(1, Ordering::Relaxed);
            if self.0.len() != bytes.len() {
                bail!(DataLoss, "lost");
            }
            bytes.copy_from_slice(&self.0);
            Ok(())
        }
    }

    fn array(dtype: DType, dims: &[usize], bytes: Vec<u8>) -> (Array, Arc<AtomicUsize>) {
        let reads = Arc::new(AtomicUsize::new(0));
        let memory = Arc::new(Counted(bytes, reads.clone()));
        (Array::on_device(dtype, dims, 3, memory).unwrap(), reads)
    }

    fn numbers(n: usize) -> Vec<u8> {
        (0..n as i32).flat_map(i32::to_le_bytes).collect()
    }

    #[test]
    fn elements_are_copied_once_for_all_views() {
        for n in [0, 3, 600] {
            let (a, reads) = array(DType::I32, &[n], numbers(n));
            let b = a.reshape([n, 1]).unwrap();
            assert_eq!((b.dims(), b.device_memory().unwrap().0), (&[n, 1][..], 3));
            assert_eq!(reads.load(Ordering::Relaxed), 0);
            let all: Vec<i32> = (0..n as i32).collect();
            assert_eq!(b.as_slice::<i32>().unwrap(), all);
            assert_eq!(a.as_bytes().unwrap(), numbers(n));
            assert_eq!(a.as_words::<u32>().unwrap().len(), n);
            assert!(a.as_slice::<f32>().is_err() && a.as_strings().is_err());
            let half = b.view(n / 2, [n - n / 2]).unwrap();
            assert_eq!(half.as_slice::<i32>().unwrap(), &all[n / 2..]);
            assert_eq!(half.device_memory().is_none(), n > 0);
            let host = b.to_host().unwrap();
            assert!(host.device_memory().is_none() && host.dims() == b.dims());
            assert!(host.identical(&b) && b.identical(&host));
            assert_eq!(reads.load(Ordering::Relaxed), 1);
        }
    }

    #[test]
    fn no_storage_is_taken_over() {
        let (a, reads) = array(DType::I32, &[600], numbers(600));
        assert!(!a.is_unique());
        let a = a.map_in_place(|x: &mut [i32]| x.fill(0)).unwrap_err();
        let a = a.reuse::<i32>([600]).err().unwrap();
        assert_eq!(reads.load(Ordering::Relaxed), 0);
        let mut copy = AnyWriter::copy_of(&a).unwrap();
        copy.elements_mut::<i32>().unwrap()[0] = 7;
        assert_eq!(copy.finish().unwrap().as_slice::<i32>().unwrap()[..2], [7, 1]);
        assert_eq!(a.as_slice::<i32>().unwrap()[..2], [0, 1]);
        let held = a.clone();
        drop(a);
        assert_eq!(held.as_slice::<i32>().unwrap()[599], 599);
    }

    #[test]
    fn what_a_device_does_not_give_is_an_error() {
        let (a, reads) = array(DType::I32, &[2], vec![0; 3]);
        for _ in 0..2 {
            assert!(a.as_slice::<i32>().unwrap_err().to_string().contains("lost"));
            assert!(a.as_bytes().is_none() && a.to_host().is_err() && a.view(0, [1]).is_err());
        }
        assert!(reads.load(Ordering::Relaxed) >= 6, "each read tries again");
        // Bytes that are no bools never become bools.
        let (b, _) = array(DType::Bool, &[2], vec![1, 2]);
        assert!(b.as_slice::<bool>().is_err());
        let (b, _) = array(DType::Bool, &[2], vec![1, 0]);
        assert_eq!(b.as_slice::<bool>().unwrap(), [true, false]);
    }
}

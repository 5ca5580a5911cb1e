//! All devices by name, and the kernels by op and kind of device.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use rustc_hash::FxHashMap;

use super::{Backend, DeviceKernel};
use crate::ir::OpDef;
use crate::types::{Device, Error, Result, bail, err};

/// The number of a device: the index of a logical CPU, or the place of another device in the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct DeviceId(u16);

/// The bit of devices whose memory is not the host's.
const FOREIGN: u16 = 1 << 14;

impl DeviceId {
    /// The device with this [`number`](Self::number).
    pub(crate) fn of_number(number: u16) -> Self {
        Self(number)
    }

    /// A number below 2^15.
    pub(crate) fn number(self) -> u16 {
        self.0
    }

    /// True for a logical CPU.
    pub(crate) fn is_host(self) -> bool {
        self.0 & FOREIGN == 0
    }

    /// The name of the device.
    pub(crate) fn name(self) -> Device {
        match self.with_foreign(|_, foreign| name(&foreign.kind, foreign.index)) {
            Some(name) => name,
            None => name("CPU", u32::from(self.0)),
        }
    }

    /// The backend of a device that is no logical CPU, and its index there.
    pub(super) fn backend(self) -> Option<(Arc<dyn Backend>, u32)> {
        self.with_foreign(|_, foreign| (foreign.backend.clone(), foreign.index))
    }

    /// The kernel that was registered for an op and the kind of this device.
    pub(super) fn registered(self, op: &'static OpDef) -> Option<DeviceKernel> {
        self.with_foreign(|devices, foreign| devices.kernel(&foreign.kind, op)).flatten()
    }

    fn with_foreign<R>(self, f: impl FnOnce(&Devices, &Foreign) -> R) -> Option<R> {
        let place = self.0.checked_sub(FOREIGN)?;
        let devices = read();
        devices.devices.get(usize::from(place)).map(|foreign| f(&devices, foreign))
    }
}

fn name(kind: &str, index: u32) -> Device {
    Device { kind: Some(kind.into()), index: Some(index), ..Device::default() }
}

/// A device that is no logical CPU.
struct Foreign {
    /// What the backend said when it was registered. Code of others is not called while the table is locked.
    kind: Arc<str>,
    backend: Arc<dyn Backend>,
    index: u32,
}

#[derive(Default)]
struct Devices {
    devices: Vec<Foreign>,
    /// By the address of the op, which is a static; for each kind of device.
    kernels: FxHashMap<usize, Vec<(String, DeviceKernel)>>,
}

impl Devices {
    fn has(&self, kind: &str) -> bool {
        kind == "CPU" || self.devices.iter().any(|foreign| &*foreign.kind == kind)
    }

    fn kernel(&self, kind: &str, op: &'static OpDef) -> Option<DeviceKernel> {
        let of_op = self.kernels.get(&std::ptr::from_ref(op).addr())?;
        of_op.iter().find(|(other, _)| other == kind).map(|(_, kernel)| *kernel)
    }
}

fn table() -> &'static RwLock<Devices> {
    static TABLE: OnceLock<RwLock<Devices>> = OnceLock::new();
    TABLE.get_or_init(RwLock::default)
}

fn read() -> RwLockReadGuard<'static, Devices> {
    table().read().unwrap_or_else(PoisonError::into_inner)
}

fn write() -> RwLockWriteGuard<'static, Devices> {
    table().write().unwrap_or_else(PoisonError::into_inner)
}

static LOGICAL_CPUS: AtomicU32 = AtomicU32::new(1);

pub(super) fn logical_cpus() -> u32 {
    LOGICAL_CPUS.load(Ordering::Relaxed)
}

/// Makes sure that there are at least this many logical CPUs: `CPU:0`, `CPU:1` and so on. They share the threads and the
/// memory of the host. With them, a program for several devices can be written and tested on any machine.
///
/// TensorFlow: `tf.config.set_logical_device_configuration`; JAX: `xla_force_host_platform_device_count`.
///
/// # Errors
/// `InvalidArgument` for more than 16,384.
///
/// ```
/// use extype::device::{devices, ensure_logical_cpus};
/// use extype::prelude::*;
/// use extype::tensor::device;
/// ensure_logical_cpus(2)?;
/// assert!(devices().contains(&"cpu:1".parse()?));
/// let x = {
///     let _second = device("cpu:1")?;
///     tensor![1.0f32, 2.0].exp()?
/// };
/// assert_eq!(x.device(), Some("cpu:1".parse()?));
/// # Ok::<(), Error>(())
/// ```
pub fn ensure_logical_cpus(count: u32) -> Result<()> {
    if count > u32::from(FOREIGN) {
        bail!("{count} logical CPUs, of {FOREIGN} at most");
    }
    LOGICAL_CPUS.fetch_max(count, Ordering::Relaxed);
    Ok(())
}

/// The names of all devices: first the logical CPUs, then those of each registered backend.
///
/// ```
/// assert_eq!(extype::device::devices()[0].to_string(), "/device:CPU:0");
/// ```
pub fn devices() -> Vec<Device> {
    let cpus = (0..logical_cpus()).map(|index| name("CPU", index));
    let table = read();
    let others = table.devices.iter().map(|foreign| name(&foreign.kind, foreign.index));
    cpus.chain(others).collect()
}

/// Adds the devices of a backend. See [`Backend`] for an example.
///
/// # Errors
/// `AlreadyExists` if there are devices of this kind; `InvalidArgument` if its kind is no word in capitals;
/// `ResourceExhausted` for more than 16,384 devices.
pub fn register(backend: impl Backend) -> Result<()> {
    let (kind, count): (Arc<str>, u32) = (backend.kind().into(), backend.count());
    check_kind(&kind)?;
    let backend: Arc<dyn Backend> = Arc::new(backend);
    let mut table = write();
    if table.has(&kind) {
        bail!(AlreadyExists, "there are devices of kind `{kind}` already");
    }
    if table.devices.len() + count as usize > usize::from(FOREIGN) {
        bail!(ResourceExhausted, "more than {FOREIGN} devices");
    }
    let of_index = |index| Foreign { kind: kind.clone(), backend: backend.clone(), index };
    table.devices.extend((0..count).map(of_index));
    Ok(())
}

/// Refuses a kind that no name of a device can have.
fn check_kind(kind: &str) -> Result<()> {
    let named: Device = format!("/device:{kind}:0").parse()?;
    if named.kind.as_deref() != Some(kind) {
        bail!("the kind of device `{kind}` is not in capitals");
    }
    Ok(())
}

/// Gives an op a kernel for the devices of a kind, which may be those of another crate's backend.
///
/// # Errors
/// `AlreadyExists` if the op has one, as every op has for CPU; `InvalidArgument` if the kind is no word in capitals.
///
/// ```
/// use extype::device::{on_host, register_kernel};
/// use extype::ir::find_op;
/// use extype::prelude::*;
/// register_kernel("NPU", find_op("Exp")?, on_host)?;
/// let again = register_kernel("NPU", find_op("Exp")?, on_host);
/// assert_eq!(again.unwrap_err().kind(), ErrorKind::AlreadyExists);
/// # Ok::<(), Error>(())
/// ```
pub fn register_kernel(kind: &str, op: &'static OpDef, kernel: DeviceKernel) -> Result<()> {
    check_kind(kind)?;
    let mut table = write();
    if kind == "CPU" || table.kernel(kind, op).is_some() {
        bail!(AlreadyExists, "`{}` has a kernel for {kind} already", op.rust_name);
    }
    let of_op = table.kernels.entry(std::ptr::from_ref(op).addr()).or_default();
    of_op.push((kind.to_owned(), kernel));
    Ok(())
}

/// The device that a name stands for. Parts that it leaves open are those of this process, and the first device.
///
/// # Errors
/// `NotFound` with the names that there are.
pub(crate) fn find(named: &Device) -> Result<DeviceId> {
    let is_here = named.job.as_deref().is_none_or(|job| job == "localhost")
        && named.replica.is_none_or(|n| n == 0)
        && named.task.is_none_or(|n| n == 0);
    let index = named.index.unwrap_or(0);
    let found = match named.kind.as_deref() {
        _ if !is_here => None,
        None | Some("CPU") => (index < logical_cpus()).then_some(index as u16),
        Some(kind) => {
            let is_it = |foreign: &Foreign| foreign.index == index && &*foreign.kind == kind;
            read().devices.iter().position(is_it).map(|place| FOREIGN | place as u16)
        }
    };
    found.map(DeviceId).ok_or_else(|| unknown(named))
}

#[cold]
fn unknown(named: &Device) -> Error {
    const SHOWN: usize = 8;
    let devices = devices();
    let mut all: Vec<String> = devices.iter().take(SHOWN).map(ToString::to_string).collect();
    if devices.len() > SHOWN {
        all.push(format!("{} more", devices.len() - SHOWN));
    }
    let more = match named.kind.as_deref() {
        Some("CPU") => "; `device::ensure_logical_cpus` makes more",
        _ => "",
    };
    err!(NotFound, "there is no device {named} here, but {}{more}", all.join(", "))
}

/// The device of a node.
///
/// # Errors
/// `InvalidArgument` for a text that is no name, `NotFound` for a device that is not here.
pub(crate) fn named(device: &str) -> Result<DeviceId> {
    find(&device.parse()?)
}

/// True if a node with this device must not run as one of the host: its device is another one, or is not here.
pub(crate) fn leaves_host(device: Option<&str>) -> bool {
    device.is_some_and(|device| !named(device).is_ok_and(DeviceId::is_host))
}

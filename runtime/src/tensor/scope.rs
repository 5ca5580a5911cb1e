//! The parts of the context that belong to the key of a trace, as one word; device scopes.

use std::cell::Cell;
use std::marker::PhantomData;

use super::context::{aside, scope_changed};
use super::name_scope;
use crate::device::{DeviceId, find};
use crate::sync::Idle;
use crate::types::{Device, Result};

/// The parts of the context that a trace depends on: the device scope, whether variables may be created,
/// the replica, and whether there is a summary writer. Calls in different contexts use different
/// traces. The trace in which a call is made is not part of the key, so all callers of a function
/// share its traces.
///
/// ```
/// use extype::tensor::{ContextKey, device};
/// let outside = ContextKey::present();
/// let _cpu = device("cpu:0")?;
/// assert_ne!(ContextKey::present(), outside);
/// # Ok::<(), extype::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ContextKey(u64);

/// One part of a [`ContextKey`], which can be set for a scope. It only selects the trace of a traced
/// function, and has no other effect here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surrounding {
    /// Whether creating variables is forbidden.
    VariablesForbidden(bool),
    /// The number of the current replica, from 1; 0 outside of replicas.
    Replica(u16),
    /// Whether there is a summary writer.
    SummaryWriter(bool),
}

/// One more than the number of the device; none is zero.
const DEVICE: u64 = 0xffff;
const VARIABLES: u64 = 1 << 32;
const WRITER: u64 = 1 << 33;
const EAGER: u64 = 1 << 34;
const REPLICA_AT: u32 = 48;

thread_local! {
    static PRESENT: Cell<ContextKey> = const { Cell::new(ContextKey(0)) };
}

impl ContextKey {
    /// The key of this thread.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::tensor::{ContextKey, device};
    /// let outside = ContextKey::present();
    /// let cpu = device("cpu:0")?;
    /// assert_ne!(ContextKey::present(), outside);
    /// drop(cpu);
    /// assert_eq!(ContextKey::present(), outside);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn present() -> Self {
        PRESENT.get()
    }

    /// The key as a word.
    ///
    /// ```
    /// use extype::tensor::{ContextKey, Surrounding, surround};
    /// let _writer = surround(Surrounding::SummaryWriter(true));
    /// assert_ne!(ContextKey::present().word(), ContextKey::default().word());
    /// ```
    #[inline]
    pub fn word(self) -> u64 {
        self.0
    }

    /// True within [`run_functions_eagerly`]. No trace has such a key.
    pub(crate) fn runs_eagerly(self) -> bool {
        self.0 & EAGER != 0
    }

    /// The key that traces made here have.
    pub(crate) fn traced(self) -> Self {
        self.with(EAGER, 0)
    }

    fn with(self, mask: u64, bits: u64) -> Self {
        Self(self.0 & !mask | bits)
    }

    fn device(self) -> Option<DeviceId> {
        let number = (self.0 & DEVICE).checked_sub(1)?;
        Some(DeviceId::of_number(number as u16))
    }

    fn on(self, device: DeviceId) -> Self {
        self.with(DEVICE, u64::from(device.number()) + 1)
    }
}

/// The device of this thread's scope.
pub(crate) fn present_device() -> Option<DeviceId> {
    ContextKey::present().device()
}

/// The logical CPU of this thread's scope: arrays of the host that are made lie there.
pub(super) fn host_device() -> DeviceId {
    present_device().filter(|device| device.is_host()).unwrap_or_default()
}

/// The device of this thread's scope, if it is not the host.
pub(super) fn foreign_device() -> Option<DeviceId> {
    present_device().filter(|device| !device.is_host())
}

/// Restores the previous context key of this thread when dropped.
#[must_use = "the scope ends when the guard is dropped"]
#[derive(Debug)]
pub struct Scope {
    outer: ContextKey,
    /// Not `Send`: the key belongs to one thread.
    thread: PhantomData<*const ()>,
}

impl Scope {
    fn enter(key: ContextKey) -> Self {
        Self { outer: replace(key), thread: PhantomData }
    }
}

/// Replaces the key of this thread.
fn replace(key: ContextKey) -> ContextKey {
    let outer = PRESENT.replace(key);
    if outer.device() != key.device() {
        scope_changed();
    }
    outer
}

impl Drop for Scope {
    fn drop(&mut self) {
        replace(self.outer);
    }
}

/// Sets one part of the context key until the guard is dropped.
///
/// ```
/// use extype::prelude::*;
/// use extype::tensor::{Surrounding, surround};
/// let f = function(|x: &Tensor| ops::neg(x));
/// f.call(&scalar(1.0f32))?;
/// {
///     let _replica = surround(Surrounding::Replica(1));
///     f.call(&scalar(1.0f32))?;
/// }
/// f.call(&scalar(1.0f32))?;
/// assert_eq!(f.trace_count(), 2);
/// # Ok::<(), Error>(())
/// ```
pub fn surround(with: Surrounding) -> Scope {
    let key = ContextKey::present();
    Scope::enter(match with {
        Surrounding::VariablesForbidden(yes) => key.with(VARIABLES, VARIABLES * u64::from(yes)),
        Surrounding::SummaryWriter(yes) => key.with(WRITER, WRITER * u64::from(yes)),
        Surrounding::Replica(n) => {
            key.with(u64::from(u16::MAX) << REPLICA_AT, u64::from(n) << REPLICA_AT)
        }
    })
}

/// Runs traced functions as plain Rust on this thread until the guard is dropped: a call runs the body on the arguments,
/// and traces nothing. Use it to debug a body, where `println!`, breakpoints and panics then work as in other code.
///
/// TensorFlow: `tf.config.run_functions_eagerly`.
///
/// ```
/// use extype::prelude::*;
/// use extype::tensor::run_functions_eagerly;
/// let f = function(|x: &Tensor| {
///     println!("{x}");
///     x.square()
/// });
/// {
///     let _eagerly = run_functions_eagerly();
///     // Prints the numbers, in each call.
///     assert_eq!(f.call(&scalar(3.0f32))?.item::<f32>()?, 9.0);
/// }
/// assert_eq!(f.trace_count(), 0);
/// # Ok::<(), Error>(())
/// ```
pub fn run_functions_eagerly() -> Scope {
    Scope::enter(ContextKey::present().with(EAGER, EAGER))
}

/// Places ops on a device until the guard is dropped (TensorFlow's `tf.device`). In nested scopes, parts that the
/// inner name leaves open are taken from the outer one. A traced function has separate traces for each device
/// scope that it is called in. The nodes of a trace, and variables, keep the device. [`mod@crate::device`] says what
/// lies where.
///
/// # Errors
/// `InvalidArgument` for a text that is not the name of a device; `NotFound` if there is no such device here.
///
/// ```
/// use extype::device::ensure_logical_cpus;
/// use extype::prelude::*;
/// use extype::tensor::{current_device, device};
/// ensure_logical_cpus(2)?;
/// let _outer = device("/job:localhost/device:CPU:1")?;
/// assert_eq!(ops::exp(1.0f32)?.device(), Some("cpu:1".parse()?));
/// {
///     let _first = device("cpu:0")?;
///     assert_eq!(current_device(), Some("cpu:0".parse()?));
/// }
/// assert!(device("nowhere").is_err());
/// let e = device("gpu:0").unwrap_err();
/// assert!(e.to_string().contains("there is no device /device:GPU:0 here, but /device:CPU:0"));
/// # Ok::<(), Error>(())
/// ```
pub fn device(name: &str) -> Result<Scope> {
    let named: Device = name.parse()?;
    let mut outer = current_device().unwrap_or_default();
    if named.kind.is_some() && named.kind != outer.kind {
        // The number is one among the devices of its kind.
        outer.index = None;
    }
    let device = find(&outer.merged_with(&named))
        .map_err(|e| e.prefixed(format!("device name {name:?}")))?;
    Ok(on(device))
}

/// Places ops on this device until the guard is dropped.
pub(crate) fn on(device: DeviceId) -> Scope {
    Scope::enter(ContextKey::present().on(device))
}

/// The device of the enclosing scopes, if there are any.
///
/// ```
/// use extype::prelude::*;
/// use extype::tensor::{current_device, device};
/// assert!(current_device().is_none());
/// let _cpu = device("cpu:0")?;
/// assert_eq!(current_device().map(|d| d.to_string()).as_deref(), Some("/device:CPU:0"));
/// # Ok::<(), Error>(())
/// ```
pub fn current_device() -> Option<Device> {
    present_device().map(DeviceId::name)
}

/// How many tasks a waiting thread may take over, one within the other. Each of them may wait in turn, and
/// they all use the same stack.
const MAX_TAKEN_OVER: usize = 4;

thread_local! {
    static TAKEN_OVER: Cell<usize> = const { Cell::new(0) };
}

/// Runs a task of this thread's pool, if it has one, with a default context.
pub(crate) fn idle() -> Idle {
    struct Restore(usize);
    impl Drop for Restore {
        fn drop(&mut self) {
            TAKEN_OVER.set(self.0);
        }
    }
    let depth = TAKEN_OVER.get();
    if depth == MAX_TAKEN_OVER {
        return Idle::Pause;
    }
    let task = || {
        let _scope = Scope::enter(ContextKey::default());
        let _names = name_scope("");
        let _restore = Restore(TAKEN_OVER.replace(depth + 1));
        extype_kernels::run_task()
    };
    match aside(task) {
        None => Idle::Nothing,
        Some(false) => Idle::Pause,
        Some(true) => Idle::Done,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::ensure_logical_cpus;

    #[test]
    fn fields_do_not_meet_and_are_restored() -> Result<()> {
        let before = ContextKey::present();
        {
            let _device = device("/cpu:0")?;
            let one = ContextKey::present();
            let _replica = surround(Surrounding::Replica(u16::MAX));
            let _writer = surround(Surrounding::SummaryWriter(true));
            let all = surround(Surrounding::VariablesForbidden(true));
            assert_eq!(current_device().map(|d| d.to_string()).as_deref(), Some("/device:CPU:0"));
            drop(all);
            let _none = surround(Surrounding::Replica(0));
            let _no_writer = surround(Surrounding::SummaryWriter(false));
            assert_eq!(ContextKey::present(), one);
        }
        assert_eq!(ContextKey::present(), before);
        let unwound = std::panic::catch_unwind(|| {
            let _device = device("/cpu:0").unwrap();
            std::panic::resume_unwind(Box::new(()));
        });
        assert!(unwound.is_err() && ContextKey::present() == before);
        Ok(())
    }

    #[test]
    fn the_same_device_is_the_same_key() -> Result<()> {
        ensure_logical_cpus(2)?;
        let key = |name: &str| device(name).map(|_scope| ContextKey::present());
        assert_eq!(key("/cpu:0")?, key("CPU:0")?);
        assert_ne!(key("/cpu:0")?, key("/cpu:1")?);
        assert!(key("/cpu:0/").is_err());
        Ok(())
    }
}

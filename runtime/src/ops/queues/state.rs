//! The state of a queue.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

use crate::array::{Array, Resource};
use crate::tensor::identity::next_id;
use crate::types::{DType, Result, TensorType, bail, err};

/// How long a thread waits for another one, if no other thread has ever used the queue.
const PATIENCE: Duration = Duration::from_secs(5);

/// In which order elements leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    First,
    /// First in, first out; of several elements each is padded.
    Padding,
    /// By the first component; of the same priority first in, first out.
    Priority,
}

/// The components of an element.
pub(super) type Element = Vec<Array>;

#[derive(Default)]
struct Waiting {
    /// By priority and by the number of the insertion.
    elements: BTreeMap<(i64, u64), Element>,
    inserted: u64,
    closed: bool,
    /// The first thread that used the queue, and whether it was the only one.
    user: Option<ThreadId>,
    shared: bool,
}

/// The state behind a [`Queue`](crate::resources::Queue).
pub(super) struct QueueState {
    id: u64,
    order: Order,
    types: Vec<TensorType>,
    capacity: usize,
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

impl QueueState {
    pub(super) fn new(order: Order, types: Vec<TensorType>, capacity: usize) -> Result<Self> {
        if types.is_empty() {
            bail!("the elements of a queue have one component at least");
        }
        if types.iter().any(|ty| ty.dtype == DType::Resource) {
            bail!("a queue holds values, not handles of state");
        }
        let (waiting, changed) = (Mutex::default(), Condvar::new());
        Ok(Self { id: next_id(), order, types, capacity, waiting, changed })
    }

    pub(super) fn order(&self) -> Order {
        self.order
    }

    pub(super) fn types(&self) -> &[TensorType] {
        &self.types
    }

    // Elements come and go as a whole, so the content of a poisoned lock is still valid.
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let me = thread::current().id();
        if *waiting.user.get_or_insert(me) != me && !waiting.shared {
            waiting.shared = true;
            self.changed.notify_all();
        }
        waiting
    }

    /// Waits for a change by another thread.
    fn wait<'a>(
        &self,
        waiting: MutexGuard<'a, Waiting>,
        what: &dyn fmt::Display,
    ) -> Result<MutexGuard<'a, Waiting>> {
        if waiting.shared {
            return Ok(self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner));
        }
        let waited = self.changed.wait_timeout(waiting, PATIENCE);
        let (waiting, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        if timeout.timed_out() && !waiting.shared {
            bail!(
                FailedPrecondition,
                "{self:?} {what}, and no other thread has used it in {} seconds",
                PATIENCE.as_secs()
            );
        }
        Ok(waiting)
    }

    fn check(&self, element: &Element) -> Result<()> {
        if element.len() != self.types.len() {
            bail!("{} components for {self:?}", element.len());
        }
        for (x, ty) in element.iter().zip(&self.types) {
            if x.dtype() != ty.dtype || !x.shape().is_subtype_of(&ty.shape) {
                bail!("a component of {} for {self:?}", x.tensor_type());
            }
        }
        Ok(())
    }

    /// Puts elements in, one by one.
    pub(super) fn enqueue(&self, elements: Vec<Element>) -> Result<()> {
        elements.iter().try_for_each(|element| self.check(element))?;
        let mut waiting = self.lock();
        for element in elements {
            loop {
                if waiting.closed {
                    // What was not put in may run users' code when it is dropped.
                    drop(waiting);
                    return Err(err!(Cancelled, "{self:?} is closed: nothing more comes in"));
                }
                if waiting.elements.len() < self.capacity {
                    break;
                }
                waiting = self.wait(waiting, &"is full")?;
            }
            let priority = match self.order {
                Order::Priority => element[0].to_i64s()?.first().copied().unwrap_or(0),
                _ => 0,
            };
            waiting.inserted += 1;
            let number = waiting.inserted;
            waiting.elements.insert((priority, number), element);
            self.changed.notify_all();
        }
        Ok(())
    }

    /// Takes elements out. Waits until there are so many; of a closed queue it takes what is left, if `up_to`.
    pub(super) fn dequeue(&self, n: usize, up_to: bool) -> Result<Vec<Element>> {
        if n > self.capacity {
            bail!("{n} elements wanted of {self:?}, which never holds as many");
        }
        let mut waiting = self.lock();
        while waiting.elements.len() < n {
            let held = waiting.elements.len();
            if waiting.closed {
                if up_to && held > 0 {
                    break;
                }
                bail!(
                    OutOfRange,
                    "{self:?} is closed and holds {held} elements, of {n} that are wanted"
                );
            }
            waiting =
                self.wait(waiting, &format_args!("holds {held} elements of {n} that are wanted"))?;
        }
        let taken = std::iter::from_fn(|| waiting.elements.pop_first());
        let taken = taken.take(n).map(|(_, element)| element).collect();
        self.changed.notify_all();
        Ok(taken)
    }

    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.lock().closed
    }

    pub(super) fn len(&self) -> usize {
        self.lock().elements.len()
    }
}

impl fmt::Debug for QueueState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let types: Vec<String> = self.types.iter().map(ToString::to_string).collect();
        write!(f, "queue {} of ({})", self.id, types.join(", "))
    }
}

impl Resource for QueueState {
    fn id(&self) -> u64 {
        self.id
    }

    fn kind(&self) -> &'static str {
        "queue"
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

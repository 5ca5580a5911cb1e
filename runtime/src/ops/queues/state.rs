//! The state of a queue.

use std::any::Any;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::io::{self, Write as _};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

use crate::array::{Array, Resource};
use crate::tensor::identity::next_id;
use crate::types::{DType, Error, Result, TensorType, bail, err};

/// A thread that waits so long for a queue that no other thread ever used is reported.
const LONG: Duration = Duration::from_secs(5);

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
    /// Calls that put elements in or take them out, by number, in the order in which they came. Each has its turn when it
    /// is the first.
    producers: VecDeque<u64>,
    consumers: VecDeque<u64>,
    /// The last number that a call or an insertion got.
    number: u64,
    closed: bool,
    /// The first thread that used the queue, and whether it was the only one.
    user: Option<ThreadId>,
    shared: bool,
}

impl Waiting {
    fn next(&mut self) -> u64 {
        self.number += 1;
        self.number
    }

    /// True if no element comes any more: the calls that waited when the queue was closed have put in theirs.
    fn is_done(&self) -> bool {
        self.closed && self.producers.is_empty()
    }
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
        why: &dyn fmt::Display,
    ) -> MutexGuard<'a, Waiting> {
        if waiting.shared {
            return self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        let waited = self.changed.wait_timeout(waiting, LONG);
        let (waiting, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        if timeout.timed_out() && !waiting.shared {
            // `eprintln!` would panic where nothing can be written.
            let _ = writeln!(
                io::stderr(),
                "warning: a thread waits for {self:?}, which {why} and which no other thread has used yet"
            );
            return self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        waiting
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

    fn closed(&self) -> Error {
        err!(Cancelled, "{self:?} is closed: nothing more comes in")
    }

    fn priority(&self, element: &Element) -> Result<i64> {
        match self.order {
            Order::Priority => Ok(element[0].to_i64s()?.first().copied().unwrap_or(0)),
            _ => Ok(0),
        }
    }

    /// Puts elements in, one by one.
    pub(super) fn enqueue(&self, elements: Vec<Element>) -> Result<()> {
        elements.iter().try_for_each(|element| self.check(element))?;
        let priorities = elements.iter().map(|element| self.priority(element));
        let priorities: Vec<i64> = priorities.collect::<Result<_>>()?;
        // Declared before the lock: what is not put in may run users' code when it is dropped.
        let mut elements = priorities.into_iter().zip(elements);
        if elements.len() == 0 {
            return Ok(());
        }
        let mut turn = Turn { queue: self, number: 0 };
        let mut waiting = self.lock();
        if waiting.closed {
            return Err(self.closed());
        }
        turn.number = waiting.next();
        waiting.producers.push_back(turn.number);
        while elements.len() > 0 {
            // A call that is cancelled loses its place.
            if !waiting.producers.contains(&turn.number) {
                return Err(self.closed());
            }
            let is_first = waiting.producers.front() == Some(&turn.number);
            if !is_first || waiting.elements.len() >= self.capacity {
                waiting = self.wait(waiting, &"is full");
            } else if let Some((priority, element)) = elements.next() {
                let number = waiting.next();
                waiting.elements.insert((priority, number), element);
                self.changed.notify_all();
            }
        }
        Ok(())
    }

    /// Takes elements out, as they come: so many, or of a closed queue what is left, if `up_to`. If that is too little it
    /// stays in the queue.
    pub(super) fn dequeue(&self, n: usize, up_to: bool) -> Result<Taken<'_>> {
        let mut turn = Turn { queue: self, number: 0 };
        let mut taken = Taken { queue: self, elements: Vec::new() };
        if n == 0 {
            return Ok(taken);
        }
        let mut waiting = self.lock();
        turn.number = waiting.next();
        waiting.consumers.push_back(turn.number);
        loop {
            if waiting.consumers.front() == Some(&turn.number) {
                let before = taken.elements.len();
                while taken.elements.len() < n
                    && let Some(next) = waiting.elements.pop_first()
                {
                    taken.elements.push(next);
                }
                let held = taken.elements.len();
                if held == n || waiting.is_done() && up_to && held > 0 {
                    return Ok(taken);
                }
                if waiting.is_done() {
                    bail!(
                        OutOfRange,
                        "{self:?} is closed and holds {held} elements, of {n} that are wanted"
                    );
                }
                if held > before {
                    self.changed.notify_all();
                }
            }
            waiting = self.wait(waiting, &format_args!("has fewer than {n} elements"));
        }
    }

    /// Closes the queue. Calls that wait for room put in their elements yet, or fail if `cancel`.
    pub(super) fn close(&self, cancel: bool) -> Result<()> {
        let mut waiting = self.lock();
        if cancel {
            waiting.producers.clear();
        } else if waiting.closed {
            bail!(Cancelled, "{self:?} is closed already");
        }
        waiting.closed = true;
        self.changed.notify_all();
        Ok(())
    }

    pub(super) fn is_closed(&self) -> bool {
        self.lock().closed
    }

    pub(super) fn len(&self) -> usize {
        self.lock().elements.len()
    }
}

/// The number of a waiting call. However the call ends, the number leaves the queue.
struct Turn<'a> {
    queue: &'a QueueState,
    number: u64,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut waiting = self.queue.lock();
        waiting.producers.retain(|number| *number != self.number);
        waiting.consumers.retain(|number| *number != self.number);
        self.queue.changed.notify_all();
    }
}

/// Elements that were taken out. They go back to their places unless they are used.
pub(super) struct Taken<'a> {
    queue: &'a QueueState,
    elements: Vec<((i64, u64), Element)>,
}

impl Taken<'_> {
    /// What `f` makes of the elements. If it fails they stay in the queue.
    pub(super) fn used<R>(mut self, f: impl FnOnce(&[&Element]) -> Result<R>) -> Result<R> {
        let elements: Vec<&Element> = self.elements.iter().map(|(_, element)| element).collect();
        let made = f(&elements)?;
        self.elements.clear();
        Ok(made)
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        if !self.elements.is_empty() {
            self.queue.lock().elements.extend(self.elements.drain(..));
            self.queue.changed.notify_all();
        }
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

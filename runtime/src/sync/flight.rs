//! Work that one thread does and the others wait for.

use std::time::{Duration, Instant};

use crate::sync::{Arc, Condvar, Mutex, PoisonError, ThreadId, current};

/// A waiter that is a worker of a pool looks for other work so often.
const PAUSE: Duration = Duration::from_millis(1);
/// No waiter waits longer. Threads that wait for each other are found at once ([`Waits`]); this is
/// for those that wait in ways that nobody sees, such as for the end of a parallel loop.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a waiter has found to do meanwhile.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Idle {
    /// It is no worker of a pool.
    Nothing,
    /// It is one, and there is nothing to do.
    Pause,
    /// It has run a task.
    Done,
}

/// Who waits for whom: one for all flights, since a circle may go through several.
pub(crate) struct Waits(Mutex<Vec<Wait>>);

#[derive(Clone, Copy)]
struct Wait {
    waiter: ThreadId,
    owner: ThreadId,
    /// The work that is waited for: its place in memory is its own while it is waited for.
    work: usize,
}

impl Waits {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    fn with<R>(&self, f: impl FnOnce(&mut Vec<Wait>) -> R) -> R {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes that `wait.waiter` waits, unless the owner waits for it in turn. A worker that waits
    /// may run a task that waits too, so a thread can wait for several.
    fn begin(&self, wait: Wait) -> bool {
        self.with(|waits| {
            let mut reached = vec![wait.owner];
            let mut next = 0;
            while let Some(thread) = reached.get(next).copied() {
                if thread == wait.waiter {
                    return false;
                }
                for w in waits.iter().filter(|w| w.waiter == thread) {
                    if !reached.contains(&w.owner) {
                        reached.push(w.owner);
                    }
                }
                next += 1;
            }
            waits.push(wait);
            true
        })
    }

    fn end(&self, work: usize, waiter: Option<ThreadId>) {
        self.with(|waits| {
            waits.retain(|w| w.work != work || waiter.is_some_and(|waiter| w.waiter != waiter));
        });
    }
}

/// Work in progress, by key.
pub(crate) struct Flight<K> {
    waits: &'static Waits,
    going: Mutex<Vec<Arc<Work<K>>>>,
    landed: Condvar,
}

struct Work<K> {
    key: K,
    owner: ThreadId,
}

/// What a thread that wants a piece of work may do.
pub(crate) enum Turn<'a, K> {
    /// Do it: either nobody does, or waiting for who does would never end.
    Mine(Landing<'a, K>),
    /// Look again: somebody who did it is done, or gave up.
    Waited,
}

/// The work is in progress until this is dropped.
pub(crate) struct Landing<'a, K> {
    flight: &'a Flight<K>,
    work: Arc<Work<K>>,
}

impl<K: PartialEq> Flight<K> {
    pub(crate) const fn new(waits: &'static Waits) -> Self {
        Self { waits, going: Mutex::new(Vec::new()), landed: Condvar::new() }
    }

    fn with<R>(&self, f: impl FnOnce(&mut Vec<Arc<Work<K>>>) -> R) -> R {
        f(&mut self.going.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// How often this thread does work of this key at present, and whether `f` holds for one of
    /// them: a task that it has taken over while it waits may want what it is doing.
    pub(crate) fn mine(&self, key: &K, f: impl Fn(&K) -> bool) -> (usize, bool) {
        let thread = current().id();
        self.with(|going| {
            let mine = going.iter().filter(|w| w.owner == thread && w.key == *key);
            mine.fold((0, false), |(n, any), w| (n + 1, any || f(&w.key)))
        })
    }

    /// A turn at the work of this key. `idle` runs other work of the thread's pool; it is called
    /// without locks.
    pub(crate) fn turn(&self, key: K, idle: impl Fn() -> Idle) -> Turn<'_, K> {
        let thread = current().id();
        let work = Arc::new(Work { key, owner: thread });
        let other = self.with(|going| {
            let same = || going.iter().filter(|w| w.key == work.key);
            let other = same().next().filter(|_| same().all(|w| w.owner != thread)).cloned();
            let other = other.filter(|other| self.waits.begin(wait(other, thread)));
            if other.is_none() {
                going.push(work.clone());
            }
            other
        });
        if let Some(other) = other {
            let done = self.wait_for(&other, idle);
            self.waits.end(address(&other), Some(thread));
            if done {
                return Turn::Waited;
            }
            self.with(|going| going.push(work.clone()));
        }
        Turn::Mine(Landing { flight: self, work })
    }

    /// False if the waiter's patience is at an end.
    fn wait_for(&self, work: &Arc<Work<K>>, idle: impl Fn() -> Idle) -> bool {
        let begin = Instant::now();
        loop {
            let found = idle();
            let going = self.going.lock().unwrap_or_else(PoisonError::into_inner);
            if !going.iter().any(|w| Arc::ptr_eq(w, work)) {
                return true;
            }
            if begin.elapsed() > PATIENCE {
                return false;
            }
            let pause = match found {
                Idle::Done => continue,
                Idle::Pause => PAUSE,
                Idle::Nothing => PATIENCE,
            };
            drop(self.landed.wait_timeout(going, pause).unwrap_or_else(PoisonError::into_inner));
        }
    }
}

fn address<K>(work: &Arc<Work<K>>) -> usize {
    Arc::as_ptr(work) as usize
}

fn wait<K>(work: &Arc<Work<K>>, waiter: ThreadId) -> Wait {
    Wait { waiter, owner: work.owner, work: address(work) }
}

impl<K> Landing<'_, K> {
    /// The key of the work.
    pub(crate) fn key(&self) -> &K {
        &self.work.key
    }
}

impl<K> Drop for Landing<'_, K> {
    fn drop(&mut self) {
        let mut going = self.flight.going.lock().unwrap_or_else(PoisonError::into_inner);
        going.retain(|w| !Arc::ptr_eq(w, &self.work));
        self.flight.waits.end(address(&self.work), None);
        self.flight.landed.notify_all();
    }
}

//! Work that one thread does and the others wait for.

use std::fmt;
use std::time::{Duration, Instant};

use crate::sync::{Arc, Condvar, Mutex, PoisonError, ThreadId, current};

/// How long a waiting worker of a pool pauses before it looks for other work again.
const PAUSE: Duration = Duration::from_millis(1);
/// The longest wait. Threads that wait for each other through [`Waits`] are found at once; this limit is
/// for waits that are not recorded there, such as for the end of a parallel loop.
const PATIENCE: Duration = Duration::from_secs(30);
/// A wait that lasts this long is reported.
const LONG: Duration = Duration::from_secs(5);

/// What a waiting thread found to do meanwhile.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Idle {
    /// The thread is no worker of a pool.
    Nothing,
    /// The thread is a worker of a pool, and there is no other work.
    Pause,
    /// The thread has run a task.
    Done,
}

/// Records which thread waits for which. All flights share one, since a cycle may go through several.
pub(crate) struct Waits {
    waits: Mutex<Vec<Wait>>,
    /// A wait that lasts this long is reported once.
    long: Duration,
    /// Reports a long wait.
    tell: fn(&str),
}

#[derive(Clone, Copy)]
struct Wait {
    waiter: ThreadId,
    owner: ThreadId,
    /// The address of the awaited work, which is unique while it is waited for.
    work: usize,
}

impl Waits {
    pub(crate) const fn new() -> Self {
        Self::telling(LONG, |text| eprintln!("{text}"))
    }

    /// An empty record that reports each wait of at least `long` by `tell`.
    const fn telling(long: Duration, tell: fn(&str)) -> Self {
        Self { waits: Mutex::new(Vec::new()), long, tell }
    }

    fn with<R>(&self, f: impl FnOnce(&mut Vec<Wait>) -> R) -> R {
        f(&mut self.waits.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Records a wait and returns true; returns false if the owner already waits for the waiter, directly or
    /// through others. A waiting worker may run a task that waits too, so a thread can have several waits.
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
    /// The owner's name.
    name: String,
}

/// What a thread that wants a piece of work may do.
pub(crate) enum Turn<'a, K> {
    /// Do it: no other thread does it, or waiting for that thread would never end.
    Mine(Landing<'a, K>),
    /// Look again: the thread that did it is done, or gave up.
    Waited,
}

/// The work is in progress until this is dropped.
pub(crate) struct Landing<'a, K> {
    flight: &'a Flight<K>,
    work: Arc<Work<K>>,
}

/// The name of this thread.
fn name() -> String {
    let thread = current();
    thread.name().map_or_else(|| format!("{:?}", thread.id()), |name| format!("`{name}`"))
}

/// The key's text describes its work in messages.
impl<K: PartialEq + fmt::Display> Flight<K> {
    pub(crate) const fn new(waits: &'static Waits) -> Self {
        Self { waits, going: Mutex::new(Vec::new()), landed: Condvar::new() }
    }

    fn with<R>(&self, f: impl FnOnce(&mut Vec<Arc<Work<K>>>) -> R) -> R {
        f(&mut self.going.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// How many pieces of work with this key this thread is doing, and whether `f` holds for one of them.
    /// A task that the thread runs while it waits may want the work that the thread is doing.
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
        let work = Arc::new(Work { key, owner: thread, name: name() });
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

    /// Waits until the work is done. False if that takes longer than [`PATIENCE`].
    fn wait_for(&self, work: &Arc<Work<K>>, idle: impl Fn() -> Idle) -> bool {
        let (begin, mut is_told) = (Instant::now(), false);
        loop {
            let found = idle();
            if !is_told && begin.elapsed() >= self.waits.long {
                is_told = true;
                (self.waits.tell)(&told(work, self.waits.long));
            }
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
                Idle::Nothing if is_told => PATIENCE,
                Idle::Nothing => self.waits.long,
            };
            drop(self.landed.wait_timeout(going, pause).unwrap_or_else(PoisonError::into_inner));
        }
    }
}

/// The report of a long wait.
#[cold]
fn told<K: fmt::Display>(work: &Work<K>, long: Duration) -> String {
    format!(
        "extype: thread {} has waited {long:?} for thread {}, which is busy with {}. If that thread waits for this \
         one, such as by a `join`, neither goes on until this one has waited {PATIENCE:?} and does the work by itself: \
         join threads outside of traced functions and of initializers.",
        name(),
        work.name,
        work.key
    )
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

#[cfg(all(test, not(shuttle)))]
mod tests {
    use super::*;

    static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());
    static WAITS: Waits = Waits::telling(Duration::from_millis(20), |text| {
        TOLD.lock().unwrap().push(text.to_owned());
    });
    static FLIGHT: Flight<&str> = Flight::new(&WAITS);

    #[test]
    fn a_long_wait_is_told_of_once() {
        let named = |name: &str, f: fn(Idle), idle| {
            std::thread::Builder::new().name(name.into()).spawn(move || f(idle)).unwrap()
        };
        for (i, idle) in [Idle::Nothing, Idle::Pause].into_iter().enumerate() {
            let Turn::Mine(landing) = FLIGHT.turn("the trace of `step`", || Idle::Nothing) else {
                panic!("nobody else does it")
            };
            let waiter = named(
                "waiter",
                |idle| {
                    let turn = FLIGHT.turn("the trace of `step`", || idle);
                    assert!(matches!(turn, Turn::Waited));
                },
                idle,
            );
            let begin = Instant::now();
            while TOLD.lock().unwrap().len() == i && begin.elapsed() < PATIENCE {
                std::thread::sleep(PAUSE);
            }
            // Enough time for a second report, which must not come.
            std::thread::sleep(Duration::from_millis(60));
            drop(landing);
            waiter.join().unwrap();
            let told = TOLD.lock().unwrap();
            assert_eq!(told.len(), i + 1, "{told:?}");
            let owner = current().name().unwrap().to_owned();
            let says = format!(
                "thread `waiter` has waited 20ms for thread `{owner}`, which is busy with the trace of `step`"
            );
            assert!(told[i].contains(&says), "{}", told[i]);
        }
    }

    #[test]
    fn a_short_wait_is_not_told_of() {
        static WAITS: Waits = Waits::telling(LONG, |text| panic!("{text}"));
        static FLIGHT: Flight<u8> = Flight::new(&WAITS);
        let Turn::Mine(landing) = FLIGHT.turn(1, || Idle::Nothing) else { panic!("it is free") };
        let waiter = std::thread::spawn(|| drop(FLIGHT.turn(1, || Idle::Nothing)));
        std::thread::sleep(Duration::from_millis(30));
        drop(landing);
        waiter.join().unwrap();
    }
}

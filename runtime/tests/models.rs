//! Models of what threads share: the table of traces and the turns at work, run under a scheduler
//! that tries many orders of threads.
//!
//! ```text
//! RUSTFLAGS="--cfg shuttle" cargo test -p extype --test models --target-dir target/shuttle
//! ```
#![cfg(shuttle)]

use std::cell::Cell;

use shuttle::thread;

use crate::sync::{Arc, AtomicBool, AtomicU64, Flight, Idle, Mutex, Ordering, Turn, Waits};
use crate::table::{Key, TracesByKey};

/// The primitives of `runtime/src/sync`, as the scheduler has them.
mod sync {
    use std::ops::Deref;

    pub(crate) use crate::flight::{Flight, Idle, Turn, Waits};
    use shuttle::sync::RwLock;
    pub(crate) use shuttle::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    pub(crate) use shuttle::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
    pub(crate) use shuttle::thread::{ThreadId, current};

    /// What `arc_swap::ArcSwap` does.
    pub(crate) struct Snapshot<T>(RwLock<Arc<T>>);

    pub(crate) struct Loaded<T>(Arc<T>);

    impl<T> Deref for Loaded<T> {
        type Target = Arc<T>;

        fn deref(&self) -> &Arc<T> {
            &self.0
        }
    }

    impl<T> Snapshot<T> {
        pub(crate) fn from_pointee(value: T) -> Self {
            Self(RwLock::new(Arc::new(value)))
        }

        pub(crate) fn load(&self) -> Loaded<T> {
            Loaded(self.0.read().unwrap().clone())
        }

        pub(crate) fn swap(&self, new: Arc<T>) -> Arc<T> {
            std::mem::replace(&mut self.0.write().unwrap(), new)
        }
    }
}

#[path = "../src/sync/flight.rs"]
#[expect(dead_code, reason = "models use a part of it")]
mod flight;
#[path = "../src/trace/table.rs"]
#[expect(dead_code, reason = "models use a part of it")]
mod table;

const RUNS: usize = 500;

/// Numbers from one to another: a type. One number alone is a request.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Range(u64, u64);

impl Key for Range {
    fn digest(&self) -> u64 {
        self.0
    }

    fn serves(&self, request: &Self) -> bool {
        self.0 <= request.0 && request.1 <= self.1
    }

    fn is_closed(&self) -> bool {
        self.0 == self.1
    }

    fn is_dead(&self) -> bool {
        false
    }
}

/// A trace that may die.
struct Trace {
    range: Range,
    live: AtomicBool,
}

fn live(trace: &Trace) -> bool {
    trace.live.load(Ordering::SeqCst)
}

fn trace(range: Range) -> Trace {
    Trace { range, live: AtomicBool::new(true) }
}

type Traces = TracesByKey<Range, (), Trace>;

/// What a call does that finds a trace; all numbers share two fingerprints.
fn call(table: &Traces, n: u64) -> Option<Range> {
    let (request, fingerprint) = (Range(n, n), n % 2);
    let view = table.view();
    if let Some(call) = view.find(fingerprint, |c| c.key == request && live(&c.traced.trace)) {
        assert!(call.traced.key.serves(&request));
        let best = view.best(&request, live).map(|t| t.key);
        assert!(best.is_none_or(|best| best == call.traced.key || !live(&call.traced.trace)));
        return Some(call.traced.trace.range);
    }
    let best = view.best(&request, live)?.clone();
    let call = table.remember((fingerprint, request, ()), &best, view.next(), live);
    Some(call.traced.trace.range)
}

fn insert(table: &Traces, range: Range) -> Arc<table::KeyedTrace<Range, Trace>> {
    table.insert(range, trace(range), live, live)
}

#[test]
fn calls_get_the_most_specific_trace_while_others_are_added_and_answers_dropped() {
    shuttle::check_random(
        || {
            let table = Arc::new(Traces::new(1024));
            insert(&table, Range(0, 9));
            let callers = (0..2).map(|i| {
                let table = table.clone();
                thread::spawn(move || {
                    for n in [i, 1, 2, 3, 4, 5, 1, 2] {
                        assert!(call(&table, n).is_some_and(|r| r.serves(&Range(n, n))));
                    }
                })
            });
            let callers: Vec<_> = callers.collect();
            for range in [Range(0, 4), Range(2, 2), Range(1, 5), Range(2, 2)] {
                insert(&table, range);
            }
            for caller in callers {
                caller.join().unwrap();
            }
            assert_eq!(table.len(), 4, "one for each key");
            for (n, best) in
                [(2, Range(2, 2)), (1, Range(0, 4)), (5, Range(1, 5)), (9, Range(0, 9))]
            {
                assert_eq!((call(&table, n), call(&table, n)), (Some(best), Some(best)));
            }
        },
        RUNS,
    );
}

#[test]
fn dead_traces_serve_nobody_and_are_swept() {
    shuttle::check_random(
        || {
            let table = Arc::new(Traces::new(1024));
            let threads: Vec<_> = (0..2u64)
                .map(|i| {
                    let table = table.clone();
                    thread::spawn(move || {
                        for n in 0..6 {
                            let range = Range(10 * i + n, 10 * i + n);
                            let made = insert(&table, range);
                            assert_eq!(call(&table, range.0), Some(range));
                            made.trace.live.store(false, Ordering::SeqCst);
                            assert_eq!(call(&table, range.0), None);
                        }
                    })
                })
                .collect();
            for thread in threads {
                thread.join().unwrap();
            }
            // Dead ones of the same key are replaced, others go when there are too many.
            insert(&table, Range(0, 0));
            assert_eq!(call(&table, 0), Some(Range(0, 0)));
            assert!(table.len() < 8, "{}", table.len());
        },
        RUNS,
    );
}

#[test]
fn a_full_table_drops_traces_and_calls_still_get_theirs() {
    shuttle::check_random(
        || {
            let table = Arc::new(Traces::new(2));
            let threads: Vec<_> = (0..2u64)
                .map(|i| {
                    let table = table.clone();
                    thread::spawn(move || {
                        for n in [i, 2 + i, i] {
                            let range = Range(n, n);
                            // The other thread may drop it at once; then it serves this call only.
                            let made = insert(&table, range);
                            assert_eq!(made.trace.range, range);
                            assert!(call(&table, n).is_none_or(|found| found == range));
                            assert!(table.len() <= 2);
                        }
                    })
                })
                .collect();
            for thread in threads {
                thread.join().unwrap();
            }
            let last = insert(&table, Range(8, 8));
            assert_eq!(call(&table, 8), Some(last.trace.range));
        },
        RUNS,
    );
}

#[test]
fn clearing_lets_nothing_come_back() {
    shuttle::check_random(
        || {
            let table = Arc::new(Traces::new(1024));
            insert(&table, Range(0, 9));
            let caller = {
                let table = table.clone();
                thread::spawn(move || call(&table, 3))
            };
            table.clear();
            assert_eq!(call(&table, 3), None);
            caller.join().unwrap();
            assert_eq!(call(&table, 3), None);
        },
        RUNS,
    );
}

fn flight<K: PartialEq + std::fmt::Display>() -> (&'static Waits, Flight<K>) {
    let waits: &'static Waits = Box::leak(Box::new(Waits::new()));
    (waits, Flight::new(waits))
}

fn nothing() -> Idle {
    Idle::Nothing
}

#[test]
fn work_that_several_want_is_done_once_and_again_if_it_fails() {
    for fails in [0, 1, 2] {
        shuttle::check_random(
            move || {
                let shared =
                    Arc::new((flight::<u64>().1, AtomicU64::new(0), AtomicBool::new(false)));
                let threads: Vec<_> = (0..3)
                    .map(|_| {
                        let shared = shared.clone();
                        thread::spawn(move || {
                            let (flight, tries, done) = &*shared;
                            while !done.load(Ordering::SeqCst) {
                                let Turn::Mine(landing) = flight.turn(7, nothing) else { continue };
                                if done.load(Ordering::SeqCst) {
                                    break;
                                }
                                assert_eq!(flight.mine(&7, |_| true), (1, true));
                                if tries.fetch_add(1, Ordering::SeqCst) < fails {
                                    return;
                                }
                                done.store(true, Ordering::SeqCst);
                                drop(landing);
                            }
                        })
                    })
                    .collect();
                for thread in threads {
                    thread.join().unwrap();
                }
                assert_eq!(shared.1.load(Ordering::SeqCst), fails + 1);
            },
            RUNS,
        );
    }
}

/// Each thread does one piece of work, and another within it: in a circle.
#[test]
fn threads_that_wait_in_a_circle_go_on() {
    shuttle::check_random(
        || {
            // Two flights: a circle goes through both.
            let (waits, one) = flight::<u64>();
            let flights = Arc::new((one, Flight::<u64>::new(waits)));
            let done = Arc::new(Mutex::new(Vec::new()));
            let threads: Vec<_> = (0..3u64)
                .map(|i| {
                    let (flights, done) = (flights.clone(), done.clone());
                    thread::spawn(move || {
                        let of = |n: u64| if n == 0 { &flights.0 } else { &flights.1 };
                        let work = |n: u64, within: &dyn Fn()| loop {
                            if done.lock().unwrap().contains(&n) {
                                return;
                            }
                            if let Turn::Mine(_landing) = of(n).turn(n, nothing) {
                                within();
                                done.lock().unwrap().push(n);
                                return;
                            }
                        };
                        work(i, &|| work((i + 1) % 3, &|| ()));
                    })
                })
                .collect();
            for thread in threads {
                thread.join().unwrap();
            }
            let done = done.lock().unwrap();
            assert!((0..3).all(|n| done.contains(&n)));
        },
        RUNS,
    );
}

/// A worker that waits runs a task that wants what the worker itself is doing.
#[test]
fn a_task_that_a_waiting_thread_took_over_does_not_wait_for_it() {
    shuttle::check_random(
        || {
            let flight = Arc::new(flight::<u64>().1);
            let other = {
                let flight = flight.clone();
                thread::spawn(move || {
                    if let Turn::Mine(landing) = flight.turn(2, nothing) {
                        thread::yield_now();
                        drop(landing);
                    }
                })
            };
            let Turn::Mine(_mine) = flight.turn(1, nothing) else { panic!("nobody else does 1") };
            let tasks = Cell::new(1);
            let idle = || match tasks.replace(0) {
                0 => Idle::Nothing,
                _ => {
                    assert!(matches!(flight.turn(1, nothing), Turn::Mine(_)));
                    Idle::Done
                }
            };
            drop(flight.turn(2, idle));
            other.join().unwrap();
        },
        RUNS,
    );
}

/// What a traced function does: look, take a turn, look again, make, add.
#[test]
fn threads_that_miss_at_once_make_one_trace() {
    shuttle::check_random(
        || {
            let shared = Arc::new((Traces::new(1024), flight::<u64>().1, AtomicU64::new(0)));
            let threads: Vec<_> = (0..3)
                .map(|_| {
                    let shared = shared.clone();
                    thread::spawn(move || {
                        let (table, flight, made) = &*shared;
                        loop {
                            let next = table.view().next();
                            if call(table, 5).is_some() {
                                return;
                            }
                            if let Turn::Mine(_landing) = flight.turn(5, nothing)
                                && table.view().next() == next
                            {
                                made.fetch_add(1, Ordering::SeqCst);
                                insert(table, Range(5, 5));
                            }
                        }
                    })
                })
                .collect();
            for thread in threads {
                thread.join().unwrap();
            }
            assert_eq!(shared.2.load(Ordering::SeqCst), 1);
        },
        RUNS,
    );
}

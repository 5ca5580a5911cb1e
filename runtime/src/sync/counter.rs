//! A count to which threads add without sharing a cache line.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The lines of a counter. The last one is shared by all threads beyond.
const LINES: usize = 16;

/// A cache line with a count.
#[repr(align(64))]
#[derive(Default)]
struct Line(AtomicU64);

/// A count of events. The first threads have a line each, so adding costs a load and a store.
#[derive(Default)]
pub(crate) struct Counter(Box<[Line; LINES]>);

impl Counter {
    /// Adds one.
    #[inline]
    pub(crate) fn add(&self) {
        let place = PLACE.get();
        let place = if place == NONE { claim() } else { place };
        let Line(count) = &self.0[place.min(LINES - 1)];
        if place < LINES - 1 {
            // Only this thread writes here.
            count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        } else {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The sum of all threads' events. Those of running threads may be missing.
    pub(crate) fn sum(&self) -> u64 {
        self.0.iter().map(|line| line.0.load(Ordering::Relaxed)).sum()
    }
}

const NONE: usize = usize::MAX;

thread_local! {
    static PLACE: Cell<usize> = const { Cell::new(NONE) };
    static CLAIM: Claim = const { Claim };
}

/// The places of lines that no thread has; smaller ones are given first.
static FREE: Mutex<[bool; LINES - 1]> = Mutex::new([true; LINES - 1]);

/// Gives the place of a thread that ends to the next one.
struct Claim;

impl Drop for Claim {
    fn drop(&mut self) {
        let place = PLACE.replace(LINES - 1);
        if let Some(free) = FREE.lock().unwrap_or_else(PoisonError::into_inner).get_mut(place) {
            *free = true;
        }
    }
}

#[cold]
fn claim() -> usize {
    // A thread that is ending already counts in the shared line.
    let registered = CLAIM.try_with(|_| ()).is_ok();
    let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
    let place = free.iter().position(|free| *free).filter(|_| registered).unwrap_or(LINES - 1);
    if let Some(free) = free.get_mut(place) {
        *free = false;
    }
    PLACE.set(place);
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_event_is_lost_with_more_threads_than_lines() {
        let counter = Counter::default();
        std::thread::scope(|scope| {
            for _ in 0..3 * LINES {
                scope.spawn(|| (0..1000).for_each(|_| counter.add()));
            }
        });
        assert_eq!(counter.sum(), 3000 * LINES as u64);
    }

    #[test]
    fn places_of_threads_that_ended_are_given_again() {
        for _ in 0..4 * LINES {
            let place = std::thread::spawn(|| {
                Counter::default().add();
                PLACE.get()
            });
            place.join().expect("the thread ends");
        }
        let taken = FREE.lock().unwrap().iter().filter(|free| !**free).count();
        assert!(taken < LINES - 1, "{taken}");
    }
}

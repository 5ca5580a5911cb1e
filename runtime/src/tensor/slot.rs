//! The storage for the value of a variable.
//!
//! No lock is held while work runs on the thread pool: a waiting worker runs other tasks on its
//! own stack, and one of them may need the same lock.

#[cfg(not(all(test, shuttle)))]
use std::sync::{PoisonError, RwLock, RwLockWriteGuard};

use extype_kernels::Par;
#[cfg(all(test, shuttle))]
use shuttle::sync::{RwLock, RwLockWriteGuard};
#[cfg(all(test, shuttle))]
use std::sync::PoisonError;

use crate::array::Array;

/// Up to this number of elements, computing takes no longer than taking the lock again, and no kernel
/// uses the pool.
const SMALL: usize = 1 << 12;

/// Shared immutable values: a clone is the same value.
pub(super) trait Shared: Clone {
    /// True if the other is a clone of this one. As long as a clone is kept, no new value counts as one.
    fn is(&self, other: &Self) -> bool;

    /// True if computing with the value may take long.
    fn is_large(&self) -> bool;
}

impl Shared for Array {
    fn is(&self, other: &Self) -> bool {
        self.id() == other.id()
    }

    fn is_large(&self) -> bool {
        // A device computes and copies at its own pace.
        self.len() > SMALL || self.device_memory().is_some()
    }
}

impl<T: Shared> Shared for Option<T> {
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Some(x), Some(y)) => x.is(y),
            (x, y) => x.is_none() && y.is_none(),
        }
    }

    fn is_large(&self) -> bool {
        self.as_ref().is_some_and(Shared::is_large)
    }
}

/// A value that threads read, replace and update; each of these is atomic for other threads.
pub(super) struct AtomicSlot<T>(RwLock<T>);

impl<T: Shared> AtomicSlot<T> {
    pub(super) fn new(value: T) -> Self {
        Self(RwLock::new(value))
    }

    pub(super) fn read(&self) -> T {
        // A value is always replaced as a whole, so the content of a poisoned lock is still valid.
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn lock(&self) -> RwLockWriteGuard<'_, T> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the old value, which the caller drops outside the lock.
    pub(super) fn replace(&self, new: T) -> T {
        std::mem::replace(&mut *self.lock(), new)
    }

    /// Replaces the value by the result of `compute`, and returns the old one. `compute` must
    /// obey its second argument, and may be called twice.
    ///
    /// A large value is computed from a snapshot, without holding the lock. If another write happened in
    /// between, it is computed again under the lock, on this thread alone. So other threads wait for the lock
    /// only for a bounded time, and an update can't be delayed forever by other writes.
    pub(super) fn update<E>(&self, compute: impl Fn(&T, Par) -> Result<T, E>) -> Result<T, E> {
        // Declared first, so that it is dropped after the lock is released.
        let snapshot;
        let mut slot = self.lock();
        if slot.is_large() {
            snapshot = slot.clone();
            drop(slot);
            let new = compute(&snapshot, Par::Pool)?;
            slot = self.lock();
            if slot.is(&snapshot) {
                return Ok(std::mem::replace(&mut *slot, new));
            }
        }
        let new = compute(&slot, Par::Seq)?;
        Ok(std::mem::replace(&mut *slot, new))
    }
}

impl AtomicSlot<Option<Array>> {
    /// Changes the value in its own memory, under the lock, if nobody else holds it; a small one is copied. `change` does
    /// no work on the thread pool.
    pub(super) fn change<R>(&self, change: impl FnOnce(&mut Array) -> R) -> Option<R> {
        let mut slot = self.lock();
        let value = slot.as_mut().filter(|x| x.is_unique() || !x.is_large())?;
        Some(change(value))
    }
}

#[cfg(all(test, not(shuttle)))]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn ones(len: usize) -> Array {
        Array::from_slice([len], &vec![1.0f32; len]).unwrap()
    }

    #[test]
    fn a_large_value_is_computed_without_the_lock() {
        let slot = AtomicSlot::new(ones(SMALL + 1));
        let old = slot.update(|x, par| {
            assert_eq!(par, Par::Pool);
            assert!(slot.read().is(x), "reading must not wait");
            Ok::<_, ()>(ones(1))
        });
        assert_eq!(old.unwrap().len(), SMALL + 1);
        assert_eq!(slot.read().len(), 1);
    }

    #[test]
    fn after_a_write_in_between_it_is_computed_anew_under_the_lock() {
        let slot = AtomicSlot::new(ones(SMALL + 1));
        let calls = Cell::new(0);
        let old = slot.update(|x, par| {
            calls.set(calls.get() + 1);
            if par == Par::Pool {
                slot.replace(ones(SMALL + 2));
            }
            Ok::<_, ()>(ones(x.len() + 1))
        });
        assert_eq!((calls.get(), old.unwrap().len()), (2, SMALL + 2));
        assert_eq!(slot.read().len(), SMALL + 3);
    }

    #[test]
    fn a_failed_update_leaves_the_value() {
        for len in [1, SMALL + 1] {
            let slot = AtomicSlot::new(ones(len));
            assert!(slot.update(|_, _| Err(())).is_err());
            assert_eq!(slot.read().len(), len);
        }
    }
}

/// A model of the protocol: `RUSTFLAGS="--cfg shuttle" cargo test -p extype --lib slot::`.
#[cfg(all(test, shuttle))]
mod tests {
    use std::sync::Arc;

    use shuttle::thread;

    use super::*;

    /// A number with its own address. Numbers not divisible by four count as large, so both paths are tested.
    #[derive(Clone)]
    struct Number(Arc<u64>);

    impl Number {
        fn new(x: u64) -> Self {
            Self(Arc::new(x))
        }
    }

    impl Shared for Number {
        fn is(&self, other: &Self) -> bool {
            Arc::ptr_eq(&self.0, &other.0)
        }

        fn is_large(&self) -> bool {
            *self.0 % 4 != 0
        }
    }

    fn add(slot: &AtomicSlot<Number>, n: u64) -> u64 {
        let add = |x: &Number, _| {
            thread::yield_now();
            Ok::<_, ()>(Number::new(*x.0 + n))
        };
        *slot.update(add).unwrap().0
    }

    #[test]
    fn no_update_is_lost_and_reads_see_whole_ones() {
        shuttle::check_random(
            || {
                let slot = Arc::new(AtomicSlot::new(Number::new(0)));
                let adding: Vec<_> = (0..3)
                    .map(|i| {
                        let slot = slot.clone();
                        thread::spawn(move || [add(&slot, 10), add(&slot, 10 + i)])
                    })
                    .collect();
                let reading = {
                    let slot = slot.clone();
                    thread::spawn(move || (*slot.read().0, *slot.read().0))
                };
                let (first, second) = reading.join().unwrap();
                assert!(first <= second && second <= 63);
                let mut seen: Vec<u64> =
                    adding.into_iter().flat_map(|t| t.join().unwrap()).collect();
                assert_eq!(*slot.read().0, 63);
                // Each update saw a different value.
                seen.sort_unstable();
                seen.dedup();
                assert_eq!(seen.len(), 6);
            },
            2000,
        );
    }

    #[test]
    fn an_assignment_is_before_or_after_an_update() {
        shuttle::check_random(
            || {
                let slot = Arc::new(AtomicSlot::new(Number::new(1)));
                let other = slot.clone();
                let adding = thread::spawn(move || add(&other, 100));
                let old = *slot.replace(Number::new(7)).0;
                let seen = adding.join().unwrap();
                let now = *slot.read().0;
                assert!(
                    matches!((old, seen, now), (1, 7, 107) | (101, 1, 7)),
                    "{old} {seen} {now}"
                );
            },
            2000,
        );
    }
}

//! Memory that kernels need besides their results.

use core::fmt;
use std::sync::OnceLock;

/// The working memory of a kernel was refused; its result is not written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfMemory {
    /// The number of bytes asked for.
    pub bytes: usize,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no memory for {} bytes to work in", self.bytes)
    }
}

impl std::error::Error for OutOfMemory {}

/// Frees memory that is kept for reuse.
static RELIEF: OnceLock<fn()> = OnceLock::new();

/// Sets the function that frees memory kept for reuse. It is called before a kernel fails for lack of memory. Only the
/// first call of `on_shortage` counts.
pub fn on_shortage(give_back: fn()) {
    let _ = RELIEF.set(give_back);
}

/// Asks for memory. If that fails, memory kept for reuse is freed, and the request is repeated.
pub(crate) fn asked<E>(mut ask: impl FnMut() -> Result<(), E>) -> Result<(), E> {
    ask().or_else(|e| {
        RELIEF.get().ok_or(e)?();
        ask()
    })
}

/// An empty vector with room for this many.
pub(crate) fn room<T>(len: usize) -> Result<Vec<T>, OutOfMemory> {
    let mut room = Vec::new();
    reserve(&mut room, len)?;
    Ok(room)
}

/// Reserves room for this many more.
pub(crate) fn reserve<T>(x: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
    let bytes = x.len().saturating_add(more).saturating_mul(size_of::<T>());
    asked(|| x.try_reserve(more)).map_err(|_| OutOfMemory { bytes })
}

/// Collects an iterator of known length.
pub(crate) fn collected<T>(x: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, OutOfMemory> {
    let mut all = room(x.len())?;
    all.extend(x);
    Ok(all)
}

/// A vector of integers to work with. When it is dropped, its memory is kept for the next one of this thread: fresh memory
/// is a fault for each page, and takes as long as sorting does.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct WorkVec<T: Recycled>(Vec<T>);

impl<T: Recycled> WorkVec<T> {
    /// An empty vector with room for this many.
    ///
    /// # Errors
    ///
    /// If there is no memory for them.
    pub fn room(len: usize) -> Result<Self, OutOfMemory> {
        let mut room = T::with_shelf(|shelf| {
            let fits = shelf.iter().position(|kept| kept.capacity() >= len);
            fits.map_or_else(Vec::new, |i| shelf.swap_remove(i))
        });
        reserve(&mut room, len)?;
        Ok(Self(room))
    }

    /// So many defaults.
    pub(crate) fn of_len(len: usize) -> Result<Self, OutOfMemory> {
        let mut all = Self::room(len)?;
        all.resize(len, T::default());
        Ok(all)
    }

    /// Collects an iterator of known length.
    pub(crate) fn collected(x: impl ExactSizeIterator<Item = T>) -> Result<Self, OutOfMemory> {
        let mut all = Self::room(x.len())?;
        all.extend(x);
        Ok(all)
    }
}

impl<T: Recycled> core::ops::Deref for WorkVec<T> {
    type Target = Vec<T>;
    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T: Recycled> core::ops::DerefMut for WorkVec<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

impl<T: Recycled> Drop for WorkVec<T> {
    fn drop(&mut self) {
        let bytes = self.0.capacity().saturating_mul(size_of::<T>());
        if (KEPT_FROM..=KEPT_TO).contains(&bytes) {
            let mut freed = core::mem::take(&mut self.0);
            freed.clear();
            T::with_shelf(|shelf| {
                if shelf.len() == SHELF {
                    shelf.remove(0);
                }
                shelf.push(freed);
            });
        }
    }
}

/// The bytes of vectors that are kept. Smaller ones are kept by the allocator.
const KEPT_FROM: usize = 1 << 16;
const KEPT_TO: usize = 1 << 24;
/// As many vectors of a type are kept by a thread.
const SHELF: usize = 3;

/// Integers whose vectors are kept.
pub trait Recycled: Copy + Default + 'static {
    #[doc(hidden)]
    fn with_shelf<R: Default>(f: impl FnOnce(&mut Vec<Vec<Self>>) -> R) -> R;
}

macro_rules! kept {
    ($($t:ty)*) => {$(
        impl Recycled for $t {
            fn with_shelf<R: Default>(f: impl FnOnce(&mut Vec<Vec<Self>>) -> R) -> R {
                std::thread_local! {
                    static SHELF: core::cell::RefCell<Vec<Vec<$t>>> = const { core::cell::RefCell::new(Vec::new()) };
                }
                // A thread that ends keeps nothing.
                SHELF.try_with(|shelf| f(&mut shelf.borrow_mut())).unwrap_or_default()
            }
        }
    )*};
}
kept!(u32 u64 i64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_kept_for_the_next_one() {
        let place = |len| WorkVec::<u32>::of_len(len).unwrap().as_ptr();
        let first = place(1 << 18);
        assert_eq!((place(1 << 17), place(1 << 18)), (first, first));
        let (one, two) =
            (WorkVec::<u32>::of_len(1 << 18).unwrap(), WorkVec::<u32>::of_len(7).unwrap());
        assert!(one.as_ptr() == first && two.as_ptr() != first);
        assert!(one.iter().all(|x| *x == 0));
        assert!(WorkVec::<u64>::room(usize::MAX).is_err());
    }

    #[test]
    fn what_is_too_much_is_an_error() {
        assert_eq!(room::<u64>(usize::MAX), Err(OutOfMemory { bytes: usize::MAX }));
        assert_eq!(room::<u64>(1 << 59), Err(OutOfMemory { bytes: 1 << 62 }));
        assert_eq!(collected([1, 2].into_iter()), Ok(vec![1, 2]));
        assert!(collected(0..isize::MAX as usize).is_err());
    }
}

//! Memory that kernels need besides their results.

use core::any::Any;
use core::fmt;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

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
    ask().or_else(|_| {
        give_back();
        if let Some(more) = RELIEF.get() {
            more();
        }
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

/// A vector of numbers to work with. When it is dropped, its memory is kept for the next one: fresh memory is a fault for
/// each page, and takes as long as sorting does.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct WorkVec<T: Recycled>(Vec<T>);

impl<T: Recycled> WorkVec<T> {
    /// An empty vector with room for this many.
    ///
    /// # Errors
    ///
    /// If there is no memory for them.
    pub fn room(len: usize) -> Result<Self, OutOfMemory> {
        let mut room = shelf().take(len);
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
        if (KEPT_FROM..=KEPT_TO).contains(&bytes_of(&self.0)) {
            let gone = shelf().put(core::mem::take(&mut self.0));
            // The lock is free again.
            drop(gone);
        }
    }
}

/// Numbers whose vectors are kept.
pub trait Recycled: Copy + Default + Send + 'static {}
impl<T: Copy + Default + Send + 'static> Recycled for T {}

/// The bytes of vectors that are kept, and of all of them. Smaller ones are kept by the allocator.
const KEPT_FROM: usize = 1 << 16;
const KEPT_TO: usize = 1 << 24;
const MOST: usize = 1 << 26;

/// A vector with its bytes.
type Kept = (usize, Box<dyn Any + Send>);

/// The vectors that are kept, the latest at the end.
struct Shelf {
    kept: Vec<Kept>,
    most: usize,
}

static SHELF: Mutex<Shelf> = Mutex::new(Shelf { kept: Vec::new(), most: MOST });

fn shelf() -> MutexGuard<'static, Shelf> {
    SHELF.lock().unwrap_or_else(PoisonError::into_inner)
}

fn bytes_of<T>(x: &Vec<T>) -> usize {
    x.capacity() * size_of::<T>()
}

impl Shelf {
    /// A vector with room for this many, or an empty one.
    fn take<T: Recycled>(&mut self, len: usize) -> Vec<T> {
        let fits = |(_, kept): &Kept| {
            kept.downcast_ref::<Vec<T>>().is_some_and(|kept| kept.capacity() >= len)
        };
        let found = self.kept.iter().rposition(fits);
        let found = found.and_then(|i| self.kept.remove(i).1.downcast::<Vec<T>>().ok());
        found.map_or_else(Vec::new, |found| *found)
    }

    /// Keeps a vector. Returns what goes for it, the oldest ones.
    fn put<T: Recycled>(&mut self, mut freed: Vec<T>) -> Vec<Kept> {
        freed.clear();
        self.kept.push((bytes_of(&freed), Box::new(freed)));
        let mut held: usize = self.kept.iter().map(|(bytes, _)| bytes).sum();
        let goes = |(bytes, _): &&Kept| {
            let goes = held > self.most;
            held -= bytes;
            goes
        };
        let gone = self.kept.iter().take_while(goes).count();
        self.kept.drain(..gone).collect()
    }
}

/// Frees the memory that is kept for reuse.
pub fn give_back() {
    let kept = core::mem::take(&mut shelf().kept);
    drop(kept);
}

/// Bounds the memory that is kept for reuse, if this is less than usual.
pub fn keep_at_most(bytes: usize) {
    shelf().most = bytes.min(MOST);
    give_back();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_kept_for_the_next_one() {
        let mut shelf = Shelf { kept: Vec::new(), most: 1 << 20 };
        let first = vec![7u32; 1 << 17];
        let at = first.as_ptr();
        shelf.put(first);
        // Neither for other numbers, nor for more.
        assert!(
            shelf.take::<u64>(7).capacity() == 0
                && shelf.take::<u32>((1 << 17) + 1).capacity() == 0
        );
        let again = shelf.take::<u32>(1 << 16);
        assert!(again.as_ptr() == at && again.is_empty() && shelf.kept.is_empty());
    }

    #[test]
    fn memory_that_is_kept_is_bounded() {
        let mut shelf = Shelf { kept: Vec::new(), most: 1 << 20 };
        for len in [1 << 16, 1 << 17, 1 << 18, 1 << 19] {
            shelf.put(Vec::<u16>::with_capacity(len));
        }
        // The first ones went: 1 MiB is kept by the last one alone.
        assert_eq!(shelf.kept.len(), 1);
        assert!(shelf.take::<u16>(1 << 19).capacity() >= 1 << 19);
        // What is larger than the bound is not kept.
        shelf.put(Vec::<u8>::with_capacity((1 << 20) + 1));
        assert!(shelf.kept.is_empty());
    }

    #[test]
    fn working_memory_is_zero_again() {
        WorkVec::<u64>::of_len(1 << 16).unwrap().fill(7);
        assert!(WorkVec::<u64>::of_len(1 << 15).unwrap().iter().all(|x| *x == 0));
        assert!(WorkVec::<u64>::room(usize::MAX).is_err());
    }

    #[test]
    fn shortage_frees_what_is_kept() {
        let size = || shelf().kept.iter().filter(|(_, kept)| kept.is::<Vec<u128>>()).count();
        drop(WorkVec::<u128>::of_len(1 << 14).unwrap());
        assert!(room::<u64>(usize::MAX).is_err());
        assert_eq!(size(), 0);
    }

    #[test]
    fn nothing_is_kept_if_nothing_may_be() {
        keep_at_most(0);
        drop(WorkVec::<i128>::of_len(1 << 14).unwrap());
        assert!(shelf().kept.iter().all(|(_, kept)| !kept.is::<Vec<i128>>()));
        keep_at_most(usize::MAX);
    }

    #[test]
    fn what_is_too_much_is_an_error() {
        assert_eq!(room::<u64>(usize::MAX), Err(OutOfMemory { bytes: usize::MAX }));
        assert_eq!(room::<u64>(1 << 59), Err(OutOfMemory { bytes: 1 << 62 }));
        assert_eq!(collected([1, 2].into_iter()), Ok(vec![1, 2]));
        assert!(collected(0..isize::MAX as usize).is_err());
    }
}

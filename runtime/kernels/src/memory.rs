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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_is_an_error() {
        assert_eq!(room::<u64>(usize::MAX), Err(OutOfMemory { bytes: usize::MAX }));
        assert_eq!(room::<u64>(1 << 59), Err(OutOfMemory { bytes: 1 << 62 }));
        assert_eq!(collected([1, 2].into_iter()), Ok(vec![1, 2]));
        assert!(collected(0..isize::MAX as usize).is_err());
    }
}

//! Integers that stand for real numbers: the levels of a range that is told beside them.

use core::fmt;

/// A level of a quantized range, as its integer. Levels are stored and moved; to compute with them, ops read the integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Quantized<T>(pub T);

impl<T: fmt::Display> fmt::Display for Quantized<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

// SAFETY: it is its integer, and has that one's bytes.
unsafe impl<T: bytemuck::NoUninit> bytemuck::NoUninit for Quantized<T> {}

//! How a kernel is run: on which threads, and compiled for which CPU.

use crate::element::Element;
use core::mem::MaybeUninit;

/// Whether a kernel may spread its work over threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Par {
    /// Stay on the calling thread.
    #[default]
    Seq,
    /// Use the current rayon pool when the work is large enough to pay for it.
    ///
    /// Without the feature `parallel` this is the same as [`Par::Seq`].
    Pool,
}

/// Up to this many multiplications a plain product beats choosing a CPU level.
pub(crate) const TINY: usize = 64;

/// Elements of cheap work (an addition) below which threads do not pay.
#[cfg(feature = "parallel")]
pub(crate) const CHEAP: usize = 1 << 18;

impl Par {
    /// The number of threads this may use.
    pub(crate) fn threads(self) -> usize {
        match self {
            Par::Seq => 1,
            #[cfg(feature = "parallel")]
            Par::Pool => rayon::current_num_threads(),
            #[cfg(not(feature = "parallel"))]
            Par::Pool => 1,
        }
    }

    /// Calls `f(start, part)` for consecutive parts of `out`.
    ///
    /// Every part but the last is a multiple of `unit` long. `work` is the size
    /// of the whole job in cheap elements; below `CHEAP` there is one part.
    pub(crate) fn for_parts<R, F>(self, out: &mut [MaybeUninit<R>], unit: usize, work: usize, f: F)
    where
        R: Send,
        F: Fn(usize, &mut [MaybeUninit<R>]) + Sync,
    {
        #[cfg(feature = "parallel")]
        if let Some(part) = self.part_len(out.len(), unit, work) {
            use rayon::prelude::*;
            out.par_chunks_mut(part).enumerate().for_each(|(i, out)| f(i * part, out));
            return;
        }
        let _ = (unit, work);
        f(0, out);
    }

    /// Calls `f(i)` for every `i < count` and collects the answers in order.
    pub(crate) fn collect<A, F>(self, count: usize, work: usize, f: F) -> Vec<A>
    where
        A: Send,
        F: Fn(usize) -> A + Sync,
    {
        #[cfg(feature = "parallel")]
        if work >= CHEAP && count > 1 && self.threads() > 1 {
            use rayon::prelude::*;
            return (0..count).into_par_iter().map(&f).collect();
        }
        let _ = work;
        (0..count).map(f).collect()
    }

    /// The length of a part, or `None` to stay on this thread.
    #[cfg(feature = "parallel")]
    fn part_len(self, len: usize, unit: usize, work: usize) -> Option<usize> {
        if self == Par::Seq || work < CHEAP || len <= unit {
            return None;
        }
        let threads = self.threads();
        if threads == 1 {
            return None;
        }
        // A few parts a thread even out threads that start late, but a part
        // has to stay worth the hand-over.
        let parts = (threads * 4).min(work / (CHEAP / 8)).max(1);
        let units = len.div_ceil(unit).div_ceil(parts);
        Some(units * unit)
    }
}

/// Runs `f` compiled for the best instruction set of this CPU.
///
/// Pass a closure marked `#[inline(always)]`: what is not inlined keeps the
/// baseline instruction set.
#[inline(always)]
pub(crate) fn simd<R>(f: impl FnOnce() -> R) -> R {
    pulp::Arch::new().dispatch(f)
}

/// [`simd`] for loops over elements of this type, where that pays.
#[inline(always)]
pub(crate) fn simd_for<T: Element, R>(f: impl FnOnce() -> R) -> R {
    if T::LEVELS { simd(f) } else { f() }
}

//! How a kernel is run: on which threads, and compiled for which CPU.

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

/// The number of elements, in cheap work (an addition), below which threads do not pay.
#[cfg(feature = "parallel")]
pub(crate) const CHEAP: usize = 1 << 18;

/// The callback of [`Par::for_parts`]: it gets the start of a part and the part.
pub(crate) type PartFn<'f, T> = &'f (dyn Fn(usize, &mut [T]) + Sync);

/// The start of a slice that threads divide among them.
pub(crate) struct Start<T>(pub(crate) *mut T);

// SAFETY: the pointer is only used to make slices that do not overlap, and their elements may go to other threads.
unsafe impl<T: Send> Sync for Start<T> {}

impl<T> Start<T> {
    pub(crate) fn at(&self, i: usize) -> *mut T {
        self.0.wrapping_add(i)
    }
}

/// Calls `f(i)` for every `i < count` on the pool.
#[cfg(feature = "parallel")]
fn each(count: usize, f: &(dyn Fn(usize) + Sync)) {
    use rayon::prelude::*;
    (0..count).into_par_iter().for_each(f);
}

/// Runs a waiting task of this thread's pool, for a worker that must wait for another thread. True if there was one,
/// `None` on a thread outside of a pool.
pub fn run_task() -> Option<bool> {
    #[cfg(feature = "parallel")]
    let ran = rayon::yield_now().map(|found| found == rayon::Yield::Executed);
    #[cfg(not(feature = "parallel"))]
    let ran = None;
    ran
}

impl Par {
    /// The number of threads that may be used.
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
    ///
    /// The function is called by pointer, so that the code for threads is compiled only once, not for every kernel.
    pub(crate) fn for_parts<T: Send>(
        self,
        out: &mut [T],
        unit: usize,
        work: usize,
        f: PartFn<'_, T>,
    ) {
        let (len, start) = (out.len(), Start(out.as_mut_ptr()));
        self.for_ranges(len, unit, work, &|from, to| {
            // SAFETY: within `out`, which is borrowed for as long as this runs, and no two ranges have an element in
            // common. The elements may be sent: `T` is.
            f(from, unsafe { core::slice::from_raw_parts_mut(start.at(from), to - from) });
        });
    }

    /// Calls `f(from, to)` for consecutive ranges of `0..len`, as [`for_parts`](Self::for_parts) does for parts.
    pub(crate) fn for_ranges(
        self,
        len: usize,
        unit: usize,
        work: usize,
        f: &(dyn Fn(usize, usize) + Sync),
    ) {
        #[cfg(feature = "parallel")]
        if let Some(part) = self.part_len(len, unit, work) {
            return each(len.div_ceil(part), &|i| f(i * part, len.min((i + 1) * part)));
        }
        let _ = (unit, work);
        f(0, len);
    }

    /// Calls both functions, on two threads if possible.
    pub(crate) fn join(self, a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
        #[cfg(feature = "parallel")]
        if self == Par::Pool {
            rayon::join(a, b);
            return;
        }
        a();
        b();
    }

    /// `self`, or [`Par::Seq`] if the work is too small for threads.
    pub(crate) fn for_work(self, work: usize) -> Par {
        #[cfg(feature = "parallel")]
        if work >= CHEAP && self.threads() > 1 {
            return self;
        }
        let _ = work;
        Par::Seq
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
        // A few parts per thread even out threads that start late. But a part must be worth handing over.
        let parts = (threads * 4).min(work / (CHEAP / 8)).max(1);
        let units = len.div_ceil(unit).div_ceil(parts);
        Some(units * unit)
    }
}

/// The instruction sets that code is compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// What every CPU of the architecture has.
    Baseline,
    /// x86-64 with AVX2 and fused multiply-add.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// x86-64 with the AVX-512 of Skylake.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// The best level of this CPU.
#[inline(always)]
pub(crate) fn level() -> Level {
    #[cfg(target_arch = "x86_64")]
    return x86::level();
    #[cfg(not(target_arch = "x86_64"))]
    return Level::Baseline;
}

/// Runs `f` compiled for the best instruction set of this CPU.
///
/// Pass a closure marked `#[inline(always)]`: code that is not inlined keeps the baseline instruction set.
#[inline(always)]
pub(crate) fn simd<R>(f: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    return x86::run(f);
    #[cfg(not(target_arch = "x86_64"))]
    return f();
}

/// [`simd`], or a plain call where it does not pay.
#[inline(always)]
pub(crate) fn simd_if<const LEVELS: bool, R>(f: impl FnOnce() -> R) -> R {
    if LEVELS { simd(f) } else { f() }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{avx2, avx512};

/// The levels of x86-64 beyond the baseline.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Level;
    use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

    const UNKNOWN: u8 = 0;
    const BASELINE: u8 = 1;
    const AVX2: u8 = 2;
    const AVX512: u8 = 3;

    static LEVEL: AtomicU8 = AtomicU8::new(UNKNOWN);

    #[inline(always)]
    pub(super) fn level() -> Level {
        let known = LEVEL.load(Relaxed);
        match if known == UNKNOWN { detect() } else { known } {
            AVX512 => Level::Avx512,
            AVX2 => Level::Avx2,
            _ => Level::Baseline,
        }
    }

    #[inline(always)]
    pub(super) fn run<R>(f: impl FnOnce() -> R) -> R {
        match level() {
            // SAFETY: `detect` found the instructions of the level.
            Level::Avx512 => unsafe { avx512(f) },
            // SAFETY: likewise.
            Level::Avx2 => unsafe { avx2(f) },
            Level::Baseline => f(),
        }
    }

    #[cold]
    fn detect() -> u8 {
        let avx2 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("f16c");
        let avx512 = avx2
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        let level = if avx512 {
            AVX512
        } else if avx2 {
            AVX2
        } else {
            BASELINE
        };
        LEVEL.store(level, Relaxed);
        level
    }

    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
    #[inline]
    pub(crate) fn avx2<R>(f: impl FnOnce() -> R) -> R {
        f()
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
    #[inline]
    pub(crate) fn avx512<R>(f: impl FnOnce() -> R) -> R {
        f()
    }
}

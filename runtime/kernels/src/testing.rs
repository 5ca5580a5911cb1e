//! Helpers for the tests of this crate.

use core::mem::MaybeUninit;

/// The output of a kernel for a result of this length.
pub(crate) fn filled<T>(len: usize, kernel: impl FnOnce(&mut [MaybeUninit<T>])) -> Vec<T> {
    let mut out: Vec<T> = Vec::with_capacity(len);
    kernel(&mut out.spare_capacity_mut()[..len]);
    // SAFETY: a kernel that returns has written every element.
    unsafe { out.set_len(len) };
    out
}

/// Pseudorandom numbers from -1 to 1, the same on every run.
pub(crate) fn noise(len: usize) -> Vec<f32> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    (0..len)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        })
        .collect()
}

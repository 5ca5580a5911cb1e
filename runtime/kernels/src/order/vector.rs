//! Unsigned integers sorted on vectors of 512 bits: a quicksort whose last parts are sorted in registers.
//!
//! A part of at most sixteen vectors is a matrix with a vector as row. A sorting network sorts its columns, all at
//! once. Then neighbouring columns are merged, until the matrix is one sorted run from column to column.

use crate::par::Par;
use core::arch::x86_64::*;

/// Parts from this length on are sorted by another thread.
const SHARED: usize = 1 << 15;

macro_rules! sorter {
    ($key:ident, $lanes:literal, $mask:ty) => {
        /// Keys in a vector.
        const LANES: usize = $lanes;
        /// The most keys that are sorted in registers.
        const LEAF: usize = 16 * LANES;
        type Vector = [$key; LANES];

        /// For each lane, the lane whose number differs by these bits.
        const fn partners(d: usize) -> Vector {
            let mut lanes = [0; LANES];
            let mut i = 0;
            while i < LANES {
                lanes[i] = (i ^ d) as $key;
                i += 1;
            }
            lanes
        }

        /// The lanes whose number has this bit.
        const fn lanes_with(d: usize) -> $mask {
            let (mut mask, mut i) = (0, 0);
            while i < LANES {
                mask |= (((i & d) != 0) as $mask) << i;
                i += 1;
            }
            mask
        }

        #[target_feature(enable = "avx512f")]
        #[inline]
        fn load(x: &Vector) -> __m512i {
            // SAFETY: this many bytes can be read.
            unsafe { _mm512_loadu_si512(x.as_ptr().cast()) }
        }

        #[target_feature(enable = "avx512f")]
        #[inline]
        fn store(x: &mut Vector, v: __m512i) {
            // SAFETY: this many bytes can be written.
            unsafe { _mm512_storeu_si512(x.as_mut_ptr().cast(), v) }
        }

        /// Compares rows from both ends: each lane of one with the lane of the other whose number differs by `M`.
        #[target_feature(enable = "avx512f")]
        #[inline]
        fn cross<const M: usize, const R: usize>(v: &mut [__m512i; R]) {
            let (partners, high) =
                (load(&const { partners(M) }), const { lanes_with(M.div_ceil(2)) });
            for i in 0..R / 2 {
                let (a, b) = (v[i], v[R - 1 - i]);
                v[i] = halves(a, permute(partners, b), high);
                v[R - 1 - i] = halves(b, permute(partners, a), high);
            }
        }

        /// Compares lanes `D` apart in every row.
        #[target_feature(enable = "avx512f")]
        #[inline]
        fn lanes<const D: usize, const R: usize>(v: &mut [__m512i; R]) {
            let (partners, high) = (load(&const { partners(D) }), const { lanes_with(D) });
            for v in v.iter_mut() {
                *v = halves(*v, permute(partners, *v), high);
            }
        }

        /// Compares rows `D` apart.
        #[target_feature(enable = "avx512f")]
        #[inline]
        fn rows<const D: usize, const R: usize>(v: &mut [__m512i; R]) {
            for i in 0..R {
                if i & D == 0 {
                    (v[i], v[i + D]) = ordered(v[i], v[i + D]);
                }
            }
        }

        /// A step of Batcher's odd-even merge sort of the rows.
        #[target_feature(enable = "avx512f")]
        #[inline]
        fn step<const P: usize, const K: usize, const R: usize>(v: &mut [__m512i; R]) {
            for i in 0..R {
                let from = i.wrapping_sub(K % P);
                if i + K < R && from < R && from % (2 * K) < K && i / (2 * P) == (i + K) / (2 * P) {
                    (v[i], v[i + K]) = ordered(v[i], v[i + K]);
                }
            }
        }

        /// Exchanges the bit `D` of rows and the bit `E` of lanes: a step of a transposition.
        #[target_feature(enable = "avx512f")]
        #[inline]
        fn turn<const D: usize, const E: usize, const R: usize>(v: &mut [__m512i; R]) {
            const fn from(e: usize, high: usize) -> Vector {
                let mut lanes = [0; LANES];
                let mut i = 0;
                while i < LANES {
                    // From the first vector, or from the second one.
                    lanes[i] = match (high, i & e) {
                        (0, 0) => i,
                        (0, _) => LANES + (i ^ e),
                        (_, 0) => i ^ e,
                        _ => LANES + i,
                    } as $key;
                    i += 1;
                }
                lanes
            }
            let (low, high) = (load(&const { from(E, 0) }), load(&const { from(E, 1) }));
            for i in 0..R {
                if i & D == 0 {
                    let (a, b) = (v[i], v[i + D]);
                    v[i] = permute_two(a, low, b);
                    v[i + D] = permute_two(a, high, b);
                }
            }
        }

        /// Sorts at most `R` vectors, as [`sort`] does.
        #[target_feature(enable = "avx512f")]
        #[inline]
        fn leaf<const R: usize>(x: &mut [$key], other: &mut [$key], moved: bool) {
            let (whole, rest) = x.as_chunks::<LANES>();
            let mut last = [$key::MAX; LANES];
            last[..rest.len()].copy_from_slice(rest);
            let mut v = [_mm512_set1_epi8(-1); R];
            for (v, x) in v.iter_mut().zip(whole.iter().chain([&last])) {
                *v = load(x);
            }
            step::<1, 1, R>(&mut v);
            step::<2, 2, R>(&mut v);
            step::<2, 1, R>(&mut v);
            step::<4, 4, R>(&mut v);
            step::<4, 2, R>(&mut v);
            step::<4, 1, R>(&mut v);
            if R == 16 {
                step::<8, 8, R>(&mut v);
                step::<8, 4, R>(&mut v);
                step::<8, 2, R>(&mut v);
                step::<8, 1, R>(&mut v);
            }
            cross::<1, R>(&mut v);
            columns(&mut v);
            cross::<3, R>(&mut v);
            lanes::<1, R>(&mut v);
            columns(&mut v);
            cross::<7, R>(&mut v);
            lanes::<2, R>(&mut v);
            lanes::<1, R>(&mut v);
            columns(&mut v);
            if LANES == 16 {
                cross::<15, R>(&mut v);
                lanes::<4, R>(&mut v);
                lanes::<2, R>(&mut v);
                lanes::<1, R>(&mut v);
                columns(&mut v);
            }
            // The columns become rows.
            if (LANES, R) == (16, 16) {
                turn::<8, 8, R>(&mut v);
            }
            if (LANES, R) == (16, 8) {
                turn::<4, 8, R>(&mut v);
                turn::<2, 4, R>(&mut v);
                turn::<1, 2, R>(&mut v);
                // Two columns lie in a row now, lane by lane.
                let mut lanes = [0; LANES];
                for (i, lane) in lanes.iter_mut().enumerate() {
                    *lane = (i % 8 * 2 + i / 8) as $key;
                }
                let lanes = load(&lanes);
                for v in &mut v {
                    *v = permute(lanes, *v);
                }
            } else {
                turn::<4, 4, R>(&mut v);
                turn::<2, 2, R>(&mut v);
                turn::<1, 1, R>(&mut v);
            }
            // A column may lie in two rows.
            let parts = (R / LANES).max(1);
            let row = |i: usize| i % parts * LANES + i / parts;
            let (whole, rest) = if moved { other } else { x }.as_chunks_mut::<LANES>();
            for (i, out) in whole.iter_mut().enumerate() {
                store(out, v[row(i)]);
            }
            if !rest.is_empty() {
                store(&mut last, v[row(whole.len())]);
                rest.copy_from_slice(&last[..rest.len()]);
            }
        }

        /// Merges columns whose rows hold what belongs to each.
        #[target_feature(enable = "avx512f")]
        #[inline]
        fn columns<const R: usize>(v: &mut [__m512i; R]) {
            if R == 16 {
                rows::<8, R>(v);
            }
            rows::<4, R>(v);
            rows::<2, R>(v);
            rows::<1, R>(v);
        }

        /// Moves the keys that are not below the pivot to the end of `other`. The others move to the start of `x`, and
        /// their number is returned.
        #[target_feature(enable = "avx512f,popcnt")]
        fn partition(x: &mut [$key], other: &mut [$key], pivot: $key) -> usize {
            let (wide, whole) = (splat(pivot), x.len() / LANES * LANES);
            let (mut from, mut low, mut high) = (0, 0, other.len());
            while from < whole {
                let v = load(vector(x, from));
                let below = less(v, wide);
                let count = below.count_ones() as usize;
                // What is read comes before what is written, so that whole vectors can be.
                store(vector(x, low), compress(below, v));
                store(vector(other, high - LANES), to_end(compress(!below, v), count));
                low += count;
                high -= LANES - count;
                from += LANES;
            }
            let mut last = [0; LANES];
            let rest = x.len() - whole;
            last[..rest].copy_from_slice(&x[whole..]);
            let v = load(&last);
            let (valid, below) = ((1 << rest) - 1, less(v, wide));
            let middle = low + (below & valid).count_ones() as usize;
            store(&mut last, compress(below & valid, v));
            x[low..middle].copy_from_slice(&last[..middle - low]);
            store(&mut last, compress(!below & valid, v));
            other[middle..high].copy_from_slice(&last[..high - middle]);
            middle
        }

        /// The vector that begins at a place.
        #[inline]
        fn vector(x: &mut [$key], from: usize) -> &mut Vector {
            x[from..].first_chunk_mut().expect("a whole vector")
        }

        /// A key near the middle: a median of medians, of nine vectors and nine of their lanes.
        #[target_feature(enable = "avx512f")]
        fn pivot(x: &[$key]) -> $key {
            let apart = (x.len() - LANES) / 8;
            let vectors = core::array::from_fn(|i| {
                load(x[i * apart..].first_chunk().expect("a whole vector"))
            });
            let mut medians = [0; LANES];
            store(&mut medians, median(vectors, |a, b| ordered(a, b)));
            median(core::array::from_fn(|i| medians[i % LANES]), |a, b| (a.min(b), a.max(b)))
        }

        /// Writes the keys that are the pivot, the smallest one, after a partition that moved all keys to `other`. Returns how
        /// many they are; `None` if no key is larger than the pivot can be.
        #[target_feature(enable = "avx512f,popcnt")]
        fn least(x: &mut [$key], other: &mut [$key], pivot: $key, moved: bool) -> Option<usize> {
            let equal = partition(other, x, pivot.checked_add(1)?);
            let out = if moved { other } else { x };
            out[..equal].fill(pivot);
            Some(equal)
        }

        /// Sorts `x`. The result is in `other` if it is `moved`, and otherwise in `x`; the other one is for work.
        #[target_feature(enable = "avx512f,popcnt")]
        pub(super) fn sort<'a>(
            mut x: &'a mut [$key],
            mut other: &'a mut [$key],
            mut moved: bool,
            mut depth: u32,
            par: Par,
        ) {
            while x.len() > LEAF && depth > 0 {
                depth -= 1;
                let pivot = pivot(x);
                let below = partition(x, other, pivot);
                if below == 0 {
                    let Some(equal) = least(x, other, pivot, moved) else {
                        (x, other, moved) = (other, x, !moved);
                        break;
                    };
                    (x, other) = (&mut x[equal..], &mut other[equal..]);
                    continue;
                }
                let (low, other_high) = x.split_at_mut(below);
                let (other_low, high) = other.split_at_mut(below);
                if par == Par::Pool && low.len().min(high.len()) >= SHARED {
                    par.join(&mut || sort(low, other_low, moved, depth, par), &mut || {
                        sort(high, other_high, !moved, depth, par)
                    });
                    return;
                }
                sort(low, other_low, moved, depth, par);
                (x, other, moved) = (high, other_high, !moved);
            }
            short(x, other, moved);
        }

        /// Sorts a part that is short, or was divided too often.
        #[target_feature(enable = "avx512f,popcnt")]
        fn short(x: &mut [$key], other: &mut [$key], moved: bool) {
            match x.len() {
                n if FEW < n && n <= 8 * LANES => leaf::<8>(x, other, moved),
                n if FEW < n && n <= LEAF => leaf::<16>(x, other, moved),
                _ => {
                    x.sort_unstable();
                    if moved {
                        other.copy_from_slice(x);
                    }
                }
            }
        }

        /// Moves the key to `place` that a sort puts there. No larger key is before it, and no smaller one behind.
        #[target_feature(enable = "avx512f,popcnt")]
        pub(super) fn select<'a>(
            mut x: &'a mut [$key],
            mut other: &'a mut [$key],
            mut place: usize,
        ) {
            let (mut moved, mut depth) = (false, depth(x.len()));
            while x.len() > LEAF && depth > 0 {
                depth -= 1;
                let pivot = pivot(x);
                let below = partition(x, other, pivot);
                if below == 0 {
                    let Some(equal) = least(x, other, pivot, moved) else {
                        (x, other, moved) = (other, x, !moved);
                        break;
                    };
                    if place < equal {
                        if moved {
                            other[equal..].copy_from_slice(&x[equal..]);
                        }
                        return;
                    }
                    (x, other, place) = (&mut x[equal..], &mut other[equal..], place - equal);
                    continue;
                }
                let (low, other_high) = x.split_at_mut(below);
                let (other_low, high) = other.split_at_mut(below);
                if place < below {
                    if !moved {
                        other_high.copy_from_slice(high);
                    }
                    (x, other) = (low, other_low);
                } else {
                    if moved {
                        other_low.copy_from_slice(low);
                    }
                    (x, other, moved, place) = (high, other_high, !moved, place - below);
                }
            }
            short(x, other, moved);
        }
    };
}

/// Up to this length, sorting one by one is faster.
const FEW: usize = 32;

/// The median of nine, if `ordered` returns the smaller and the larger of two.
#[inline(always)]
fn median<T: Copy>(mut x: [T; 9], ordered: impl Fn(T, T) -> (T, T)) -> T {
    const PAIRS: [(usize, usize); 19] = [
        (1, 2),
        (4, 5),
        (7, 8),
        (0, 1),
        (3, 4),
        (6, 7),
        (1, 2),
        (4, 5),
        (7, 8),
        (0, 3),
        (5, 8),
        (4, 7),
        (3, 6),
        (1, 4),
        (2, 5),
        (4, 7),
        (4, 2),
        (6, 4),
        (4, 2),
    ];
    for (a, b) in PAIRS {
        (x[a], x[b]) = ordered(x[a], x[b]);
    }
    x[4]
}

mod narrow {
    use super::*;

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn splat(x: u32) -> __m512i {
        _mm512_set1_epi32(x as i32)
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn less(a: __m512i, b: __m512i) -> u16 {
        _mm512_cmplt_epu32_mask(a, b)
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn ordered(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        (_mm512_min_epu32(a, b), _mm512_max_epu32(a, b))
    }

    /// The smaller keys; in the lanes of `high`, the larger ones.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn halves(a: __m512i, b: __m512i, high: u16) -> __m512i {
        _mm512_mask_max_epu32(_mm512_min_epu32(a, b), high, a, b)
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn permute(lanes: __m512i, x: __m512i) -> __m512i {
        _mm512_permutexvar_epi32(lanes, x)
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn permute_two(a: __m512i, lanes: __m512i, b: __m512i) -> __m512i {
        _mm512_permutex2var_epi32(a, lanes, b)
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn compress(mask: u16, x: __m512i) -> __m512i {
        _mm512_maskz_compress_epi32(mask, x)
    }

    /// Moves the first lanes up by so many places, to the end.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn to_end(x: __m512i, by: usize) -> __m512i {
        let lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        permute(_mm512_sub_epi32(lanes, _mm512_set1_epi32(by as i32)), x)
    }

    sorter!(u32, 16, u16);
}

mod wide {
    use super::*;

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn splat(x: u64) -> __m512i {
        _mm512_set1_epi64(x as i64)
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn less(a: __m512i, b: __m512i) -> u8 {
        _mm512_cmplt_epu64_mask(a, b)
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn ordered(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        // The maximum takes longer than what is left when the minimum is taken from both.
        let min = _mm512_min_epu64(a, b);
        (min, _mm512_ternarylogic_epi64::<0b1001_0110>(a, b, min))
    }

    /// The smaller keys; in the lanes of `high`, the larger ones.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn halves(a: __m512i, b: __m512i, high: u8) -> __m512i {
        _mm512_mask_blend_epi64(less(a, b) ^ high, b, a)
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn permute(lanes: __m512i, x: __m512i) -> __m512i {
        _mm512_permutexvar_epi64(lanes, x)
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn permute_two(a: __m512i, lanes: __m512i, b: __m512i) -> __m512i {
        _mm512_permutex2var_epi64(a, lanes, b)
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn compress(mask: u8, x: __m512i) -> __m512i {
        _mm512_maskz_compress_epi64(mask, x)
    }

    /// Moves the first lanes up by so many places, to the end.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn to_end(x: __m512i, by: usize) -> __m512i {
        let lanes = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
        permute(_mm512_sub_epi64(lanes, _mm512_set1_epi64(by as i64)), x)
    }

    sorter!(u64, 8, u8);
}

/// Sorts `x`, with as much room to work in.
#[target_feature(enable = "avx512f,popcnt")]
pub(super) fn sort(x: &mut [u64], other: &mut [u64], par: Par) {
    wide::sort(x, other, false, depth(x.len()), par);
}

/// [`sort`] for 32 bits.
#[target_feature(enable = "avx512f,popcnt")]
pub(super) fn sort_narrow(x: &mut [u32], other: &mut [u32], par: Par) {
    narrow::sort(x, other, false, depth(x.len()), par);
}

/// Moves the key to `place` that a sort puts there, with as much room to work in.
#[target_feature(enable = "avx512f,popcnt")]
pub(super) fn select(x: &mut [u64], other: &mut [u64], place: usize) {
    wide::select(x, other, place);
}

/// [`select`] for 32 bits.
#[target_feature(enable = "avx512f,popcnt")]
pub(super) fn select_narrow(x: &mut [u32], other: &mut [u32], place: usize) {
    narrow::select(x, other, place);
}

/// The number of partitions after which a part is sorted in another way.
fn depth(len: usize) -> u32 {
    2 * len.max(1).ilog2()
}

//! Elements sorted by themselves, without their places.

use super::key::Ordered;
use super::places::{Sorted, resize};
use crate::memory::{OutOfMemory, WorkVec};
use crate::par::{Par, simd};
use core::mem::MaybeUninit;
use std::sync::OnceLock;

/// Writes the elements of every row of `n`, sorted. Equal elements keep their order, which tells zeros apart, and NaN
/// comes last.
///
/// # Errors
///
/// If there is no memory to sort in.
///
/// # Panics
///
/// If the lengths do not fit.
pub fn sort<T: Ordered + Send + Sync>(
    x: &[T],
    n: usize,
    descending: bool,
    out: &mut [MaybeUninit<T>],
    par: Par,
) -> Result<(), OutOfMemory> {
    assert_eq!(x.len(), out.len(), "operand and result differ in length");
    if out.is_empty() {
        return Ok(());
    }
    assert!(x.len().is_multiple_of(n), "rows are not whole");
    let failed = OnceLock::new();
    // Sorting costs several passes over the keys.
    par.for_parts(out, n, x.len().saturating_mul(16), &|start, out| {
        let x = &x[start..start + out.len()];
        let done = if size_of::<T>() <= size_of::<u32>() {
            // The complement of a key turns the order round. Without that NaN, the least key, moves to the end too.
            let turn = |key: u64| {
                if descending { !(key as u32) } else { (key as u32).wrapping_sub(nan::<T>()) }
            };
            let back =
                |key: u32| u64::from(if descending { !key } else { key.wrapping_add(nan::<T>()) });
            sort_rows(x, n, descending, out, par, (turn, back))
        } else {
            let turn =
                |key: u64| if descending { !key } else { key.wrapping_sub(nan::<T>().into()) };
            let back =
                |key: u64| if descending { !key } else { key.wrapping_add(nan::<T>().into()) };
            sort_rows(x, n, descending, out, par, (turn, back))
        };
        if let Err(e) = done {
            failed.get_or_init(|| e);
        }
    });
    failed.into_inner().map_or(Ok(()), Err)
}

/// Writes the elements of every row of `n` so that the one at `place` is where a sort puts it, with no larger one before
/// it and no smaller one behind. Rows with a NaN are sorted.
///
/// # Errors
///
/// As [`sort`].
///
/// # Panics
///
/// If the lengths do not fit, or there is no such place.
pub fn partition<T: Ordered + Send + Sync>(
    x: &[T],
    n: usize,
    place: usize,
    descending: bool,
    out: &mut [MaybeUninit<T>],
    par: Par,
) -> Result<(), OutOfMemory> {
    assert_eq!(x.len(), out.len(), "operand and result differ in length");
    if out.is_empty() {
        return Ok(());
    }
    assert!(place < n && x.len().is_multiple_of(n), "rows are whole and have the place");
    let (mut keys, mut other) = (WorkVec::<u64>::default(), WorkVec::default());
    resize(&mut keys, n)?;
    let turn = if descending { u64::MAX } else { 0 };
    for (x, out) in x.chunks_exact(n).zip(out.chunks_exact_mut(n)) {
        let has_nan = simd(
            #[inline(always)]
            || {
                let mut has_nan = false;
                for (key, x) in keys.iter_mut().zip(x) {
                    *key = x.exact() ^ turn;
                    has_nan |= Some(x.key()) == T::NAN;
                }
                has_nan
            },
        );
        if has_nan {
            sort(x, n, descending, out, par)?;
            continue;
        }
        u64::select(&mut keys, &mut other, place)?;
        simd(
            #[inline(always)]
            || {
                for (out, key) in out.iter_mut().zip(keys.iter()) {
                    out.write(T::of_key(*key ^ turn));
                }
            },
        );
    }
    Ok(())
}

/// Sorts a row of few different keys, or of keys near each other, by counting them. False if there are too many.
fn counted<T: Ordered>(
    x: &[T],
    descending: bool,
    out: &mut [MaybeUninit<T>],
) -> Result<bool, OutOfMemory> {
    let span = |x: &[T]| {
        simd(
            #[inline(always)]
            || {
                x.iter().fold((u64::MAX, 0), |(least, most): (u64, u64), x| {
                    (least.min(x.key()), most.max(x.key()))
                })
            },
        )
    };
    let fits = |(least, most): (u64, u64)| most - least <= (x.len() / 4) as u64;
    // Keys of floats are apart, as a few of them show. Zeros have signs, and NaNs payloads.
    if T::NAN.is_some() || x.len() < FEW || x.len() > u32::MAX as usize || !fits(span(&x[..FEW])) {
        return Ok(false);
    }
    let (least, most) = span(x);
    if !fits((least, most)) {
        return Ok(false);
    }
    let mut counts = WorkVec::<u32>::of_len((most - least) as usize + 1)?;
    x.iter().for_each(|x| counts[(x.key() - least) as usize] += 1);
    let mut rest = out;
    let mut write = |(i, count): (usize, &u32)| {
        let (run, behind) = core::mem::take(&mut rest).split_at_mut(*count as usize);
        run.fill(MaybeUninit::new(T::of_key(least + i as u64)));
        rest = behind;
    };
    match descending {
        false => counts.iter().enumerate().for_each(&mut write),
        true => counts.iter().enumerate().rev().for_each(&mut write),
    }
    Ok(true)
}

/// Shorter rows are sorted by comparing.
const FEW: usize = 64;

/// One if there is a NaN, whose key is zero, and otherwise zero.
fn nan<T: Ordered>() -> u32 {
    T::NAN.is_some().into()
}

/// Sorts rows by integers that `turn` makes of the keys and `back` turns to keys.
fn sort_rows<T: Ordered, K: Sorted>(
    x: &[T],
    n: usize,
    descending: bool,
    out: &mut [MaybeUninit<T>],
    par: Par,
    (turn, back): (impl Fn(u64) -> K + Copy, impl Fn(K) -> u64 + Copy),
) -> Result<(), OutOfMemory> {
    let (mut keys, mut other) = (WorkVec::default(), WorkVec::default());
    resize(&mut keys, n)?;
    for (x, out) in x.chunks_exact(n).zip(out.chunks_exact_mut(n)) {
        if counted(x, descending, out)? {
            continue;
        }
        simd(
            #[inline(always)]
            || keys.iter_mut().zip(x).for_each(|(key, x)| *key = turn(x.key())),
        );
        K::sort(&mut keys, &mut other, par)?;
        simd(
            #[inline(always)]
            || {
                for (out, key) in out.iter_mut().zip(keys.iter()) {
                    out.write(T::of_key(back(*key)));
                }
            },
        );
        let Some(nan) = T::NAN else { continue };
        // NaNs have payloads and zeros have signs, which the keys lack.
        for key in [nan, T::ZERO_KEY] {
            let turned = turn(key);
            let from = keys.partition_point(|key| *key < turned);
            let alike = out[from..].iter_mut().zip(x.iter().filter(|x| x.key() == key));
            if keys.get(from) == Some(&turned) {
                alike.for_each(|(out, x)| {
                    out.write(*x);
                });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::{bf16, f16};
    use crate::testing::filled;
    use proptest::prelude::*;

    fn sorted<T: Ordered + Send + Sync>(x: &[T], n: usize, descending: bool) -> Vec<T> {
        filled(x.len(), |out| sort(x, n, descending, out, Par::Pool).unwrap())
    }

    #[test]
    fn zeros_and_nans_keep_their_order_and_nan_is_last() {
        let nan = |payload: u32| f32::from_bits(f32::NAN.to_bits() | payload);
        let x = [nan(5), -0.0, 1.0, 0.0, -nan(3), f32::NEG_INFINITY, -0.0];
        let bits = |x: Vec<f32>| x.into_iter().map(f32::to_bits).collect::<Vec<_>>();
        let want = vec![f32::NEG_INFINITY, -0.0, 0.0, -0.0, 1.0, nan(5), -nan(3)];
        assert_eq!(bits(sorted(&x, 7, false)), bits(want));
        let want = vec![1.0, -0.0, 0.0, -0.0, f32::NEG_INFINITY, nan(5), -nan(3)];
        assert_eq!(bits(sorted(&x, 7, true)), bits(want));
        let x = [f16::NAN, f16::ONE, f16::NEG_ONE, f16::INFINITY];
        assert_eq!(sorted(&x, 4, false)[..3], [f16::NEG_ONE, f16::ONE, f16::INFINITY]);
        assert!(sorted(&[bf16::NAN, bf16::ONE], 2, false)[1].is_nan());
        assert!(sorted(&[f64::NAN, 1.0], 2, true)[1].is_nan());
        assert_eq!(sorted(&[i8::MIN, 3, i8::MAX, -1], 2, true), [3, i8::MIN, i8::MAX, -1]);
        assert_eq!(
            sorted(&[u64::MAX, 0, i64::MAX as u64], 3, false),
            [0, i64::MAX as u64, u64::MAX]
        );
        assert!(sorted::<i32>(&[], 0, false).is_empty());
    }

    #[test]
    fn near_keys_are_counted() {
        for (least, span) in [(i64::MIN, 1), (i64::MAX - 7, 8), (-100, 250), (0, 251), (-5, 1000)] {
            let x: Vec<i64> = (0..1000).map(|i| least + i * 7919 % span).collect();
            let mut want = x.clone();
            want.sort_unstable();
            assert_eq!(sorted(&x, 1000, false), want);
            want.reverse();
            assert_eq!(sorted(&x, 1000, true), want);
        }
        let x: Vec<u8> = (0..2000).map(|i| (i * 37 % 256) as u8).collect();
        assert!(sorted(&x, 1000, false).chunks(1000).all(<[u8]>::is_sorted));
    }

    fn parted<T: Ordered + Send + Sync>(
        x: &[T],
        n: usize,
        place: usize,
        descending: bool,
    ) -> Vec<T> {
        filled(x.len(), |out| partition(x, n, place, descending, out, Par::Pool).unwrap())
    }

    #[test]
    fn partitions_keep_zeros_and_put_nan_last() {
        let y = parted(&[0.0f32, -0.0, 2.0, -1.0, -0.0], 5, 4, false);
        assert_eq!(y.iter().filter(|x| **x == 0.0 && x.is_sign_negative()).count(), 2);
        assert_eq!((y[0].min(y[1]), y[4]), (-1.0, 2.0));
        assert!(parted(&[f64::NAN, 1.0, 0.0], 3, 0, true)[2].is_nan());
        assert_eq!(parted(&[3u8, 1, 2, 9, 8, 7], 3, 0, false)[..1], [1]);
        assert!(parted::<i32>(&[], 0, 0, false).is_empty());
    }

    proptest! {
        #[test]
        fn partitions_are_of_the_same_elements(
            x in proptest::collection::vec(any::<u64>(), 1..3000),
            bits in 0u32..64,
            place in 0usize..3000,
            descending: bool,
        ) {
            let x: Vec<i64> = x.iter().map(|x| (x >> bits) as i64).collect();
            let place = place % x.len();
            let y = parted(&x, x.len(), place, descending);
            let (mut left, mut right) = (y[..place].to_vec(), y[place + 1..].to_vec());
            if descending {
                (left, right) = (right, left);
            }
            prop_assert!(left.iter().all(|x| *x <= y[place]) && right.iter().all(|x| *x >= y[place]));
            prop_assert!(sorted(&y, y.len(), false) == sorted(&x, x.len(), false));
        }

        #[test]
        fn as_the_sort_of_the_library(x in proptest::collection::vec(any::<i64>(), 1..300)) {
            let mut want = x.clone();
            want.sort_unstable();
            prop_assert!(sorted(&x, x.len(), false) == want);
            want.reverse();
            prop_assert!(sorted(&x, x.len(), true) == want);
            let x: Vec<i32> = x.iter().map(|x| *x as i32).collect();
            let mut want = x.clone();
            want.sort_unstable();
            prop_assert!(sorted(&x, x.len(), false) == want);
        }
    }
}

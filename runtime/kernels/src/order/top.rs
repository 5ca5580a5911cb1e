//! The largest elements of a row.

use super::key::Ordered;
use super::places::{Places, ReadKeys, largest};
use crate::memory::OutOfMemory;
use crate::par::Par;
use core::mem::MaybeUninit;
use std::sync::OnceLock;

/// Writes the places of the `k` largest elements in every row of `n`, largest first. Among equal elements the first
/// wins. NaN is the smallest.
///
/// # Errors
///
/// If there is no memory to sort in.
///
/// # Panics
///
/// If a length does not fit, or `k` is larger than `n`.
pub fn top_k<T: Ordered + Sync>(
    x: &[T],
    n: usize,
    k: usize,
    out: &mut [MaybeUninit<i64>],
    par: Par,
) -> Result<(), OutOfMemory> {
    top_of_keys(x.len(), &|at, keys| T::write_keys(&x[at..], keys), n, k, out, par)
}

/// [`top_k`] for keys.
fn top_of_keys(
    len: usize,
    read: ReadKeys<'_>,
    n: usize,
    k: usize,
    out: &mut [MaybeUninit<i64>],
    par: Par,
) -> Result<(), OutOfMemory> {
    assert!(k <= n, "more asked for than there are");
    if k == 0 || out.is_empty() {
        assert!(out.is_empty(), "result is longer than the rows");
        return Ok(());
    }
    let rows = out.len() / k;
    assert!(out.len() == rows * k && len == rows * n, "result does not fit the rows");
    // Sorting costs several passes over the keys.
    let failed = OnceLock::new();
    par.for_parts(out, k, len.saturating_mul(16), &|start, out| {
        let (mut places, mut best) = (Places::default(), Vec::new());
        for (row, out) in (start / k..).zip(out.chunks_exact_mut(k)) {
            let read = |at: usize, keys: &mut [u64]| read(row * n + at, keys);
            // A few are found without a sort.
            let done = if k <= n / 8 {
                largest(n, k, &read, &mut best)
                    .map(|()| write(out, best.iter().map(|(_, place)| *place)))
            } else {
                places.sorted(n, &read, par).map(|places| write(out, places))
            };
            if let Err(e) = done {
                failed.get_or_init(|| e);
                return;
            }
        }
    });
    failed.into_inner().map_or(Ok(()), Err)
}

fn write(out: &mut [MaybeUninit<i64>], places: impl Iterator<Item = usize>) {
    for (out, place) in out.iter_mut().zip(places) {
        out.write(place as i64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::filled;
    use proptest::prelude::*;

    fn top(x: &[f32], n: usize, k: usize, par: Par) -> Vec<i64> {
        let rows = x.len().checked_div(n).unwrap_or(0);
        filled(rows * k, |out| top_k(x, n, k, out, par).unwrap())
    }

    #[test]
    fn ties_nan_and_nothing() {
        assert_eq!(top(&[1.0, 3.0, 3.0, f32::NAN, -0.0, 0.0], 6, 6, Par::Seq), [1, 2, 0, 4, 5, 3]);
        assert_eq!(top(&[1.0, 2.0, 4.0, 3.0], 2, 1, Par::Seq), [1, 0]);
        assert!(top(&[1.0], 1, 0, Par::Seq).is_empty() && top(&[], 0, 0, Par::Pool).is_empty());
    }

    proptest! {
        #[test]
        fn as_a_stable_sort(x in proptest::collection::vec(-4i32..4, 0..60), k in 0usize..60) {
            let k = k.min(x.len());
            let x: Vec<f32> = x.iter().map(|i| *i as f32).collect();
            let mut want: Vec<i64> = (0..x.len() as i64).collect();
            want.sort_by(|a, b| x[*b as usize].total_cmp(&x[*a as usize]));
            prop_assert_eq!(top(&x, x.len(), k, Par::Seq), &want[..k]);
        }
    }

    #[test]
    fn threads_change_nothing() {
        let x = crate::testing::noise(1 << 16);
        assert_eq!(top(&x, 256, 17, Par::Seq), top(&x, 256, 17, Par::Pool));
    }
}

//! The largest elements of a row.

use crate::memory::{OutOfMemory, room};
use crate::par::Par;
use core::mem::MaybeUninit;
use std::sync::OnceLock;

/// Writes the places of the `k` largest keys in every row of `n`, largest first. Among equal keys the first wins.
///
/// # Errors
///
/// If there is no memory to sort in.
///
/// # Panics
///
/// If a length does not fit, or `k` is larger than `n`.
pub fn top_k(
    keys: &[u64],
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
    assert!(out.len() == rows * k && keys.len() == rows * n, "result does not fit the rows");
    // Sorting costs several passes over the keys.
    let failed = OnceLock::new();
    par.for_parts(out, k, keys.len().saturating_mul(16), &|start, out| {
        let first = start / k;
        let mut pairs: Vec<(u64, usize)> = match room(n) {
            Ok(pairs) => pairs,
            Err(e) => {
                failed.get_or_init(|| e);
                return;
            }
        };
        for (i, out) in out.chunks_exact_mut(k).enumerate() {
            let row = &keys[(first + i) * n..(first + i + 1) * n];
            pairs.clear();
            // With inverted keys the largest comes first, and equal keys follow by their place.
            pairs.extend(row.iter().enumerate().map(|(place, key)| (!key, place)));
            if k < n {
                pairs.select_nth_unstable(k - 1);
            }
            pairs[..k].sort_unstable();
            for (out, (_, place)) in out.iter_mut().zip(&pairs) {
                out.write(*place as i64);
            }
        }
    });
    failed.into_inner().map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::super::keys;
    use super::*;
    use crate::testing::filled;
    use proptest::prelude::*;

    fn top(x: &[f32], n: usize, k: usize, par: Par) -> Vec<i64> {
        let rows = x.len().checked_div(n).unwrap_or(0);
        filled(rows * k, |out| top_k(&keys(x).unwrap(), n, k, out, par).unwrap())
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

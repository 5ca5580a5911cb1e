//! Places in sorted rows.

use crate::par::simd;
use core::mem::MaybeUninit;

/// The choice among the places that keep a row sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Before equal elements.
    Left,
    /// After equal elements.
    Right,
}

/// The place of each key of `values`, `m` per row, in the sorted row of the same number, which is `n` keys long.
///
/// NaN compares with nothing: its place is the first one for the left side, and the last one for the right.
///
/// # Panics
///
/// If a row is missing, or the lengths of values and places differ.
pub fn bounds(
    sorted: &[u64],
    n: usize,
    values: &[u64],
    m: usize,
    side: Side,
    nan: Option<u64>,
    out: &mut [MaybeUninit<i64>],
) {
    assert_eq!(values.len(), out.len(), "values and places differ in length");
    if out.is_empty() {
        return;
    }
    let rows = values.chunks(m).zip(out.chunks_mut(m));
    for (i, (values, out)) in rows.enumerate() {
        let row = &sorted[i * n..(i + 1) * n];
        for (values, out) in values.chunks(SIDE_BY_SIDE).zip(out.chunks_mut(SIDE_BY_SIDE)) {
            simd(
                #[inline(always)]
                || match side {
                    Side::Left => search(row, values, out, |key, value| key < value),
                    Side::Right => search(row, values, out, |key, value| key <= value),
                },
            );
            let of_nan = if side == Side::Left { 0 } else { n as i64 };
            for (value, out) in values.iter().zip(out) {
                if Some(*value) == nan {
                    out.write(of_nan);
                }
            }
        }
    }
}

/// Values that are searched side by side: one search waits for the memory at every step.
const SIDE_BY_SIDE: usize = 32;

/// The number of keys of a row that are `before` each value, which are the first ones.
#[inline(always)]
fn search(
    row: &[u64],
    values: &[u64],
    out: &mut [MaybeUninit<i64>],
    before: impl Fn(u64, u64) -> bool + Copy,
) {
    let mut from = [0; SIDE_BY_SIDE];
    let from = &mut from[..values.len()];
    // So many keys behind `from` are not known to be before a value or not.
    let mut len = row.len();
    while len > 1 {
        let half = len / 2;
        for (from, &value) in from.iter_mut().zip(values) {
            let next = *from + half;
            *from = if before(row[next - 1], value) { next } else { *from };
        }
        len -= half;
    }
    for ((from, &value), out) in from.iter().zip(values).zip(out) {
        let last = len == 1 && before(row[*from], value);
        out.write((*from + usize::from(last)) as i64);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Ordered, keys};
    use super::*;
    use crate::testing::filled;
    use proptest::prelude::*;

    fn found(
        sorted: &[u64],
        n: usize,
        values: &[u64],
        m: usize,
        side: Side,
        nan: Option<u64>,
    ) -> Vec<i64> {
        filled(values.len(), |out| bounds(sorted, n, values, m, side, nan, out))
    }

    #[test]
    fn rows_and_nan() {
        let sorted = keys(&[1.0f32, 2.0, 2.0, 5.0, 6.0, 7.0]).unwrap();
        let values = keys(&[2.0f32, f32::NAN, 6.5, 0.0]).unwrap();
        let at = |side| found(&sorted, 3, &values, 2, side, <f32 as Ordered>::NAN);
        assert_eq!(at(Side::Left), [1, 0, 2, 0]);
        assert_eq!(at(Side::Right), [3, 3, 2, 0]);
        assert_eq!(found(&[], 0, &values, 4, Side::Right, None), [0; 4]);
        assert!(found(&sorted, 3, &[], 0, Side::Left, None).is_empty());
    }

    proptest! {
        #[test]
        fn places_keep_the_row_sorted(mut row in proptest::collection::vec(-5i32..5, 0..20), x in -6i32..6) {
            row.sort_unstable();
            let (sorted, values) = (keys(&row).unwrap(), keys(&[x]).unwrap());
            let at = |side| found(&sorted, row.len(), &values, 1, side, None)[0] as usize;
            prop_assert_eq!(at(Side::Left), row.iter().filter(|y| **y < x).count());
            prop_assert_eq!(at(Side::Right), row.iter().filter(|y| **y <= x).count());
        }
    }
}

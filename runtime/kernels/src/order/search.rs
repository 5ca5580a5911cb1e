//! Places in sorted rows.

use crate::memory::{OutOfMemory, room};
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

/// [`bounds`] in one row, by a table that says for each of many equal parts of the range of the row how many numbers lie in
/// the parts before. False, with nothing written, if that does not pay: for a row that is short, long or uneven, for few
/// values, and where the row is not sorted.
///
/// # Errors
///
/// If there is no memory for the table.
///
/// # Panics
///
/// If the lengths of values and places differ.
pub fn bounds_by_parts<T: Copy + Into<f64>>(
    sorted: &[T],
    values: &[T],
    side: Side,
    out: &mut [MaybeUninit<i64>],
) -> Result<bool, OutOfMemory> {
    assert_eq!(values.len(), out.len(), "values and places differ in length");
    let n = sorted.len();
    if !(8..=LONGEST).contains(&n) || values.len() < 8 * n {
        return Ok(false);
    }
    let (low, high): (f64, f64) = (sorted[0].into(), sorted[n - 1].into());
    let count = (4 * n).next_power_of_two();
    let scale = count as f64 / (high - low);
    if !(scale > 0.0 && scale.is_finite() && low.is_finite()) {
        return Ok(false);
    }
    // No number behind the row is before a value.
    let mut row: Vec<f64> = room(n + CROWD)?;
    row.extend(sorted.iter().map(|x| (*x).into()));
    if !row.is_sorted() {
        return Ok(false);
    }
    row.resize(n + CROWD, f64::NAN);
    // A larger number is in no part before: each step rounds to a number that is not less. NaN is in the first.
    let last = (count - 1) as f64;
    let part = |x: f64| {
        let part = ((x - low) * scale).max(0.0).min(last);
        // SAFETY: from 0 to `last`, which is far below the largest integer.
        (unsafe { part.to_int_unchecked::<i32>() }) as usize
    };
    let mut before: Vec<u32> = room(count + 1)?;
    before.resize(count + 1, 0);
    row[..n].iter().for_each(|x| before[part(*x) + 1] += 1);
    if before.iter().any(|crowd| *crowd > CROWD as u32) {
        return Ok(false);
    }
    for i in 1..=count {
        before[i] += before[i - 1];
    }
    let of_nan = if side == Side::Left { 0 } else { n };
    for (x, out) in values.iter().zip(out) {
        let x: f64 = (*x).into();
        let from = before[part(x)] as usize;
        let mut place = from;
        for y in &row[from..from + CROWD] {
            place += usize::from((*y < x) | ((side == Side::Right) & (*y == x)));
        }
        out.write(if x.is_nan() { of_nan } else { place } as i64);
    }
    Ok(true)
}

/// The longest row that has a table, which stays in the cache.
const LONGEST: usize = 1 << 12;
/// The most numbers in a part. So many are compared with a value.
const CROWD: usize = 2;

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

    #[test]
    fn parts_find_what_a_search_finds() {
        let even: Vec<f64> = (0..101).map(|i| -3.0 + 0.06 * f64::from(i)).collect();
        let uneven: Vec<f64> = (0..60).map(|i| f64::from(i * i / 7) - 200.0).collect();
        let mut tail = even.clone();
        tail[100] = 1e9;
        for row in [even, uneven, tail] {
            let extremes =
                [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.0, f64::MAX, -f64::MAX];
            let near = row.iter().flat_map(|x| [*x, x.next_up(), x.next_down()]);
            let mut values: Vec<f64> = near.chain(extremes).collect();
            values.extend(crate::testing::noise(2000).iter().map(|x| f64::from(*x) * 250.0));
            let short: Vec<f32> = values.iter().map(|x| *x as f32).collect();
            let short_row: Vec<f32> = row.iter().map(|x| *x as f32).collect();
            for side in [Side::Left, Side::Right] {
                let (by_keys, of) = (keys(&row).unwrap(), keys(&values).unwrap());
                let want = found(&by_keys, row.len(), &of, of.len(), side, Some(0));
                let mut got = want.clone();
                let mut out = vec![MaybeUninit::new(-1); values.len()];
                if bounds_by_parts(&row, &values, side, &mut out).unwrap() {
                    // SAFETY: all are written.
                    got = out.iter().map(|x| unsafe { x.assume_init() }).collect();
                }
                assert_eq!(got, want);
                let (by_keys, of) = (keys(&short_row).unwrap(), keys(&short).unwrap());
                let want = found(&by_keys, row.len(), &of, of.len(), side, Some(0));
                if bounds_by_parts(&short_row, &short, side, &mut out).unwrap() {
                    // SAFETY: all are written.
                    assert!(out.iter().map(|x| unsafe { x.assume_init() }).eq(want));
                }
            }
        }
        let mut out = vec![MaybeUninit::new(-1); 100];
        let mut taken =
            |row: &[f64]| bounds_by_parts(row, &[0.5; 100], Side::Left, &mut out).unwrap();
        assert!(taken(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]));
        assert!(!taken(&[0.0, 1.0, 2.0, 3.0, 9.0, 5.0, 6.0, 7.0]) && !taken(&[1.0; 10]));
        assert!(!taken(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, f64::INFINITY]) && !taken(&[]));
        assert!(
            !taken(&[f64::NAN; 9]) && !taken(&[-f64::MAX, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, f64::MAX])
        );
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

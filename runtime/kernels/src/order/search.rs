//! Places in sorted rows.

/// Which of the places that keep a row sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Before elements that are equal.
    Left,
    /// Behind them.
    Right,
}

/// For each key of `values`, `m` a row, where it belongs in the sorted row, `n` keys long, of the
/// same number.
///
/// NaN compares with nothing: its place is the first one on the left side, the last on the right.
///
/// # Panics
///
/// If a row is missing.
pub fn bounds(
    sorted: &[u64],
    n: usize,
    values: &[u64],
    m: usize,
    side: Side,
    nan: Option<u64>,
) -> Vec<i64> {
    let place = |(i, value): (usize, &u64)| {
        let row = &sorted[i / m * n..(i / m + 1) * n];
        let place = match side {
            Side::Left if Some(*value) == nan => 0,
            Side::Right if Some(*value) == nan => n,
            Side::Left => row.partition_point(|key| key < value),
            Side::Right => row.partition_point(|key| key <= value),
        };
        place as i64
    };
    values.iter().enumerate().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Ordered, keys};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rows_and_nan() {
        let sorted = keys(&[1.0f32, 2.0, 2.0, 5.0, 6.0, 7.0]);
        let values = keys(&[2.0f32, f32::NAN, 6.5, 0.0]);
        let at = |side| bounds(&sorted, 3, &values, 2, side, <f32 as Ordered>::NAN);
        assert_eq!(at(Side::Left), [1, 0, 2, 0]);
        assert_eq!(at(Side::Right), [3, 3, 2, 0]);
        assert_eq!(bounds(&[], 0, &values, 4, Side::Right, None), [0; 4]);
        assert!(bounds(&sorted, 3, &[], 0, Side::Left, None).is_empty());
    }

    proptest! {
        #[test]
        fn places_keep_the_row_sorted(mut row in proptest::collection::vec(-5i32..5, 0..20), x in -6i32..6) {
            row.sort_unstable();
            let at = |side| bounds(&keys(&row), row.len(), &keys(&[x]), 1, side, None)[0] as usize;
            prop_assert_eq!(at(Side::Left), row.iter().filter(|y| **y < x).count());
            prop_assert_eq!(at(Side::Right), row.iter().filter(|y| **y <= x).count());
        }
    }
}

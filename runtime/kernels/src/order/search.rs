//! Places in sorted rows.

use crate::memory::{OutOfMemory, collected};

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
/// # Errors
///
/// If there is no memory for the places.
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
) -> Result<Vec<i64>, OutOfMemory> {
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
    collected(values.iter().enumerate().map(place))
}

#[cfg(test)]
mod tests {
    use super::super::{Ordered, keys};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rows_and_nan() {
        let sorted = keys(&[1.0f32, 2.0, 2.0, 5.0, 6.0, 7.0]).unwrap();
        let values = keys(&[2.0f32, f32::NAN, 6.5, 0.0]).unwrap();
        let at = |side| bounds(&sorted, 3, &values, 2, side, <f32 as Ordered>::NAN).unwrap();
        assert_eq!(at(Side::Left), [1, 0, 2, 0]);
        assert_eq!(at(Side::Right), [3, 3, 2, 0]);
        assert_eq!(bounds(&[], 0, &values, 4, Side::Right, None).unwrap(), [0; 4]);
        assert!(bounds(&sorted, 3, &[], 0, Side::Left, None).unwrap().is_empty());
    }

    proptest! {
        #[test]
        fn places_keep_the_row_sorted(mut row in proptest::collection::vec(-5i32..5, 0..20), x in -6i32..6) {
            row.sort_unstable();
            let (sorted, values) = (keys(&row).unwrap(), keys(&[x]).unwrap());
            let at = |side| bounds(&sorted, row.len(), &values, 1, side, None).unwrap()[0] as usize;
            prop_assert_eq!(at(Side::Left), row.iter().filter(|y| **y < x).count());
            prop_assert_eq!(at(Side::Right), row.iter().filter(|y| **y <= x).count());
        }
    }
}

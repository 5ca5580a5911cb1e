//! Distinct items.

use crate::memory::{OutOfMemory, asked, reserve, room};
use crate::size::volume;
use std::collections::{HashMap, HashSet};

/// The distinct items among many.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Distinct {
    /// For each item, the number of its distinct item.
    pub ids: Vec<i64>,
    /// The first place of each distinct item; ascending.
    pub first: Vec<i64>,
    /// How often each distinct item occurs.
    pub counts: Vec<i64>,
}

/// Finds the distinct items among `count` items, each `width` keys long. An item with a NaN equals no other, not even
/// itself.
///
/// # Errors
///
/// If there is no memory for them.
///
/// # Panics
///
/// If the number of keys does not fit.
pub fn distinct(
    keys: &[u64],
    count: usize,
    width: usize,
    nan: Option<u64>,
) -> Result<Distinct, OutOfMemory> {
    assert_eq!(keys.len(), volume([count, width]), "keys do not make whole items");
    let mut seen: HashMap<&[u64], usize> = HashMap::new();
    let mut found = Distinct { ids: room(count)?, ..Distinct::default() };
    for i in 0..count {
        let item = &keys[i * width..(i + 1) * width];
        let next = found.first.len();
        let lonely = nan.is_some_and(|nan| item.contains(&nan));
        // The item may be a new one.
        asked(|| seen.try_reserve(1)).map_err(|_| OutOfMemory { bytes: 2 * size_of_val(keys) })?;
        reserve(&mut found.first, 1)?;
        reserve(&mut found.counts, 1)?;
        let id = if lonely { next } else { *seen.entry(item).or_insert(next) };
        if id == next {
            found.first.push(i as i64);
            found.counts.push(0);
        }
        found.counts[id] += 1;
        found.ids.push(id as i64);
    }
    Ok(found)
}

/// The places of the keys of `x` that are not in `y`, in order. NaN equals nothing.
///
/// # Errors
///
/// If there is no memory for them.
pub fn difference(x: &[u64], y: &[u64], nan: Option<u64>) -> Result<Vec<i64>, OutOfMemory> {
    let mut gone: HashSet<u64> = HashSet::new();
    for key in y.iter().copied().filter(|key| Some(*key) != nan) {
        asked(|| gone.try_reserve(1)).map_err(|_| OutOfMemory { bytes: 2 * size_of_val(y) })?;
        gone.insert(key);
    }
    let mut kept = Vec::new();
    for (i, _) in x.iter().enumerate().filter(|(_, key)| !gone.contains(key)) {
        reserve(&mut kept, 1)?;
        kept.push(i as i64);
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::super::{Ordered, keys};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nan_is_alone_and_zeros_are_one() {
        let x = keys(&[f32::NAN, 0.0, -0.0, f32::NAN]).unwrap();
        let found = distinct(&x, 4, 1, <f32 as Ordered>::NAN).unwrap();
        assert_eq!(found.ids, [0, 1, 1, 2]);
        assert_eq!(found.first, [0, 1, 3]);
        assert_eq!(found.counts, [1, 2, 1]);
        assert_eq!(difference(&x, &x, <f32 as Ordered>::NAN).unwrap(), [0, 3]);
    }

    #[test]
    fn items_of_any_width() {
        let found = distinct(&[1, 2, 3, 4, 1, 2], 3, 2, None).unwrap();
        assert_eq!((found.ids, found.first), (vec![0, 1, 0], vec![0, 1]));
        // Empty items are all equal.
        let found = distinct(&[], 3, 0, None).unwrap();
        assert_eq!((found.ids, found.counts), (vec![0, 0, 0], vec![3]));
        assert_eq!(distinct(&[], 0, 4, None), Ok(Distinct::default()));
    }

    proptest! {
        #[test]
        fn items_are_found_again(x in proptest::collection::vec(-3i32..3, 0..40), y in proptest::collection::vec(-3i32..3, 0..4)) {
            let found = distinct(&keys(&x).unwrap(), x.len(), 1, None).unwrap();
            for (i, id) in found.ids.iter().enumerate() {
                let first = found.first[*id as usize] as usize;
                prop_assert_eq!(x[i], x[first]);
                prop_assert!(!x[..first].contains(&x[i]));
            }
            prop_assert_eq!(found.counts.iter().sum::<i64>(), x.len() as i64);
            let kept: Vec<i64> = (0..x.len()).filter(|i| !y.contains(&x[*i])).map(|i| i as i64).collect();
            let (x, y) = (keys(&x).unwrap(), keys(&y).unwrap());
            prop_assert_eq!(difference(&x, &y, None).unwrap(), kept);
        }
    }
}

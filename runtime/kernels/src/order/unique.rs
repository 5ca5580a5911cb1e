//! Distinct items.

use super::places::Places;
use super::span::extremes;
use crate::memory::{OutOfMemory, Recycled, WorkVec, reserve, room};
use crate::par::Par;
use crate::size::volume;
use core::mem::MaybeUninit;

/// The distinct items among many.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Distinct {
    /// For each item, the number of its distinct item.
    pub ids: WorkVec<i64>,
    /// The first place of each distinct item; ascending.
    pub first: Vec<i64>,
    /// How often each distinct item occurs.
    pub counts: Vec<i64>,
}

/// A hash table of numbers from zero up, each with a tag: items of different tags differ.
struct Numbers {
    /// A tag and its number; free slots have [`FREE`] as number.
    slots: Vec<(u64, usize)>,
    len: usize,
}

const FREE: usize = usize::MAX;

/// Tags whose slots are looked at before the first one is used, so that the memory is waited for once.
const AHEAD: usize = 16;

/// With more distinct keys than that the table leaves the cache, and sorting is faster.
const MANY: usize = 1 << 14;

impl Numbers {
    fn new() -> Result<Self, OutOfMemory> {
        Ok(Self { slots: free(64)?, len: 0 })
    }

    /// The slot where the search for a tag begins. The product of large odd numbers spreads all bits.
    #[inline(always)]
    fn start(&self, tag: u64) -> usize {
        let product = u128::from(tag ^ 0x9e37_79b9_7f4a_7c15) * 0xd1b5_4a32_d192_ed03;
        ((product >> 64) as usize ^ product as usize) & (self.slots.len() - 1)
    }

    /// The number of the item with this tag that `same` accepts, or else the free slot where it belongs.
    #[inline(always)]
    fn find(&self, tag: u64, mut same: impl FnMut(usize) -> bool) -> Result<usize, usize> {
        let mut at = self.start(tag);
        loop {
            match self.slots[at] {
                (_, FREE) => return Err(at),
                (other, number) if other == tag && same(number) => return Ok(number),
                _ => at = (at + 1) & (self.slots.len() - 1),
            }
        }
    }

    /// Makes room for some more items: at least half of the slots stay free.
    fn reserve(&mut self, more: usize) -> Result<(), OutOfMemory> {
        if 2 * (self.len + more) <= self.slots.len() {
            return Ok(());
        }
        let larger = free((4 * (self.len + more)).next_power_of_two())?;
        for (tag, number) in core::mem::replace(&mut self.slots, larger) {
            if number != FREE
                && let Err(at) = self.find(tag, |_| false)
            {
                self.slots[at] = (tag, number);
            }
        }
        Ok(())
    }

    /// Puts a number into the slot that was found for its tag.
    #[inline(always)]
    fn put(&mut self, at: usize, tag: u64, number: usize) {
        self.slots[at] = (tag, number);
        self.len += 1;
    }

    /// Loads the slots where searches for these tags begin.
    #[inline(always)]
    fn look_ahead(&self, tags: &[u64]) {
        core::hint::black_box(tags.iter().fold(0, |all, tag| all ^ self.slots[self.start(*tag)].0));
    }
}

fn free(len: usize) -> Result<Vec<(u64, usize)>, OutOfMemory> {
    let mut slots = room(len)?;
    slots.resize(len, (0, FREE));
    Ok(slots)
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
    if width == 1
        && let Some(marks) = Marks::of(keys, nan, count)?
    {
        return by_marks(keys, marks);
    }
    let mut numbers = Numbers::new()?;
    let mut found = Distinct { ids: WorkVec::room(count)?, ..Distinct::default() };
    let item = |i: usize| &keys[i * width..(i + 1) * width];
    let mut tags = [0; AHEAD];
    for from in (0..count).step_by(AHEAD) {
        if width == 1 && found.first.len() > MANY {
            return by_sorting(keys, nan);
        }
        let tags = &mut tags[..AHEAD.min(count - from)];
        // Each item may be a new one.
        numbers.reserve(tags.len())?;
        reserve(&mut found.first, tags.len())?;
        reserve(&mut found.counts, tags.len())?;
        for (tag, i) in tags.iter_mut().zip(from..) {
            // The tag of one key is the key.
            let mix =
                |tag: u64, key: &u64| tag.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ key;
            *tag = item(i).iter().fold(0, mix);
        }
        numbers.look_ahead(tags);
        for (&tag, i) in tags.iter().zip(from..) {
            let lonely = nan.is_some_and(|nan| item(i).contains(&nan));
            let same = |id: usize| width == 1 || item(found.first[id] as usize) == item(i);
            let next = found.first.len();
            let id = match if lonely { Ok(next) } else { numbers.find(tag, same) } {
                Ok(id) => id,
                Err(at) => {
                    numbers.put(at, tag, next);
                    next
                }
            };
            if id == next {
                found.first.push(i as i64);
                found.counts.push(0);
            }
            found.counts[id] += 1;
            found.ids.push(id as i64);
        }
    }
    Ok(found)
}

/// A table with a place for each key from the least to the largest.
struct Marks<T: Recycled> {
    least: u64,
    marks: WorkVec<T>,
}

impl<T: Recycled> Marks<T> {
    /// Defaults, if the keys are near each other, for so many accesses. NaN is near to nothing.
    fn of(keys: &[u64], nan: Option<u64>, accesses: usize) -> Result<Option<Self>, OutOfMemory> {
        // As a few keys show most often.
        let fits = |(least, most): (u64, u64)| {
            let few = most - least < (8 * accesses / size_of::<T>()) as u64;
            (few && Some(least) != nan).then_some((least, most))
        };
        let Some((least, most)) = extremes(&keys[..keys.len().min(AHEAD)])
            .and_then(fits)
            .and_then(|_| extremes(keys))
            .and_then(fits)
        else {
            return Ok(None);
        };
        Ok(Some(Self { least, marks: WorkVec::of_len((most - least) as usize + 1)? }))
    }

    /// The mark of a key; none for one that is beyond the table.
    #[inline(always)]
    fn at(&self, key: u64) -> Option<T> {
        self.marks.get(key.wrapping_sub(self.least) as usize).copied()
    }

    #[inline(always)]
    fn set(&mut self, key: u64, mark: T) {
        self.marks[(key - self.least) as usize] = mark;
    }
}

/// [`distinct`] for keys near each other, with room for a mark of each.
fn by_marks(keys: &[u64], mut marks: Marks<i64>) -> Result<Distinct, OutOfMemory> {
    let most = keys.len().min(marks.marks.len());
    let mut found =
        Distinct { ids: WorkVec::room(keys.len())?, first: room(most)?, counts: room(most)? };
    // The items of a run are counted together: each count would wait for the one before.
    let (mut known, mut id, mut start) = (None, 0, 0);
    found.ids.extend(keys.iter().zip(0..).map(|(&key, i)| {
        if known != Some(key) {
            if let Some(count) = found.counts.get_mut(id as usize) {
                *count += i - start;
            }
            // Marks count from one.
            id = marks.at(key).unwrap_or_default() - 1;
            if id < 0 {
                id = found.first.len() as i64;
                marks.set(key, id + 1);
                found.first.push(i);
                found.counts.push(0);
            }
            (known, start) = (Some(key), i);
        }
        id
    }));
    if let Some(count) = found.counts.get_mut(id as usize) {
        *count += keys.len() as i64 - start;
    }
    Ok(found)
}

/// [`distinct`] for items of one key.
fn by_sorting(keys: &[u64], nan: Option<u64>) -> Result<Distinct, OutOfMemory> {
    let read = |at: usize, some: &mut [u64]| {
        let len = some.len();
        some.copy_from_slice(&keys[at..at + len]);
    };
    let mut found = Distinct { ids: WorkVec::room(keys.len())?, ..Distinct::default() };
    found.ids.resize(keys.len(), 0);
    // Each item gets the place of the first one that equals it, which comes first among them here.
    let mut places = Places::default();
    let mut group = None;
    for place in places.sorted(keys.len(), &read, Par::Pool)? {
        let key = keys[place];
        let first = match group {
            Some((known, first)) if known == key && Some(key) != nan => first,
            _ => place,
        };
        group = Some((key, first));
        found.ids[place] = first as i64;
    }
    // The first ones are numbered as they occur, so that the others find a number at the place of theirs.
    for i in 0..keys.len() {
        let first = found.ids[i] as usize;
        let id = if first == i {
            reserve(&mut found.first, 1)?;
            reserve(&mut found.counts, 1)?;
            found.first.push(i as i64);
            found.counts.push(0);
            found.first.len() - 1
        } else {
            found.ids[first] as usize
        };
        found.counts[id] += 1;
        found.ids[i] = id as i64;
    }
    Ok(found)
}

/// Tells for each key of `x` whether it is in `y`, in order. NaN equals nothing.
fn contained(
    x: &[u64],
    y: &[u64],
    nan: Option<u64>,
    mut tell: impl FnMut(bool),
) -> Result<(), OutOfMemory> {
    // Keys near each other are marked in a table.
    if let Some(mut marks) = Marks::<u32>::of(y, nan, x.len() + y.len())? {
        y.iter().for_each(|key| marks.set(*key, 1));
        x.iter().for_each(|key| tell(marks.at(*key) == Some(1)));
        return Ok(());
    }
    let mut numbers = Numbers::new()?;
    for keys in y.chunks(AHEAD) {
        numbers.reserve(keys.len())?;
        numbers.look_ahead(keys);
        for &key in keys.iter().filter(|key| Some(**key) != nan) {
            if let Err(at) = numbers.find(key, |_| true) {
                numbers.put(at, key, 0);
            }
        }
    }
    for keys in x.chunks(AHEAD) {
        numbers.look_ahead(keys);
        keys.iter().for_each(|key| tell(numbers.find(*key, |_| true).is_ok()));
    }
    Ok(())
}

/// The places of the keys of `x` that are not in `y`, in order. NaN equals nothing.
///
/// # Errors
///
/// If there is no memory for them.
pub fn difference(x: &[u64], y: &[u64], nan: Option<u64>) -> Result<WorkVec<i64>, OutOfMemory> {
    let mut kept = WorkVec::room(x.len())?;
    let mut place = 0;
    contained(x, y, nan, |is_in| {
        if !is_in {
            kept.push(place);
        }
        place += 1;
    })?;
    Ok(kept)
}

/// Writes for each key of `x` whether it is in `y`. NaN equals nothing.
///
/// # Errors
///
/// If there is no memory to search in.
///
/// # Panics
///
/// If the result is not as long as `x`.
pub fn contains(
    x: &[u64],
    y: &[u64],
    nan: Option<u64>,
    out: &mut [MaybeUninit<bool>],
) -> Result<(), OutOfMemory> {
    assert_eq!(x.len(), out.len(), "operand and result differ in length");
    let mut out = out.iter_mut();
    contained(x, y, nan, |is_in| {
        out.next().map(|out| out.write(is_in));
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Ordered, keys};
    use super::*;
    use crate::testing::filled;
    use proptest::prelude::*;
    use std::collections::HashMap;

    #[test]
    fn nan_is_alone_and_zeros_are_one() {
        let x = keys(&[f32::NAN, 0.0, -0.0, f32::NAN]).unwrap();
        let found = distinct(&x, 4, 1, <f32 as Ordered>::NAN).unwrap();
        assert_eq!(found.ids[..], [0, 1, 1, 2]);
        assert_eq!(found.first, [0, 1, 3]);
        assert_eq!(found.counts, [1, 2, 1]);
        assert_eq!(difference(&x, &x, <f32 as Ordered>::NAN).unwrap()[..], [0, 3]);
        let is_in = filled(4, |out| contains(&x, &x, <f32 as Ordered>::NAN, out).unwrap());
        assert_eq!(is_in, [false, true, true, false]);
        assert!(filled(0, |out| contains(&[], &x, None, out).unwrap()).is_empty());
        assert_eq!(filled(1, |out| contains(&[u64::MAX], &[], None, out).unwrap()), [false]);
        assert_eq!(
            filled(2, |out| contains(&[0, 7], &[7, u64::MAX, 0], None, out).unwrap()),
            [true; 2]
        );
    }

    #[test]
    fn items_of_any_width() {
        let found = distinct(&[1, 2, 3, 4, 1, 2], 3, 2, None).unwrap();
        assert_eq!((&found.ids[..], &found.first[..]), (&[0, 1, 0][..], &[0, 1][..]));
        // Empty items are all equal.
        let found = distinct(&[], 3, 0, None).unwrap();
        assert_eq!((&found.ids[..], &found.counts[..]), (&[0, 0, 0][..], &[3][..]));
        assert_eq!(distinct(&[], 0, 4, None), Ok(Distinct::default()));
    }

    #[test]
    fn many_keys_with_repeats_and_nan() {
        let x = crate::testing::noise(40_000);
        let mut x = keys(&x).unwrap();
        x.extend_from_within(10_000..20_000);
        x[7] = 0;
        x[30_000] = 0;
        let found = distinct(&x, x.len(), 1, Some(0)).unwrap();
        let mut seen = HashMap::new();
        for (i, key) in x.iter().enumerate() {
            let next = seen.len() as i64;
            let id = *seen.entry((*key, if *key == 0 { i } else { 0 })).or_insert(next);
            assert_eq!(found.ids[i], id);
            assert!(found.first[id as usize] as usize <= i);
        }
        assert_eq!(found.counts.len(), seen.len());
        assert_eq!(found.counts.iter().sum::<i64>(), x.len() as i64);
        assert_ne!(found.ids[7], found.ids[30_000]);
    }

    #[test]
    fn many_keys_that_differ_in_few_bits() {
        for shift in [0, 20, 44] {
            let x: Vec<u64> = (0..100_000).map(|i| (i % 70_000) << shift).collect();
            let found = distinct(&x, x.len(), 1, None).unwrap();
            assert!(found.first.iter().copied().eq(0..70_000));
            assert!(found.ids.iter().copied().eq((0..100_000).map(|i| i % 70_000)));
            assert!(
                found.counts.iter().zip(0..).all(|(n, i)| *n == if i < 30_000 { 2 } else { 1 })
            );
            let left = difference(&x, &x[100..70_000], None).unwrap();
            assert!(left.iter().copied().eq((0..100).chain(70_000..70_100)));
        }
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
            prop_assert_eq!(&difference(&x, &y, None).unwrap()[..], kept);
            for x in [x.clone(), x.iter().map(|key| key.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()] {
                let is_in = filled(x.len(), |out| contains(&x, &y, None, out).unwrap());
                prop_assert!(is_in.iter().zip(&x).all(|(is_in, key)| *is_in == y.contains(key)));
            }
        }
    }
}

//! Sorted integers, and the places of keys in their order.

use crate::memory::{OutOfMemory, Recycled, WorkVec, reserve};
use crate::par::Par;

/// Writes the keys from a place on.
pub(super) type ReadKeys<'f> = &'f (dyn Fn(usize, &mut [u64]) + Sync);

/// Integers that are sorted.
pub(super) trait Sorted: Recycled + Ord + Send + Sync {
    /// Sorts `x`; `other` is kept for the next call.
    fn sort(x: &mut [Self], other: &mut WorkVec<Self>, par: Par) -> Result<(), OutOfMemory>;

    /// Moves the integer to `place` that a sort puts there, smaller ones before it and larger ones behind.
    fn select(x: &mut [Self], other: &mut WorkVec<Self>, place: usize) -> Result<(), OutOfMemory>;
}

macro_rules! sorted {
    ($($t:ident $sort:ident $select:ident;)*) => {$(
        impl Sorted for $t {
            fn sort(x: &mut [Self], other: &mut WorkVec<Self>, par: Par) -> Result<(), OutOfMemory> {
                #[cfg(target_arch = "x86_64")]
                if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("popcnt") {
                    resize(other, x.len())?;
                    // SAFETY: the CPU has the instructions.
                    unsafe { super::vector::$sort(x, &mut other[..x.len()], par) };
                    return Ok(());
                }
                let _ = (other, par);
                x.sort_unstable();
                Ok(())
            }

            fn select(
                x: &mut [Self],
                other: &mut WorkVec<Self>,
                place: usize,
            ) -> Result<(), OutOfMemory> {
                #[cfg(target_arch = "x86_64")]
                if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("popcnt") {
                    resize(other, x.len())?;
                    // SAFETY: the CPU has the instructions.
                    unsafe { super::vector::$select(x, &mut other[..x.len()], place) };
                    return Ok(());
                }
                let _ = other;
                x.select_nth_unstable(place);
                Ok(())
            }
        }
    )*};
}
sorted! {
    u32 sort_narrow select_narrow;
    u64 sort select;
}

/// Makes room for so many integers at least.
pub(super) fn resize<T: Recycled>(x: &mut WorkVec<T>, len: usize) -> Result<(), OutOfMemory> {
    if x.len() < len {
        *x = WorkVec::of_len(len)?;
    }
    Ok(())
}

/// Sorts places by their keys. Its memory is kept for the next row.
#[derive(Default)]
pub(super) struct Places {
    packed: WorkVec<u64>,
    other: WorkVec<u64>,
    run: Vec<(u64, u64)>,
}

impl Places {
    /// The places of `n` keys, the largest key first. Equal keys keep their order.
    pub(super) fn sorted(
        &mut self,
        n: usize,
        read: ReadKeys<'_>,
        par: Par,
    ) -> Result<impl Iterator<Item = usize>, OutOfMemory> {
        resize(&mut self.packed, n)?;
        let packed = &mut self.packed[..n];
        read(0, packed);
        let most = packed.iter().fold(0, |most, key| most.max(*key));
        // How far each key is from the largest one, and its place in the low bits. Bits that there is no room for are
        // zero most often: the keys are halves or singles, or whole numbers, or near to each other.
        let (mut span, mut used) = (0, 0);
        for key in packed.iter_mut() {
            *key = most - *key;
            span = span.max(*key);
            used |= *key;
        }
        let place_bits = usize::BITS - n.saturating_sub(1).leading_zeros();
        let lost = (u64::BITS - span.leading_zeros() + place_bits).saturating_sub(u64::BITS);
        for (key, place) in packed.iter_mut().zip(0..) {
            *key = *key >> lost << place_bits | place;
        }
        u64::sort(packed, &mut self.other, par)?;
        let places = (1 << place_bits) - 1;
        if used.trailing_zeros() < lost {
            self.settle(n, place_bits, read)?;
        }
        Ok(self.packed[..n].iter().map(move |packed| (packed & places) as usize))
    }

    /// Sorts the places of keys that only differ in bits that were lost.
    fn settle(&mut self, n: usize, place_bits: u32, read: ReadKeys<'_>) -> Result<(), OutOfMemory> {
        let alike = |a: &u64, b: &u64| a >> place_bits == b >> place_bits;
        for packed in self.packed[..n].chunk_by_mut(alike).filter(|run| run.len() > 1) {
            let high = packed[0] >> place_bits << place_bits;
            self.run.clear();
            reserve(&mut self.run, packed.len())?;
            self.run.extend(packed.iter().map(|packed| {
                let mut key = [0];
                read((packed - high) as usize, &mut key);
                (!key[0], packed - high)
            }));
            if !self.run.is_sorted() {
                self.run.sort_unstable();
                for (packed, (_, place)) in packed.iter_mut().zip(&self.run) {
                    *packed = high | place;
                }
            }
        }
        Ok(())
    }
}

/// The places of the `k` largest of `n` keys, the largest first, in `best` with their inverted keys. The first of equal
/// keys win.
pub(super) fn largest(
    n: usize,
    k: usize,
    read: ReadKeys<'_>,
    best: &mut Vec<(u64, usize)>,
) -> Result<(), OutOfMemory> {
    /// Keys that are compared at once.
    const GROUP: usize = 32;
    const BLOCK: usize = 16 * GROUP;
    best.clear();
    let most = 2 * (k + GROUP);
    reserve(best, most)?;
    // Keys up to this one are not among the largest. All are, as long as fewer than `k` are known.
    let mut bar = None;
    let mut block = [0; BLOCK];
    for from in (0..n).step_by(BLOCK) {
        let block = &mut block[..BLOCK.min(n - from)];
        read(from, block);
        for (i, group) in block.chunks(GROUP).enumerate() {
            if bar.is_some_and(|bar| none_above(group, bar)) {
                continue;
            }
            let above = group.iter().zip(from + i * GROUP..);
            let above = above.filter(|(key, _)| bar.is_none_or(|bar| **key > bar));
            best.extend(above.map(|(key, place)| (!key, place)));
            if best.len() + GROUP > most || bar.is_none() && best.len() > k {
                best.select_nth_unstable(k - 1);
                best.truncate(k);
                bar = Some(!best[k - 1].0);
            }
        }
    }
    if best.len() > k {
        best.select_nth_unstable(k - 1);
        best.truncate(k);
    }
    best.sort_unstable();
    Ok(())
}

/// Whether no key is above the bar.
fn none_above(keys: &[u64], bar: u64) -> bool {
    crate::par::simd(
        #[inline(always)]
        || keys.iter().fold(0, |most, key| most.max(*key)) <= bar,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check<K: Sorted>(x: &[K], par: Par) {
        let (mut want, mut got) = (x.to_vec(), x.to_vec());
        want.sort_unstable();
        K::sort(&mut got, &mut WorkVec::default(), par).unwrap();
        assert!(got == want);
    }

    proptest! {
        #[test]
        fn integers_are_sorted(mut x in proptest::collection::vec(any::<u64>(), 0..700), bits in 0u32..64) {
            x.iter_mut().for_each(|x| *x >>= bits);
            check(&x, Par::Pool);
            check(&x.iter().map(|x| *x as u32).collect::<Vec<_>>(), Par::Seq);
        }

        #[test]
        fn places_are_those_of_a_stable_sort(
            x in proptest::collection::vec(any::<u64>(), 1..600),
            bits in 0u32..64,
            shift in 0u32..64,
            k in 1usize..600,
        ) {
            let x: Vec<u64> = x.iter().map(|x| (x >> bits).rotate_left(shift)).collect();
            let mut want: Vec<usize> = (0..x.len()).collect();
            want.sort_by_key(|i| !x[*i]);
            let read = |at: usize, keys: &mut [u64]| {
                let len = keys.len();
                keys.copy_from_slice(&x[at..at + len]);
            };
            let mut places = Places::default();
            let got: Vec<usize> = places.sorted(x.len(), &read, Par::Seq).unwrap().collect();
            prop_assert!(got == want);
            let (k, mut best) = (k.min(x.len()), Vec::new());
            largest(x.len(), k, &read, &mut best).unwrap();
            prop_assert!(best.iter().map(|(_, place)| *place).eq(want[..k].iter().copied()));
        }
    }

    #[test]
    fn long_and_uniform_rows() {
        let noise = crate::testing::noise(1 << 17);
        let x: Vec<u64> = noise.iter().map(|x| u64::from(x.to_bits()) * 0x1_0000_0001).collect();
        let few = x[..5000].iter().map(|x| u64::MAX - x % 3).collect();
        for (x, par) in [(x, Par::Pool), (few, Par::Seq), (vec![u64::MAX; 3000], Par::Seq)] {
            check(&x, par);
            check(&x.iter().map(|x| *x as u32).collect::<Vec<_>>(), par);
        }
    }
}

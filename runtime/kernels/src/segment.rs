//! Rows combined at the places that they go to: sums, products and extremes of segments, sums at sparse places, counts.

use crate::element::{Arithmetic, Element};
use crate::par::{Par, simd};
use core::ops::Range;

/// Writes the places of consecutive items, from the given item on, into a block.
pub type Places<'a> = &'a (dyn Fn(usize, &mut [i64]) + Sync);

/// How many places are asked for at once, at most.
pub const BLOCK: usize = 256;

/// Where rows come from and go to. There are `count` items.
#[derive(Clone, Copy)]
pub struct Routes<'a> {
    /// How many items there are.
    pub count: usize,
    /// The row that each item reads; none if item `i` reads row `i`.
    pub from: Option<Places<'a>>,
    /// The row that each item goes to. An item with a place that does not exist is left out.
    pub to: Places<'a>,
    /// Whether the items go to rows in ascending order.
    pub sorted: bool,
}

impl core::fmt::Debug for Routes<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Routes").field("count", &self.count).field("sorted", &self.sorted).finish()
    }
}

/// For each item, in order, and each element `x` of its row: `out = f(item, out, x)` at the row that it goes to. Rows
/// are `inner` elements long. Sorted items that read their own rows of one element are combined in any order, so there
/// `f` must be associative and take any of their numbers.
///
/// # Panics
///
/// If an item reads a row that `data` does not have.
pub fn combine<T: Element>(
    routes: Routes<'_>,
    data: &[T],
    inner: usize,
    out: &mut [T],
    par: Par,
    f: impl Fn(usize, T, T) -> T + Copy + Sync,
) {
    if inner == 0 {
        return;
    }
    // Each thread fills rows of its own. In sorted items it finds those that go there. Otherwise it looks at all
    // items, which pays for long rows.
    let work = if routes.sorted || inner >= 16 { routes.count.saturating_mul(inner) } else { 0 };
    par.for_parts(out, inner, work, &|start, out| {
        let first = start / inner;
        let items = match routes.sorted {
            true => routes.first_at(first)..routes.first_at(first + out.len() / inner),
            false => 0..routes.count,
        };
        simd(
            #[inline(always)]
            || part(&routes, items, data, inner, first, out, f),
        );
    });
}

impl Routes<'_> {
    /// The first item that goes to this row or a later one.
    fn first_at(&self, row: usize) -> usize {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            let mut place = [0];
            (self.to)(middle, &mut place);
            match place[0] < row as i64 {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        low
    }
}

/// The rows from `first` on.
#[inline(always)]
fn part<T: Element>(
    routes: &Routes<'_>,
    items: Range<usize>,
    data: &[T],
    inner: usize,
    first: usize,
    out: &mut [T],
    f: impl Fn(usize, T, T) -> T + Copy,
) {
    if inner == 1 && routes.sorted {
        return runs(routes, items, data, first, out, f);
    }
    let rows = (out.len() / inner) as u64;
    let (mut to, mut from) = ([0; BLOCK], [0; BLOCK]);
    for start in items.clone().step_by(BLOCK) {
        let n = BLOCK.min(items.end - start);
        let to = &mut to[..n];
        (routes.to)(start, to);
        let from = match routes.from {
            Some(places) => {
                places(start, &mut from[..n]);
                Some(&from[..n])
            }
            None => None,
        };
        for (i, to) in to.iter().enumerate() {
            // A negative place is a large unsigned one.
            let row = to.cast_unsigned().wrapping_sub(first as u64);
            if row >= rows {
                continue;
            }
            let (row, from) = (row as usize, from.map_or(start + i, |from| from[i] as usize));
            if inner == 1 {
                out[row] = f(start + i, out[row], data[from]);
            } else {
                let data = &data[from * inner..][..inner];
                for (out, x) in out[row * inner..][..inner].iter_mut().zip(data) {
                    *out = f(start + i, *out, *x);
                }
            }
        }
    }
}

/// [`part`] of rows of one element whose items are sorted: what goes to one row is combined in registers.
#[inline(always)]
fn runs<T: Element>(
    routes: &Routes<'_>,
    items: Range<usize>,
    data: &[T],
    first: usize,
    out: &mut [T],
    f: impl Fn(usize, T, T) -> T + Copy,
) {
    let (mut to, mut from) = ([0; BLOCK], [0; BLOCK]);
    let (mut row, mut sum) = (usize::MAX, T::default());
    let mut start = items.start;
    while start < items.end {
        // Where blocks end does not depend on the threads, nor then does the order of what is combined.
        let n = (BLOCK - start % BLOCK).min(items.end - start);
        let to = &mut to[..n];
        (routes.to)(start, to);
        if let Some(places) = routes.from {
            places(start, &mut from[..n]);
        }
        let mut i = 0;
        while i < n {
            let place = to[i];
            // A place that does not exist is not below the number of rows.
            let next = (place as usize).wrapping_sub(first);
            if next != row {
                if let Some(out) = out.get_mut(row) {
                    *out = sum;
                }
                (row, sum) = (next, out.get(next).copied().unwrap_or_default());
            }
            if routes.from.is_some() {
                sum = f(start + i, sum, data[from[i] as usize]);
                i += 1;
                continue;
            }
            let many = to.get(i + LANES - 1).is_some_and(|far| *far == place);
            let end = match to[n - 1] == place {
                true => n,
                false if many => i + to[i..].partition_point(|at| *at == place),
                false => i + 1,
            };
            sum = together(&data[start + i..start + end], sum, |a, b| f(start + i, a, b));
            i = end;
        }
        start += n;
    }
    if let Some(out) = out.get_mut(row) {
        *out = sum;
    }
}

/// Elements that are combined side by side: one after the other, each would wait for the one before.
const LANES: usize = 16;

/// `sum` combined with all elements.
#[inline(always)]
fn together<T: Element>(x: &[T], mut sum: T, f: impl Fn(T, T) -> T) -> T {
    let (whole, rest) = x.as_chunks::<LANES>();
    if let Some((first, others)) = whole.split_first() {
        let mut lanes = *first;
        for x in others {
            for (lane, x) in lanes.iter_mut().zip(x) {
                *lane = f(*lane, *x);
            }
        }
        sum = lanes.into_iter().fold(sum, &f);
    }
    rest.iter().copied().fold(sum, &f)
}

/// For each item: `out = f(item, out)` at the place that it goes to. An item with a place that does not exist is left
/// out.
pub fn count<T: Element>(items: usize, to: Places<'_>, out: &mut [T], f: impl Fn(usize, T) -> T) {
    let mut block = [0; BLOCK];
    for start in (0..items).step_by(BLOCK) {
        let block = &mut block[..BLOCK.min(items - start)];
        to(start, block);
        for (i, to) in block.iter().enumerate() {
            if let Some(out) = out.get_mut(*to as usize) {
                *out = f(start + i, *out);
            }
        }
    }
}

/// Few places have as many tables, whose sums are taken in the end: additions at one place wait for each other.
const TABLES: usize = 4;
/// The most places that have tables.
const TABLED: usize = 1 << 11;

/// Adds the weight of each item, or one without weights, at the place that it goes to. An item with a place that does not
/// exist is left out.
///
/// # Panics
///
/// If there are weights, but fewer than items.
pub fn tally<T: Arithmetic>(items: usize, to: Places<'_>, weights: Option<&[T]>, out: &mut [T]) {
    // The last place of a table is that of items that are left out.
    let len = out.len() + 1;
    let tabled = out.len() <= TABLED && items >= TABLES * len;
    let mut tables = vec![T::ZERO; if tabled { TABLES * len } else { 0 }];
    let (mut block, ones) = ([0; BLOCK], [T::ONE; BLOCK]);
    for start in (0..items).step_by(BLOCK) {
        let block = &mut block[..BLOCK.min(items - start)];
        to(start, block);
        let weights = weights.map_or(&ones[..block.len()], |all| &all[start..][..block.len()]);
        // Sorted items go to one place for long.
        let first = block[0];
        if block.iter().fold(true, |same, to| same & (*to == first)) {
            if let Some(out) = out.get_mut(first as usize) {
                *out = together(weights, *out, T::add);
            }
        } else if tables.is_empty() {
            for (to, weight) in block.iter().zip(weights) {
                if let Some(out) = out.get_mut(*to as usize) {
                    *out = out.add(*weight);
                }
            }
        } else {
            let (whole, rest) = block.as_chunks::<TABLES>();
            let (weights, last) = weights.as_chunks::<TABLES>();
            for (to, weights) in whole.iter().zip(weights) {
                for (i, (to, weight)) in to.iter().zip(weights).enumerate() {
                    let sum = &mut tables[i * len + (*to as usize).min(len - 1)];
                    *sum = sum.add(*weight);
                }
            }
            for (to, weight) in rest.iter().zip(last) {
                let sum = &mut tables[(*to as usize).min(len - 1)];
                *sum = sum.add(*weight);
            }
        }
    }
    for table in tables.chunks_exact(len) {
        out.iter_mut().zip(table).for_each(|(out, sum)| *out = out.add(*sum));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::noise;

    fn sums(to: &[i64], x: &[f32], inner: usize, rows: usize, par: Par) -> Vec<f32> {
        let mut out = vec![0.0; rows * inner];
        let routes = Routes {
            count: to.len(),
            from: None,
            to: &|start, block| block.copy_from_slice(&to[start..][..block.len()]),
            sorted: to.is_sorted(),
        };
        combine(routes, x, inner, &mut out, par, |_, a, b| a + b);
        out
    }

    #[test]
    fn rows_are_added_in_order_and_places_that_do_not_exist_are_left_out() {
        let x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
        assert_eq!(sums(&[1, -1, 2, 1], &x, 2, 2, Par::Seq), [0.0, 0.0, 8.0, 10.0]);
        assert_eq!(sums(&[0, 0, 2, 9], &x[..4], 1, 3, Par::Seq), [3.0, 0.0, 3.0]);
        assert!(sums(&[], &[], 0, 5, Par::Seq).is_empty());
    }

    #[test]
    fn rows_are_read_by_their_places() {
        let mut out = [10.0; 2];
        let routes = Routes {
            count: 3,
            from: Some(&|start, block| block.copy_from_slice(&[2, 2, 0][start..][..block.len()])),
            to: &|start, block| block.copy_from_slice(&[0, 1, 1][start..][..block.len()]),
            sorted: true,
        };
        combine(routes, &[1.0, 2.0, 3.0], 1, &mut out, Par::Seq, |i, a, x| a + i as f64 * x);
        assert_eq!(out, [10.0, 15.0]);
    }

    #[test]
    fn threads_change_nothing() {
        let x = noise(1 << 19);
        for inner in [1, 16] {
            let rows = x.len() / inner;
            let mut to: Vec<i64> = (0..rows as i64).map(|i| i * 7919 % 1000).collect();
            for sorted in [false, true] {
                if sorted {
                    to.sort_unstable();
                }
                let [one, many] = [Par::Seq, Par::Pool].map(|par| sums(&to, &x, inner, 1000, par));
                assert_eq!(one, many);
            }
        }
    }

    #[test]
    fn long_runs_are_summed_whole() {
        // Runs of all lengths around those that are summed side by side and those of blocks.
        let to: Vec<i64> = (0..300).flat_map(|i| core::iter::repeat_n(i, i as usize)).collect();
        let x: Vec<f32> = (0..to.len()).map(|i| (i % 7) as f32).collect();
        let mut want = vec![0.0; 300];
        to.iter().zip(&x).for_each(|(to, x)| want[*to as usize] += x);
        assert_eq!(sums(&to, &x, 1, 300, Par::Seq), want);
        assert_eq!(sums(&to, &x, 1, 200, Par::Seq), want[..200]);
        let mut out = vec![0.0; 300];
        tally(
            to.len(),
            &|at, some| some.copy_from_slice(&to[at..][..some.len()]),
            Some(&x),
            &mut out,
        );
        assert_eq!(out, want);
    }

    #[test]
    fn tallies_with_and_without_tables() {
        for (places, items) in
            [(0, 9), (1, 4000), (7, 4000), (TABLED, 40_000), (TABLED + 1, 40_000), (50, 60)]
        {
            let to: Vec<i64> = (0..items).map(|i| i * 7919 % (places as i64 + 3) - 1).collect();
            let read = |at: usize, some: &mut [i64]| some.copy_from_slice(&to[at..][..some.len()]);
            let weights: Vec<i64> = (0..items).collect();
            let (mut counts, mut sums, mut want) =
                (vec![1; places], vec![1; places], vec![[1; 2]; places]);
            tally(to.len(), &read, None, &mut counts);
            tally(to.len(), &read, Some(&weights), &mut sums);
            for (i, to) in to.iter().enumerate() {
                if let Some([count, sum]) = want.get_mut(*to as usize) {
                    (*count, *sum) = (*count + 1, *sum + i as i64);
                }
            }
            assert!(want.iter().copied().eq(counts.iter().zip(&sums).map(|(a, b)| [*a, *b])));
        }
    }

    #[test]
    fn counts_places() {
        let mut out = [0; 3];
        let places: Vec<i64> = (0..1000).map(|i| i % 5 - 1).collect();
        let to = |start: usize, block: &mut [i64]| {
            block.copy_from_slice(&places[start..][..block.len()]);
        };
        count(1000, &to, &mut out, |_, n| n + 1);
        assert_eq!(out, [200; 3]);
    }
}

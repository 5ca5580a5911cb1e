//! Sums of products of two lines, one moved along the other.

use crate::element::{Arithmetic, Element};
use crate::par::{Par, simd};

/// The elements of a block: it stays in the cache while every tap is added.
const BLOCK: usize = 1024;

/// As many products are added in one run: a longer one loses small products behind a large sum.
const RUN: usize = 4096;

/// Writes the sum of `x[i + j - before] * y[j]` over `j` to every `out[i]`, without the products beyond the ends of `x`.
/// There are rows of these sizes in `x`, in `y` and in `out`, as many in each.
pub fn slide<T: Element + Arithmetic>(
    x: &[T],
    y: &[T],
    [n, m, count]: [usize; 3],
    before: i64,
    out: &mut [T],
    par: Par,
) {
    let work = out.len().saturating_mul(m);
    if out.len() <= count {
        return par.for_parts(out, BLOCK, work, &|start, out| blocks(x, y, before, start, out));
    }
    par.for_parts(out, count, work, &|start, out| {
        for (row, out) in (start / count..).zip(out.chunks_mut(count)) {
            blocks(&x[row * n..][..n], &y[row * m..][..m], before, 0, out);
        }
    });
}

/// The sums from `start` on.
fn blocks<T: Element + Arithmetic>(x: &[T], y: &[T], before: i64, start: usize, out: &mut [T]) {
    for (i, out) in out.chunks_mut(BLOCK).enumerate() {
        let start = before.saturating_sub_unsigned((start + i * BLOCK) as u64);
        simd(
            #[inline(always)]
            || {
                out.fill(T::ZERO);
                if y.len() <= RUN {
                    return add_run(x, y, start, out);
                }
                let mut sums = [T::ZERO; BLOCK];
                let sums = &mut sums[..out.len()];
                for (run, y) in y.chunks(RUN).enumerate() {
                    add_run(x, y, start.saturating_sub_unsigned((run * RUN) as u64), sums);
                    for (out, sum) in out.iter_mut().zip(&mut *sums) {
                        *out = out.add(core::mem::replace(sum, T::ZERO));
                    }
                }
            },
        );
    }
}

/// Adds the products of some taps, the first of which begins `before` places before `x`.
#[inline(always)]
fn add_run<T: Element + Arithmetic>(x: &[T], y: &[T], before: i64, sums: &mut [T]) {
    for (j, &y) in y.iter().enumerate() {
        // The first element of the block that has a partner, and the partner.
        let before = before.saturating_sub_unsigned(j as u64);
        let (skip, from) = (before.max(0) as usize, before.min(0).unsigned_abs() as usize);
        let (Some(sums), Some(x)) = (sums.get_mut(skip..), x.get(from..)) else { continue };
        for (sum, &x) in sums.iter_mut().zip(x) {
            *sum = sum.add(x.mul(y));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_definition() {
        const ROWS: usize = 3;
        let all: Vec<i32> = (0..15000).map(|i| i * i % 17 - 8).collect();
        for (n, m) in [(1, 1), (5, 3), (3, 5), (3000, 7), (2000, 1500), (2500, 2500), (40, 4500)] {
            let (x, y) = (&all[..ROWS * n], &all[n / 3..][..ROWS * m]);
            let last = m as i64 - 1;
            // Windows also begin and end beyond all elements, or not at the ends.
            for (before, after) in
                [(0, last), (last, last), (last / 2, last - last / 2), (last + 3, 9)]
            {
                let count = (n as i64 + before + after - last) as usize;
                let mut out = vec![7; ROWS * count];
                slide(x, y, [n, m, count], before, &mut out, Par::Pool);
                let mut first = vec![7; count];
                slide(&x[..n], &y[..m], [n, m, count], before, &mut first, Par::Pool);
                assert_eq!(first, out[..count]);
                for (at, out) in out.iter().enumerate() {
                    let (row, i) = (at / count, at % count);
                    let (x, y) = (&x[row * n..][..n], &y[row * m..][..m]);
                    let at = |j: usize| x.get(usize::try_from((i + j) as i64 - before).ok()?);
                    let want: i32 = (0..m).filter_map(|j| Some(at(j)? * y[j])).sum();
                    assert_eq!(*out, want, "{n} {m} {before} {row} {i}");
                }
            }
            let (x, y, mut out) = (&x[..n], &y[..m], vec![7; n]);
            slide(x, y, [n, m, n], -1, &mut out, Par::Seq);
            let want =
                |i: usize| (0..m).filter_map(|j| Some(x.get(i + j + 1)? * y[j])).sum::<i32>();
            assert!(out.iter().enumerate().all(|(i, out)| *out == want(i)), "{n} {m}");
        }
    }

    #[test]
    fn long_sums_lose_little() {
        let mut x = vec![1f32; 4 * RUN];
        x[0] = (1 << 24) as f32;
        let mut out = [0.0];
        let sizes = [x.len(), x.len(), 1];
        slide(&x, &vec![1.0; x.len()], sizes, 0, &mut out, Par::Seq);
        // What is added behind the first number in its run is lost.
        assert!(out[0] >= x[0] + (3 * RUN) as f32, "{out:?}");
    }
}

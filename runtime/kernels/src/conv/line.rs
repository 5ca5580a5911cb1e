//! Sums of products of two lines, one moved along the other.

use crate::element::{Arithmetic, Element};
use crate::par::{Par, simd};

/// The elements of a block: it stays in the cache while every tap is added.
const BLOCK: usize = 1024;

/// Writes the sum of `x[i + j - before] * y[j]` over `j` to every `out[i]`, without the products beyond the ends of `x`.
/// There are rows of these sizes in `x`, in `y` and in `out`, as many in each.
pub fn slide<T: Element + Arithmetic>(
    x: &[T],
    y: &[T],
    [n, m, count]: [usize; 3],
    before: usize,
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
fn blocks<T: Element + Arithmetic>(x: &[T], y: &[T], before: usize, start: usize, out: &mut [T]) {
    for (i, out) in out.chunks_mut(BLOCK).enumerate() {
        let start = start + i * BLOCK;
        simd(
            #[inline(always)]
            || {
                out.fill(T::ZERO);
                for (j, &y) in y.iter().enumerate() {
                    // The first element of the block that has a partner, and the partner.
                    let skip = before.saturating_sub(start + j);
                    let from = (start + j + skip).saturating_sub(before);
                    let (Some(out), Some(x)) = (out.get_mut(skip..), x.get(from..)) else {
                        continue;
                    };
                    for (out, &x) in out.iter_mut().zip(x) {
                        *out = out.add(x.mul(y));
                    }
                }
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_definition() {
        const ROWS: usize = 3;
        let all: Vec<i32> = (0..9000).map(|i| i * i % 17 - 8).collect();
        for (n, m) in [(1, 1), (5, 3), (3, 5), (3000, 7), (2000, 1500)] {
            let (x, y) = (&all[..ROWS * n], &all[n / 2..][..ROWS * m]);
            for (before, after) in [(0, m - 1), (m - 1, m - 1), (m / 2, m - 1 - m / 2)] {
                let count = n + before + after + 1 - m;
                let mut out = vec![0; ROWS * count];
                slide(x, y, [n, m, count], before, &mut out, Par::Pool);
                let mut first = vec![0; count];
                slide(&x[..n], &y[..m], [n, m, count], before, &mut first, Par::Pool);
                assert_eq!(first, out[..count]);
                for (at, out) in out.iter().enumerate() {
                    let (row, i) = (at / count, at % count);
                    let (x, y) = (&x[row * n..][..n], &y[row * m..][..m]);
                    let at = |j: usize| (i + j).checked_sub(before).and_then(|at| x.get(at));
                    let want: i32 = (0..m).filter_map(|j| Some(at(j)? * y[j])).sum();
                    assert_eq!(*out, want, "{n} {m} {before} {row} {i}");
                }
            }
        }
    }
}

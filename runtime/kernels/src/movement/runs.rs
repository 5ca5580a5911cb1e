//! Runs of rows copied one after the other.

use super::clone_to;
use crate::par::Par;
use core::mem::MaybeUninit;

/// So many rows that follow one another, and where they go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The first row that is read.
    pub from: usize,
    /// The first row that is written.
    pub to: usize,
    /// The number of rows.
    pub len: usize,
}

/// Copies `count` runs of rows of `x`, as `run` tells them, and writes `default` into the rows of the result that are in
/// none. Rows are as long as the default; it is not read if runs cover the result.
///
/// Runs ascend by where they go, and don't overlap there; what is beyond the result is left out.
///
/// # Panics
///
/// If a run does not lie in `x`, or the length of `out` is no multiple of that of a row.
pub fn copy_runs<T: Copy + Send + Sync>(
    x: &[T],
    default: &[T],
    count: usize,
    run: impl Fn(usize) -> Run + Sync,
    out: &mut [MaybeUninit<T>],
    par: Par,
) {
    let inner = default.len();
    if out.is_empty() {
        return;
    }
    assert_eq!(out.len() % inner, 0, "the result has whole rows");
    let work = out.len();
    par.for_parts(out, inner, work, &|start, mut out| {
        let (mut row, end) = (start / inner, (start + out.len()) / inner);
        for i in first_after(count, row, &run)..count {
            let Run { from, to, len } = run(i);
            if to >= end {
                break;
            }
            let gap = to.saturating_sub(row) * inner;
            fill(default, gap, out);
            row = row.max(to);
            let (skipped, rows) = (row - to, (to + len).min(end) - row);
            out = &mut out[gap..];
            copy(&x[(from + skipped) * inner..], rows * inner, out);
            out = &mut out[rows * inner..];
            row += rows;
        }
        fill(default, out.len(), out);
    });
}

/// Short runs are moved in blocks of so many elements, so that few branches depend on their length. The next run or gap
/// overwrites what the last block writes behind a run.
const BLOCK: usize = 16;
/// The most elements of a short run.
const SHORT: usize = 4 * BLOCK;

/// Copies `n` elements; what is behind them may be overwritten.
#[inline(always)]
fn copy<T: Copy>(x: &[T], n: usize, out: &mut [MaybeUninit<T>]) {
    let mut at = 0;
    while at < n {
        match (x[at..].first_chunk::<BLOCK>(), out[at..].first_chunk_mut::<BLOCK>()) {
            (Some(x), Some(out)) if n <= SHORT => clone_to(x, out),
            _ => return clone_to(&x[at..n], &mut out[at..n]),
        }
        at += BLOCK;
    }
}

/// Fills `n` elements with rows; what is behind them may be overwritten.
#[inline(always)]
fn fill<T: Copy>(row: &[T], n: usize, out: &mut [MaybeUninit<T>]) {
    let [one] = row else {
        return out[..n].chunks_exact_mut(row.len()).for_each(|out| clone_to(row, out));
    };
    let mut at = 0;
    while at < n {
        match out[at..].first_chunk_mut::<BLOCK>() {
            Some(out) if n <= SHORT => out.fill(MaybeUninit::new(*one)),
            _ => return out[at..n].fill(MaybeUninit::new(*one)),
        }
        at += BLOCK;
    }
}

/// The first run that ends behind this row.
fn first_after(count: usize, row: usize, run: &impl Fn(usize) -> Run) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        let found = run(middle);
        match found.to + found.len <= row {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::filled;

    #[test]
    fn what_is_in_no_run_is_the_default() {
        let x: Vec<i32> = (0..12).collect();
        let runs = [
            Run { from: 2, to: 0, len: 1 },
            Run { from: 0, to: 2, len: 2 },
            Run { from: 5, to: 4, len: 0 },
        ];
        let got = filled(12, |out| copy_runs(&x, &[-1, -2], 3, |i| runs[i], out, Par::Seq));
        assert_eq!(got, [4, 5, -1, -2, 0, 1, 2, 3, -1, -2, -1, -2]);
        // What does not fit is left out.
        let got = filled(6, |out| copy_runs(&x, &[-1, -2], 3, |i| runs[i], out, Par::Seq));
        assert_eq!(got, [4, 5, -1, -2, 0, 1]);
        assert!(filled(0, |out| copy_runs(&x, &[], 3, |i| runs[i], out, Par::Seq)).is_empty());
    }

    #[test]
    fn threads_share_runs() {
        let n = 1 << 19;
        let x: Vec<i32> = (0..n).collect();
        // Runs of 7 of every 10 rows, which parts cut anywhere.
        let run = |i| Run { from: i * 7, to: i * 10, len: 7 };
        let got = filled(n as usize, |out| {
            copy_runs(&x, &[-1], n as usize / 10 + 1, run, out, Par::Pool);
        });
        let want = |row: i32| if row % 10 < 7 { row / 10 * 7 + row % 10 } else { -1 };
        assert!((0..n).all(|row| got[row as usize] == want(row)));
    }

    #[test]
    fn runs_and_gaps_of_any_length() {
        let x: Vec<i32> = (0..9000).collect();
        for inner in [1, 3] {
            let default = vec![-1; inner];
            let (mut runs, mut want) = (Vec::new(), Vec::new());
            for i in 0..100 {
                let (gap, len, from) = (i * 7 % 70, i * 11 % 90, i * 29);
                want.extend(vec![-1; gap * inner]);
                runs.push(Run { from, to: want.len() / inner, len });
                want.extend(&x[from * inner..][..len * inner]);
            }
            let got = filled(want.len(), |out| {
                copy_runs(&x, &default, runs.len(), |i| runs[i], out, Par::Seq);
            });
            assert_eq!(got, want);
        }
    }
}

//! Copies along tables of offsets: rolls, mirrored edges; and the sums that undo such copies.

use super::clone_to;
use crate::element::Arithmetic;
use crate::memory::{OutOfMemory, reserve};
use crate::size::volume;
use core::mem::MaybeUninit;

/// Consecutive elements in a table, forwards or backwards.
#[derive(Clone, Copy)]
struct Run {
    from: usize,
    len: usize,
    backwards: bool,
}

/// Copies elements from the offsets in tables: `out[i, j, …] = x[offsets[0][i] + offsets[1][j] + …]`.
///
/// # Errors
///
/// If there is no memory for the runs of the last table.
///
/// # Panics
///
/// If an offset lies outside of `x`, or the lengths do not fit.
pub fn mapped_copy<T: Clone>(
    x: &[T],
    offsets: &[Vec<usize>],
    out: &mut [MaybeUninit<T>],
) -> Result<(), OutOfMemory> {
    let (rows, runs) = rows_and_runs(offsets, out.len())?;
    let mut rest = out;
    for_each_row(rows, |offset| {
        for run in &runs {
            let (out, after) = core::mem::take(&mut rest).split_at_mut(run.len);
            let from = offset + run.from;
            if run.backwards {
                let x = &x[from + 1 - run.len..=from];
                for (out, x) in out.iter_mut().zip(x.iter().rev()) {
                    out.write(x.clone());
                }
            } else {
                clone_to(&x[from..from + run.len], out);
            }
            rest = after;
        }
    });
    assert!(rest.is_empty(), "result is longer than the tables");
    Ok(())
}

/// Adds elements at the offsets in tables: `out[offsets[0][i] + offsets[1][j] + …] += x[i, j, …]`.
///
/// # Errors
///
/// If there is no memory for the runs of the last table.
///
/// # Panics
///
/// If an offset lies outside of `out`, or the lengths do not fit.
pub fn mapped_add<T: Arithmetic>(
    x: &[T],
    offsets: &[Vec<usize>],
    out: &mut [T],
) -> Result<(), OutOfMemory> {
    let (rows, runs) = rows_and_runs(offsets, x.len())?;
    let mut rest = x;
    for_each_row(rows, |offset| {
        for run in &runs {
            let (x, after) = rest.split_at(run.len);
            let from = offset + run.from;
            if run.backwards {
                let out = &mut out[from + 1 - run.len..=from];
                out.iter_mut().rev().zip(x).for_each(|(out, x)| *out = out.add(*x));
            } else {
                let out = &mut out[from..from + run.len];
                out.iter_mut().zip(x).for_each(|(out, x)| *out = out.add(*x));
            }
            rest = after;
        }
    });
    Ok(())
}

/// The tables of the outer dimensions, and the runs of the last one; both are empty if there are no elements. Checks
/// the number of elements.
fn rows_and_runs(
    offsets: &[Vec<usize>],
    len: usize,
) -> Result<(&[Vec<usize>], Vec<Run>), OutOfMemory> {
    assert_eq!(len, volume(offsets.iter().map(Vec::len)), "one element for each index");
    match offsets.split_last() {
        _ if len == 0 => Ok((&[], Vec::new())),
        Some((last, rows)) => Ok((rows, runs(last)?)),
        None => Ok((&[], vec![Run { from: 0, len: 1, backwards: false }])),
    }
}

fn runs(table: &[usize]) -> Result<Vec<Run>, OutOfMemory> {
    let mut runs: Vec<Run> = Vec::new();
    for &offset in table {
        match runs.last_mut() {
            Some(run) if !run.backwards && offset == run.from + run.len => run.len += 1,
            Some(run) if run.len == 1 && offset + 1 == run.from => {
                *run = Run { len: 2, backwards: true, ..*run };
            }
            Some(run) if run.backwards && offset + run.len == run.from => run.len += 1,
            _ => {
                reserve(&mut runs, 1)?;
                runs.push(Run { from: offset, len: 1, backwards: false });
            }
        }
    }
    Ok(runs)
}

/// Calls `f` with the sum of one offset of each table; the last table changes fastest.
fn for_each_row(tables: &[Vec<usize>], mut f: impl FnMut(usize)) {
    if tables.iter().any(Vec::is_empty) {
        return;
    }
    let mut index = vec![0; tables.len()];
    loop {
        f(tables.iter().zip(&index).map(|(table, &i)| table[i]).sum());
        let mut places = tables.iter().zip(&mut index).rev();
        let next = places.find_map(|(table, i)| {
            *i = (*i + 1) % table.len();
            (*i != 0).then_some(())
        });
        if next.is_none() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::filled;

    #[test]
    fn runs_go_both_ways() {
        let x: Vec<i32> = (0..12).collect();
        // Rows of four: mirrored on the left, then forwards, then a jump.
        let tables = [vec![4, 0], vec![2, 1, 0, 1, 2, 3, 0]];
        let got = filled(14, |out| mapped_copy(&x, &tables, out).unwrap());
        assert_eq!(got, [6, 5, 4, 5, 6, 7, 4, 2, 1, 0, 1, 2, 3, 0]);
        assert_eq!(filled(1, |out| mapped_copy(&x, &[], out).unwrap()), [0]);
        assert!(filled(0, |out| mapped_copy(&x, &[vec![1], vec![]], out).unwrap()).is_empty());
        assert!(filled(0, |out| mapped_copy(&x, &[vec![], vec![1, 2]], out).unwrap()).is_empty());
    }

    #[test]
    fn adding_undoes_a_copy() {
        let tables = [vec![3, 0], vec![1, 0, 0, 1, 2]];
        let x: Vec<i32> = (1..=10).collect();
        let mut out = [0; 6];
        mapped_add(&x, &tables, &mut out).unwrap();
        let mut want = [0; 6];
        for (i, a) in tables[0].iter().enumerate() {
            for (j, b) in tables[1].iter().enumerate() {
                want[a + b] += x[i * 5 + j];
            }
        }
        assert_eq!(out, want);
    }
}

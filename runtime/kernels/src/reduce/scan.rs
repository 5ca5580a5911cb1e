//! Running sums and products.

use super::{Reducer, levels};
use crate::element::Element;
use crate::par::Par;
use crate::size::volume;
use core::mem::MaybeUninit;

/// Columns scanned side by side.
const COLUMNS: usize = 256;
/// Rows scanned side by side: an addition must wait for the one before it in its row.
const ROWS: usize = 8;

/// The options of a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ScanMode {
    /// Leave the element itself out.
    pub exclusive: bool,
    /// Start at the end.
    pub reverse: bool,
}

/// Writes the running reduction along the middle dimension of an array of shape
/// (`outer`, `axis_len`, `inner`): with [`Sum`](super::Sum) a cumulative sum.
///
/// # Panics
///
/// If a length does not fit the shape.
pub fn scan<T, Q>(
    x: &[T],
    [outer, axis_len, inner]: [usize; 3],
    mode: ScanMode,
    out: &mut [MaybeUninit<Q::Out>],
    par: Par,
    reducer: Q,
) where
    T: Element,
    Q: Reducer<T>,
    Q::Out: Send,
{
    assert_eq!(x.len(), volume([outer, axis_len, inner]), "operand does not have the shape given");
    assert_eq!(out.len(), x.len(), "result does not have the shape given");
    if x.is_empty() {
        return;
    }
    let slab = axis_len * inner;
    // Several rows are scanned side by side if there are many, and a few columns in whole slabs.
    let several = slab * ROWS;
    let unit = if inner == 1 && outer >= 2 * ROWS { several } else { slab };
    par.for_parts(out, unit, x.len(), &|start, out| {
        let x = &x[start..][..out.len()];
        if inner == 1 {
            let whole = out.len() / several * several;
            let (first, rest) = out.split_at_mut(whole);
            levels::<T, Q, _>(
                #[inline(always)]
                || {
                    for (x, out) in x.chunks_exact(several).zip(first.chunks_exact_mut(several)) {
                        scan_rows::<ROWS, _, _>(x, out, mode, reducer);
                    }
                    for (x, out) in x[whole..].chunks_exact(slab).zip(rest.chunks_exact_mut(slab)) {
                        scan_rows::<1, _, _>(x, out, mode, reducer);
                    }
                },
            );
            return;
        }
        for (x, out) in x.chunks_exact(slab).zip(out.chunks_exact_mut(slab)) {
            for column in (0..inner).step_by(COLUMNS) {
                let width = COLUMNS.min(inner - column);
                levels::<T, Q, _>(
                    #[inline(always)]
                    || scan_columns(x, out, column, width, inner, mode, reducer),
                );
            }
        }
    });
}

/// Scans `N` rows.
#[inline(always)]
fn scan_rows<const N: usize, T: Copy, Q: Reducer<T>>(
    x: &[T],
    out: &mut [MaybeUninit<Q::Out>],
    mode: ScanMode,
    reducer: Q,
) {
    let len = x.len() / N;
    let mut accs = [reducer.identity(); N];
    let rows: [&[T]; N] = core::array::from_fn(|i| &x[i * len..][..len]);
    let mut rest = out;
    let mut outs = [const { None }; N];
    for row in &mut outs {
        *row = rest.split_off_mut(..len);
    }
    let mut outs = outs.map(|row| row.expect("as many results as elements"));
    for i in 0..len {
        let i = if mode.reverse { len - 1 - i } else { i };
        for ((acc, row), out) in accs.iter_mut().zip(&rows).zip(&mut outs) {
            let next = reducer.fold(*acc, row[i]);
            let value = if mode.exclusive { *acc } else { next };
            out[i].write(reducer.finish(value, 1));
            *acc = next;
        }
    }
}

/// Scans `width` columns, from `column` on, of rows `row_len` long.
#[inline(always)]
fn scan_columns<T: Copy, Q: Reducer<T>>(
    x: &[T],
    out: &mut [MaybeUninit<Q::Out>],
    column: usize,
    width: usize,
    row_len: usize,
    mode: ScanMode,
    reducer: Q,
) {
    let mut accs = [reducer.identity(); COLUMNS];
    let accs = &mut accs[..width];
    let rows = x.len() / row_len;
    for i in 0..rows {
        let row = if mode.reverse { rows - 1 - i } else { i };
        let at = row * row_len + column;
        let row = x[at..at + width].iter().zip(&mut out[at..at + width]);
        for (acc, (&x, out)) in accs.iter_mut().zip(row) {
            let next = reducer.fold(*acc, x);
            let value = if mode.exclusive { *acc } else { next };
            out.write(reducer.finish(value, 1));
            *acc = next;
        }
    }
}

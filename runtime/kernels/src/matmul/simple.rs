//! Matrix products by plain loops: for integers, which wrap, and for products that are too small for the overhead of
//! other methods.

use super::{MatMul, MatStrides};
use crate::element::Arithmetic;
use crate::memory::{OutOfMemory, room};
use crate::par::{Par, TINY, simd};
use core::mem::MaybeUninit;

/// Columns of the result computed at a time.
const COLUMNS: usize = 256;

/// The product; the loops go over rows, then columns, then `k`.
pub(super) fn gemm<T: Arithmetic>(
    dims: MatMul,
    a: &[T],
    a_strides: MatStrides,
    b: &[T],
    b_strides: MatStrides,
    out: &mut [MaybeUninit<T>],
    par: Par,
) -> Result<(), OutOfMemory> {
    let packed;
    let (b, b_row) = if b_strides.column == 1 {
        (b, b_strides.row)
    } else {
        packed = pack_rows(dims, b, b_strides)?;
        (packed.as_slice(), dims.n)
    };
    if dims.work() <= TINY {
        rows(dims, a, a_strides, b, b_row, 0, out);
        return Ok(());
    }
    par.for_parts(out, dims.n, dims.work(), &|start, out| {
        levels(dims, a, a_strides, b, b_row, start / dims.n, out);
    });
    Ok(())
}

/// [`rows`], compiled for each CPU level for the most used types.
fn levels<T: Arithmetic>(
    dims: MatMul,
    a: &[T],
    a_strides: MatStrides,
    b: &[T],
    b_row: usize,
    first: usize,
    out: &mut [MaybeUninit<T>],
) {
    if T::LEVELS {
        simd(
            #[inline(always)]
            || rows(dims, a, a_strides, b, b_row, first, out),
        );
    } else {
        rows(dims, a, a_strides, b, b_row, first, out);
    }
}

/// The right operand in row-major order.
fn pack_rows<T: Arithmetic>(
    dims: MatMul,
    b: &[T],
    strides: MatStrides,
) -> Result<Vec<T>, OutOfMemory> {
    let mut packed = room(dims.k * dims.n)?;
    for k in 0..dims.k {
        packed.extend((0..dims.n).map(|j| b[k * strides.row + j * strides.column]));
    }
    Ok(packed)
}

/// The rows of the result from `first` on; rows of `b` are contiguous.
#[inline(always)]
fn rows<T: Arithmetic>(
    dims: MatMul,
    a: &[T],
    a_strides: MatStrides,
    b: &[T],
    b_row: usize,
    first: usize,
    out: &mut [MaybeUninit<T>],
) {
    for (i, out) in out.chunks_exact_mut(dims.n).enumerate() {
        let a = &a[(first + i) * a_strides.row..];
        for (block, out) in out.chunks_mut(COLUMNS).enumerate() {
            let mut accs = [T::ZERO; COLUMNS];
            let accs = &mut accs[..out.len()];
            for k in 0..dims.k {
                let x = a[k * a_strides.column];
                let at = k * b_row + block * COLUMNS;
                for (acc, &y) in accs.iter_mut().zip(&b[at..at + out.len()]) {
                    *acc = acc.add(x.mul(y));
                }
            }
            for (out, &acc) in out.iter_mut().zip(accs.iter()) {
                out.write(acc);
            }
        }
    }
}

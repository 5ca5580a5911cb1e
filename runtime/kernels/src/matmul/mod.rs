//! Matrix products.
//!
//! Floats use the `gemm` crates, and bf16 the tile registers of CPUs that have them. Other halves are widened to `f32` first.
//! Complex numbers are four products of their parts. Integers use a plain loop that wraps.

#[cfg(target_arch = "x86_64")]
mod amx;
mod gemm;
mod simple;

pub use gemm::Gemm;
pub(crate) use gemm::least_rows;

use crate::element::Element;
use crate::memory::OutOfMemory;
use crate::par::Par;
use crate::size::volume;
use core::mem::MaybeUninit;
use std::sync::OnceLock;

/// The size of a product of an `m` by `k` and a `k` by `n` matrix, and whether
/// operands are conjugated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MatMul {
    /// Rows of the result.
    pub m: usize,
    /// Columns of the result.
    pub n: usize,
    /// Columns of the left operand and rows of the right.
    pub k: usize,
    /// Whether the left operand is conjugated; no effect on real numbers.
    pub conj_a: bool,
    /// Whether the right operand is conjugated; no effect on real numbers.
    pub conj_b: bool,
}

impl MatMul {
    /// A product without conjugation.
    pub fn new(m: usize, n: usize, k: usize) -> Self {
        Self { m, n, k, ..Self::default() }
    }

    /// The multiplications it takes.
    fn work(&self) -> usize {
        self.m.saturating_mul(self.n).saturating_mul(self.k)
    }
}

/// The distance between neighbours in a column and in a row of a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatStrides {
    /// From one row to the next.
    pub row: usize,
    /// From one column to the next.
    pub column: usize,
}

impl MatStrides {
    /// A row-major matrix with this many columns.
    pub fn row_major(columns: usize) -> Self {
        Self { row: columns, column: 1 }
    }

    /// The transpose of a row-major matrix, with this many rows after transposing.
    pub fn transposed(rows: usize) -> Self {
        Self { row: 1, column: rows }
    }

    /// The number of elements from the first to the last of a matrix of this shape.
    pub(crate) fn extent(self, rows: usize, columns: usize) -> usize {
        if rows == 0 || columns == 0 {
            return 0;
        }
        let last = (rows - 1).saturating_mul(self.row);
        last.saturating_add((columns - 1).saturating_mul(self.column)).saturating_add(1)
    }
}

/// Multiplications below which splitting one product over threads does not pay.
const PARALLEL_WORK: usize = 1 << 20;

/// Writes the product of two matrices in row-major order; zeros if `k` is zero.
///
/// Products of bf16 that fill the CPU's tile registers take subnormal numbers as zeros and give zeros
/// for subnormal sums (Intel's TDPBF16PS).
///
/// # Errors
///
/// If there is no memory for copies of operands.
///
/// # Panics
///
/// If an operand is too short for its shape, or the result is not `m * n` long.
pub fn matmul<T: Gemm>(
    dims: MatMul,
    a: &[T],
    a_strides: MatStrides,
    b: &[T],
    b_strides: MatStrides,
    out: &mut [MaybeUninit<T>],
    par: Par,
) -> Result<(), OutOfMemory> {
    assert!(a.len() >= a_strides.extent(dims.m, dims.k), "left operand is too short");
    assert!(b.len() >= b_strides.extent(dims.k, dims.n), "right operand is too short");
    assert_eq!(
        out.len(),
        volume([dims.m, dims.n]),
        "result does not have the shape of the product"
    );
    if out.is_empty() {
        return Ok(());
    }
    if dims.k == 0 {
        for out in out {
            out.write(T::ZERO);
        }
        return Ok(());
    }
    let par = if dims.work() < PARALLEL_WORK { Par::Seq } else { par };
    T::gemm(dims, a, a_strides, b, b_strides, out, par)
}

/// One operand of [`batch_matmul`].
#[derive(Debug, Clone, Copy)]
pub struct BatchOperand<'a, T> {
    /// All matrices.
    pub data: &'a [T],
    /// The start of the matrix of each batch; starts repeat if the operand is broadcast.
    pub offsets: &'a [usize],
    /// The strides within each matrix.
    pub strides: MatStrides,
}

impl<'a, T: Element> BatchOperand<'a, T> {
    pub(crate) fn matrix(&self, batch: usize) -> &'a [T] {
        &self.data[self.offsets[batch]..]
    }
}

/// Writes the products of many pairs of matrices one after another.
///
/// # Errors
///
/// If there is no memory to pack operands in.
///
/// # Panics
///
/// If the operands differ in their number of matrices, one is too short, or the
/// result does not have `m * n` elements for each.
pub fn batch_matmul<T: Gemm>(
    dims: MatMul,
    a: BatchOperand<'_, T>,
    b: BatchOperand<'_, T>,
    out: &mut [MaybeUninit<T>],
    par: Par,
) -> Result<(), OutOfMemory> {
    let batch = a.offsets.len();
    assert_eq!(b.offsets.len(), batch, "operands differ in their number of matrices");
    let size = volume([dims.m, dims.n]);
    assert_eq!(out.len(), volume([batch, size]), "result does not have the shape of the products");
    if out.is_empty() {
        return Ok(());
    }
    // Rows that follow each other and are multiplied by one matrix are those of a larger matrix.
    let row_stride = dims.m.checked_mul(a.strides.row);
    let is_next = |at: &[usize]| at[0].checked_add(row_stride?).map(|next| next == at[1]);
    let follows = a.offsets.windows(2).all(|at| is_next(at) == Some(true));
    if follows
        && b.offsets.windows(2).all(|at| at[0] == at[1])
        && dims.m >= least_rows(dims.n, dims.k)
    {
        let dims = MatMul { m: out.len() / dims.n, ..dims };
        return matmul(dims, a.matrix(0), a.strides, b.matrix(0), b.strides, out, par);
    }
    let one = |i: usize, out: &mut [MaybeUninit<T>], par: Par| {
        matmul(dims, a.matrix(i), a.strides, b.matrix(i), b.strides, out, par)
    };
    // With several products per thread, each product is better left to one thread.
    let shared = batch < 2 * par.threads();
    if shared {
        let mut products = out.chunks_exact_mut(size).enumerate();
        return products.try_for_each(|(i, out)| one(i, out, par));
    }
    let failed = OnceLock::new();
    par.for_parts(out, size, batch.saturating_mul(dims.work()), &|start, out| {
        let mut products = out.chunks_exact_mut(size).enumerate();
        if let Err(e) = products.try_for_each(|(i, out)| one(start / size + i, out, Par::Seq)) {
            // One of the errors is enough.
            failed.get_or_init(|| e);
        }
    });
    failed.into_inner().map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests;

//! Scaled dot-product attention over stacks of heads.
//!
//! The ops one by one hold the scores of all queries with all keys. Here they are held for a few rows of one head at a
//! time, which stay in the cache. Every step is the kernel of its op, so that the results have the same bits.

use crate::element::Element;
use crate::halves::written;
use crate::matmul::{BatchOperand, Gemm, MatMul, MatStrides, least_rows, matmul};
use crate::memory::{OutOfMemory, reserve, room};
use crate::movement::strided_copy;
use crate::par::Par;
use crate::size::{part_start, volume};
use crate::softmax::{Exponential, softmax};
use crate::table::{Pairing, Table, Tabled, ZipFn, ZipSignature, binary};
use core::mem::{MaybeUninit, swap};
use std::sync::OnceLock;

/// The bytes of the scores that are held at a time: half of a small L2 cache.
const SCORES: usize = 1 << 19;
/// Blocks are multiples of this many rows, which the loops of products handle together.
const UNIT: usize = 16;
/// Scores that are scaled, masked and normalized at a time, so that they stay in the L1 cache.
const STRIP: usize = 2048;
/// The cost of a score in multiplications, besides those of the products.
const COST: usize = 16;

/// For each head `softmax(scale(q · k) + mask) · v`, and the sizes of these matrices.
///
/// The operands have as many matrices as there are heads; their offsets repeat where heads share a matrix. By their
/// strides they may be views: the keys are usually the transpose of a `[keys, depth]` matrix.
#[derive(Debug, Clone, Copy)]
pub struct Attention<'a, T> {
    /// Rows of `q` and of the result.
    pub queries: usize,
    /// Columns of `k` and rows of `v`.
    pub keys: usize,
    /// Columns of `q` and rows of `k`.
    pub depth: usize,
    /// Columns of `v` and of the result.
    pub width: usize,
    /// The queries, `[queries, depth]`.
    pub q: BatchOperand<'a, T>,
    /// The transposed keys, `[depth, keys]`.
    pub k: BatchOperand<'a, T>,
    /// The values, `[keys, width]`.
    pub v: BatchOperand<'a, T>,
    /// A function that has floats, like [`MUL`](binary::MUL) or [`REAL_DIV`](binary::REAL_DIV), and its right operand for
    /// all scores.
    pub scale: Option<(&'static Table<ZipSignature>, T)>,
    /// What is added to the scores, `[queries, keys]` with contiguous columns. The step from row to row is zero if all
    /// rows are the same.
    pub mask: Option<BatchOperand<'a, T>>,
}

/// Some rows of the result for one head.
struct HeadRows<'a, T> {
    head: usize,
    from: usize,
    out: &'a mut [MaybeUninit<T>],
}

/// Writes the results of all heads one after another, in row-major order.
///
/// They have the same bits as those of [`batch_matmul`](crate::matmul::batch_matmul), the function in `scale`,
/// [`ADD`](binary::ADD), [`softmax`] and `batch_matmul` with the same strides. Without keys they are zeros.
///
/// Each thread needs room for a block of scores, which are some rows of one head. If the keys or values are a view with
/// gaps, it also copies those of one head.
///
/// # Errors
///
/// If there is no memory for a block of scores, or to pack operands in.
///
/// # Panics
///
/// If the operands differ in their number of matrices, one is too short, the columns of the mask are not contiguous, the
/// function in `scale` has no floats, or the result does not have `queries * width` elements for each head.
pub fn attention<T: Gemm + Exponential + Tabled>(
    of: &Attention<'_, T>,
    out: &mut [MaybeUninit<T>],
    par: Par,
) -> Result<(), OutOfMemory> {
    let heads = of.q.offsets.len();
    for other in [Some(of.k), Some(of.v), of.mask].into_iter().flatten() {
        assert_eq!(other.offsets.len(), heads, "operands differ in their number of matrices");
    }
    let contiguous = of.mask.is_none_or(|mask| of.keys <= 1 || mask.strides.column == 1);
    assert!(contiguous, "the columns of the mask are contiguous");
    let size = volume([of.queries, of.width]);
    assert_eq!(out.len(), volume([heads, size]), "result does not have the shape of the products");
    if out.is_empty() {
        return Ok(());
    }
    let cost = of.depth.saturating_add(of.width).saturating_add(COST);
    let work = [heads, of.queries, of.keys].into_iter().fold(cost, usize::saturating_mul);
    let par = par.for_work(work);
    // A few blocks per thread even out threads that start late.
    let least = if par == Par::Seq { 1 } else { (4 * par.threads()).div_ceil(heads) };
    let blocks = of.blocks(least);
    let mut rows = room(heads.saturating_mul(blocks))?;
    for (head, mut rest) in out.chunks_exact_mut(size).enumerate() {
        for i in 0..blocks {
            let (from, to) = (of.start(blocks, i), of.start(blocks, i + 1));
            let out = rest.split_off_mut(..(to - from) * of.width).expect("a part of the rows");
            rows.push(HeadRows { head, from, out });
        }
    }
    // With fewer blocks than threads, the threads are better left to the steps.
    let (outer, inner) = if rows.len() < par.threads() { (Par::Seq, par) } else { (par, Par::Seq) };
    let failed = OnceLock::new();
    outer.for_parts(&mut rows, 1, work, &|_, rows| {
        if let Err(e) = of.run(rows, inner) {
            // One of the errors is enough.
            failed.get_or_init(|| e);
        }
    });
    failed.into_inner().map_or(Ok(()), Err)
}

impl<T: Gemm + Exponential + Tabled> Attention<'_, T> {
    /// The number of blocks that the rows of a head are divided into: at least so many, if there are enough rows.
    fn blocks(&self, least: usize) -> usize {
        let row = self.keys.saturating_mul(size_of::<T>()).max(1);
        let by_size = self.queries.div_ceil((SCORES / row).max(1));
        // Blocks of fewer rows might not have the bits that they have in the whole product.
        let rows = least_rows(self.keys, self.depth).max(least_rows(self.width, self.keys));
        let most = self.queries / UNIT / rows.div_ceil(UNIT);
        by_size.max(least).min(most).max(1)
    }

    /// The first row of a block.
    fn start(&self, blocks: usize, i: usize) -> usize {
        match i == blocks {
            true => self.queries,
            false => UNIT * part_start(self.queries / UNIT, blocks, i),
        }
    }

    /// Computes blocks, one after another in the same room.
    fn run(&self, blocks: &mut [HeadRows<'_, T>], par: Par) -> Result<(), OutOfMemory> {
        let most = blocks.iter().map(|rows| rows.out.len() / self.width).max().unwrap_or(0);
        let strip = if par == Par::Seq { (STRIP / self.keys.max(1)).clamp(1, most) } else { most };
        let len = |rows| volume([rows, self.keys]);
        let (mut scores, mut strips) = (room(len(most))?, room(len(strip))?);
        let mut k = Right::new(self.k, [self.depth, self.keys]);
        let mut v = Right::new(self.v, [self.keys, self.width]);
        for HeadRows { head, from, out } in blocks {
            let count = out.len() / self.width;
            let scores: &mut [MaybeUninit<T>] = &mut scores.spare_capacity_mut()[..len(count)];
            let q = self.q.matrix(*head);
            // Rows without elements may lie anywhere.
            let q = if self.depth == 0 { q } else { &q[*from * self.q.strides.row..] };
            let again = count < self.queries;
            let (k, k_strides) = k.matrix(*head, again)?;
            let (v, v_strides) = v.matrix(*head, again)?;
            let dims = MatMul::new(count, self.keys, self.depth);
            matmul(dims, q, self.q.strides, k, k_strides, scores, par)?;
            if self.keys > 0 {
                for (i, scores) in scores.chunks_mut(strip * self.keys).enumerate() {
                    let strips = &mut strips.spare_capacity_mut()[..scores.len()];
                    // SAFETY: the product has written all of them.
                    unsafe { self.normalize(*head, *from + i * strip, scores, strips, par) };
                }
            }
            // SAFETY: as before.
            let shares = unsafe { written(scores) };
            let strides = MatStrides::row_major(self.keys);
            let dims = MatMul::new(count, self.width, self.keys);
            matmul(dims, shares, strides, v, v_strides, out, par)?;
        }
        Ok(())
    }

    /// Replaces the scores of some rows by what the values are weighted with.
    ///
    /// # Safety
    ///
    /// The scores have been written.
    unsafe fn normalize(
        &self,
        head: usize,
        row: usize,
        scores: &mut [MaybeUninit<T>],
        other: &mut [MaybeUninit<T>],
        par: Par,
    ) {
        // Kernels do not work in place, so that each step goes from one to the other.
        let (mut from, mut to, mut moved) = (scores, other, false);
        let mut step = |kernel: &dyn Fn(&[T], &mut [MaybeUninit<T>])| {
            // SAFETY: these are the scores, or what the step before has written.
            kernel(unsafe { written(from) }, to);
            swap(&mut from, &mut to);
            moved = !moved;
        };
        if let Some((function, by)) = self.scale {
            let function = entry::<T>(function);
            step(&|x, out| function(x, &[by], Pairing::Right, out, par));
        }
        if let Some(mask) = self.mask {
            step(&|x, out| add_mask(x, &mask, head, row, self.keys, out, par));
        }
        step(&|x, out| softmax(x, self.keys, out, par));
        if moved {
            to.copy_from_slice(from);
        }
    }
}

/// The right operand of the products of all heads.
struct Right<'a, T> {
    of: BatchOperand<'a, T>,
    shape: [usize; 2],
    copy: Vec<T>,
    /// The head whose matrix is copied.
    head: Option<usize>,
}

impl<'a, T: Element> Right<'a, T> {
    fn new(of: BatchOperand<'a, T>, shape: [usize; 2]) -> Self {
        Self { of, shape, copy: Vec::new(), head: None }
    }

    /// The matrix of a head and its strides. One with gaps is copied if it is needed `again`: every product packs its
    /// operand, and reading far elements takes long.
    fn matrix(&mut self, head: usize, again: bool) -> Result<(&[T], MatStrides), OutOfMemory> {
        let BatchOperand { strides: from, .. } = self.of;
        let (matrix, [rows, columns]) = (self.of.matrix(head), self.shape);
        // The order stays, since products of single columns depend on it.
        let turned = from.row < from.column;
        let (to, shape, steps) = match turned {
            true => (MatStrides::transposed(rows), [columns, rows], [from.column, from.row]),
            false => (MatStrides::row_major(columns), [rows, columns], [from.row, from.column]),
        };
        if !again || from == to || rows <= 1 || columns <= 1 {
            return Ok((matrix, from));
        }
        if self.head != Some(head) {
            let len = volume(self.shape);
            self.copy.clear();
            reserve(&mut self.copy, len)?;
            let room = &mut self.copy.spare_capacity_mut()[..len];
            strided_copy(matrix, 0, &shape, &steps.map(|step| step as isize), room, Par::Seq);
            // SAFETY: all were just written.
            unsafe { self.copy.set_len(len) };
            self.head = Some(head);
        }
        Ok((&self.copy, to))
    }
}

fn entry<T: Tabled>(table: &Table<ZipSignature>) -> ZipFn<T, T> {
    T::entry(table).expect("a function that has floats")
}

/// Adds rows of the mask to scores.
fn add_mask<T: Element + Tabled>(
    x: &[T],
    mask: &BatchOperand<'_, T>,
    head: usize,
    row: usize,
    keys: usize,
    out: &mut [MaybeUninit<T>],
    par: Par,
) {
    let add = entry::<T>(&binary::ADD);
    let mask_row = mask.strides.row;
    // Rows that follow each other are one.
    let len = if mask_row == keys { x.len() } else { keys };
    let mask = mask.matrix(head);
    for (i, (x, out)) in x.chunks(len).zip(out.chunks_mut(len)).enumerate() {
        let mask = &mask[(row + i) * mask_row..][..len];
        add(x, mask, Pairing::Each, out, par);
    }
}

#[cfg(test)]
mod tests;

//! Products of float matrices: tiles over blocks of the operands that fit into the caches.
//!
//! A panel of the right operand, as wide as a tile and [`DEPTH`] rows long, stays in the nearest cache while all rows of the
//! left operand pass by. Operands are copied where a tile would else read them with large strides.
//!
//! An element of the result is a sum of sums of at most [`DEPTH`] terms, wherever its tile lies. So the bits do not depend
//! on the number of threads.

use super::MatStrides;
use super::tile::{BLOCK, Tile, TileFn, Tiled, Tiles};
use crate::memory::{OutOfMemory, reserve};
use crate::par::{Level, Par};
use core::cell::RefCell;
use std::sync::OnceLock;

/// A matrix in memory. Places beyond it may be named, but not read.
#[derive(Clone, Copy)]
pub(super) struct Matrix<P> {
    pub(super) start: P,
    pub(super) strides: MatStrides,
}

impl<T> Matrix<*const T> {
    pub(super) fn at(self, row: usize, column: usize) -> *const T {
        let MatStrides { row: down, column: across } = self.strides;
        self.start.wrapping_add(row.wrapping_mul(down).wrapping_add(column.wrapping_mul(across)))
    }

    pub(super) fn from(self, row: usize, column: usize) -> Self {
        Self { start: self.at(row, column), ..self }
    }

    fn transposed(self) -> Self {
        let MatStrides { row, column } = self.strides;
        Self { strides: MatStrides { row: column, column: row }, ..self }
    }
}

/// A product of an `m` by `k` and a `k` by `n` matrix.
#[derive(Clone, Copy)]
pub(super) struct Product<T> {
    pub(super) m: usize,
    pub(super) n: usize,
    pub(super) k: usize,
    pub(super) a: Matrix<*const T>,
    pub(super) b: Matrix<*const T>,
    pub(super) out: *mut T,
    /// The step from row to row of the result, whose rows are contiguous.
    pub(super) out_row: usize,
    /// Whether the product is added to the result.
    pub(super) add: bool,
}

// SAFETY: the pointers are those of slices whose elements other threads may read and, in the result, write. Who writes parts
// on several threads sees to it that they do not overlap.
unsafe impl<T: Sync + Send> Sync for Product<T> {}

/// Terms of the sums that are added up in registers.
const DEPTH: usize = 256;
/// Columns of the right operand that are copied at a time: with [`DEPTH`] rows they fit into the second cache.
const COLUMNS: usize = 1024;
/// Rows of the left operand that are copied at a time.
const ROWS: usize = 140;
/// Steps from row to row of a copy that are no power of two, so that rows do not compete for places in the caches.
const STEP: usize = DEPTH + 16;
/// Results with at most this many columns are computed from the left operand where it lies, as each element is read by few
/// tiles.
const FEW_COLUMNS: usize = 256;
/// Results with at most this many rows are computed from the right operand where it lies, if it is near.
const FEW_ROWS: usize = 48;
/// The bytes over which a near operand extends: fewer than the second cache has.
const NEAR: usize = 1 << 20;
/// A part for a thread has at least this many multiplications.
const PART: usize = 1 << 18;

impl<T: Copy + Send + Sync> Product<T> {
    /// What computes some rows and columns of the result.
    pub(super) fn part(&self, row: usize, rows: usize, column: usize, columns: usize) -> Self {
        Self {
            m: rows,
            n: columns,
            a: self.a.from(row, 0),
            b: self.b.from(0, column),
            out: self.out.wrapping_add(row * self.out_row + column),
            ..*self
        }
    }

    /// Calls `f` with rectangles of the result, on the threads of the pool.
    ///
    /// # Errors
    ///
    /// The first error of `f`.
    pub(super) fn for_parts(
        &self,
        par: Par,
        f: &(dyn Fn(Self) -> Result<(), OutOfMemory> + Sync),
    ) -> Result<(), OutOfMemory> {
        let work = self.m.saturating_mul(self.n).saturating_mul(self.k);
        let most = if par.threads() == 1 { 1 } else { (4 * par.threads()).min(work / PART) };
        let (mut down, mut across) = (1, 1);
        while down * across < most {
            if self.m / down > self.n / across { down *= 2 } else { across *= 2 }
        }
        let rows = self.m.div_ceil(down);
        // Widths of tiles divide the columns of a part.
        let columns = self.n.div_ceil(across).next_multiple_of(32);
        let (down, across) = (self.m.div_ceil(rows), self.n.div_ceil(columns));
        let failed = OnceLock::new();
        par.for_ranges(down * across, 1, work, &|from, to| {
            for part in from..to {
                let (row, column) = (part / across * rows, part % across * columns);
                let (rows, columns) = (rows.min(self.m - row), columns.min(self.n - column));
                if let Err(e) = f(self.part(row, rows, column, columns)) {
                    // One of the errors is enough.
                    failed.get_or_init(|| e);
                }
            }
        });
        failed.into_inner().map_or(Ok(()), Err)
    }
}

impl<T: Tiled> Product<T> {
    /// Computes the product with the instructions of a level.
    ///
    /// # Errors
    ///
    /// If there is no memory for the copies.
    ///
    /// # Safety
    ///
    /// This CPU has the level. The operands lie in memory, and so does the result, which nobody else reads or writes. No
    /// size is zero. The result has been written if the product is added to it.
    pub(super) unsafe fn run(self, level: Level, par: Par) -> Result<(), OutOfMemory> {
        let (tiles, mut product) = (T::tiles(level), self);
        if self.n == 1 && self.out_row == 1 {
            // A column is the transpose of a row.
            let (a, b) = (self.b.transposed(), self.a.transposed());
            product = Self { m: 1, n: self.m, a, b, out_row: self.m, ..self };
        }
        let contiguous = product.a.strides.column == 1 && product.b.strides.row == 1;
        // The lanes of the sums are added up one by one, which pays only if there were many terms.
        let long = product.k >= 2 * tiles.widths[0].columns;
        if product.m == 1 && contiguous && long {
            // SAFETY: as this function requires.
            unsafe { product.run_dots(tiles, par) };
            return Ok(());
        }
        // SAFETY: as the caller vouches for the whole. The parts of the result do not overlap.
        product.for_parts(par, &|part| unsafe { part.run_here(tiles) })
    }

    /// Computes a row from contiguous columns of the right operand.
    ///
    /// # Safety
    ///
    /// As for [`run`](Self::run), with contiguous operands.
    unsafe fn run_dots(&self, tiles: &Tiles<T>, par: Par) {
        par.for_ranges(self.n, 1, self.n.saturating_mul(self.k), &|from, to| {
            let part = self.part(0, 1, from, to - from);
            let tile = Tile {
                depth: self.k,
                a: part.a.start,
                a_row: 0,
                a_column: 1,
                b: part.b.start,
                b_row: part.b.strides.column,
                out: part.out,
                out_row: 0,
                add: part.add,
            };
            // SAFETY: within the operands and the result. The tiles are those of this CPU.
            unsafe { (tiles.dots)(&tile, part.n) };
        });
    }

    /// Computes the product on this thread.
    ///
    /// # Safety
    ///
    /// As for [`run`](Self::run).
    unsafe fn run_here(self, tiles: &Tiles<T>) -> Result<(), OutOfMemory> {
        ROOM.with_borrow_mut(|room| {
            for column in (0..self.n).step_by(COLUMNS) {
                let columns = COLUMNS.min(self.n - column);
                let mut depths = pieces(self.k, DEPTH);
                depths.try_for_each(|(from, depth)| {
                    let block = Self {
                        k: depth,
                        a: self.a.from(0, from),
                        b: self.b.from(from, 0),
                        add: self.add || from > 0,
                        ..self
                    };
                    let block = block.part(0, self.m, column, columns);
                    // SAFETY: within the product.
                    unsafe { block.run_block(tiles, room) }
                })?;
            }
            Ok(())
        })
    }

    /// Computes a product of at most [`COLUMNS`] columns and [`DEPTH`] terms.
    ///
    /// # Safety
    ///
    /// As for [`run`](Self::run).
    unsafe fn run_block(self, tiles: &Tiles<T>, room: &mut Room) -> Result<(), OutOfMemory> {
        let few_rows = tiles.widths[2].by_rows.len();
        let widths = if self.m <= few_rows { &tiles.widths[..] } else { &tiles.widths[..2] };
        let most = widths[widths.len() - 1].columns;
        let extent = self.k.saturating_mul(self.b.strides.row).saturating_mul(size_of::<T>());
        let is_near = self.m <= FEW_ROWS && extent < NEAR;
        let in_place = self.b.strides.column == 1 && (self.m <= few_rows || is_near);
        // The panels of the right operand: where they start, and what the tiles there are.
        let panels = || {
            (0..self.n).step_by(most).map(|column| {
                let columns = most.min(self.n - column);
                // The last width is wide enough.
                let width = widths.iter().find(|w| w.columns >= columns).unwrap_or(&widths[0]);
                (column, columns, width, in_place && columns == width.columns)
            })
        };
        let right: *mut T = room.right.fit(self.k * self.n.next_multiple_of(most))?;
        let left: *mut T = room.left.fit(ROWS * STEP)?;
        let edge: *mut T = room.part.fit(most * tiles.widths[1].by_rows.len())?;
        for (column, columns, width, is_there) in panels() {
            if !is_there {
                let to = right.wrapping_add(column * self.k);
                // SAFETY: there is room for whole panels.
                unsafe { self.b.from(0, column).pack(self.k, columns, width.columns, to, tiles) };
            }
        }
        // Rows whose distance is a power of two compete for the same places in the caches.
        let step = self.a.strides.row.wrapping_mul(size_of::<T>());
        let collides = self.a.strides.column == 1 && step > 0 && step.is_multiple_of(1024);
        let as_it_is = self.n <= FEW_COLUMNS && !(collides && self.n > FEW_COLUMNS / 4);
        let rows_at_once = if as_it_is { self.m } else { ROWS };
        for row in (0..self.m).step_by(rows_at_once) {
            let rows = rows_at_once.min(self.m - row);
            let mut a = self.a.from(row, 0);
            if !as_it_is {
                // SAFETY: there is room for `ROWS` rows.
                a = unsafe { a.copied(rows, self.k, left) };
            }
            for (column, columns, width, is_there) in panels() {
                let (b, b_row) = match is_there {
                    true => (self.b.at(0, column), self.b.strides.row),
                    false => (right.wrapping_add(column * self.k).cast_const(), width.columns),
                };
                for (from, count) in pieces(rows, width.by_rows.len()) {
                    let tile = Tile {
                        depth: self.k,
                        a: a.at(from, 0),
                        a_row: a.strides.row,
                        a_column: a.strides.column,
                        b,
                        b_row,
                        out: self.out.wrapping_add((row + from) * self.out_row + column),
                        out_row: self.out_row,
                        add: self.add,
                    };
                    let f = width.by_rows[count - 1];
                    // SAFETY: the tile lies within the operands and the result. The tiles are those of this CPU.
                    unsafe {
                        match columns == width.columns {
                            true => f(&tile),
                            false => tile.narrow(f, columns, width.columns, count, edge),
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

impl<T: Tiled> Tile<T> {
    /// Computes the first columns of a tile in memory of its own.
    ///
    /// # Safety
    ///
    /// As for [`TileFn`], but for the result, which is `columns` wide. There is room for the tile at `edge`.
    unsafe fn narrow(&self, f: TileFn<T>, columns: usize, width: usize, rows: usize, edge: *mut T) {
        // SAFETY: as this function requires.
        unsafe {
            f(&Self { out: edge, out_row: width, add: false, ..*self });
            for row in 0..rows {
                let (from, to) = (edge.add(row * width), self.out.add(row * self.out_row));
                for column in 0..columns {
                    let (x, to) = (*from.add(column), to.add(column));
                    *to = if self.add { (*to).add(x) } else { x };
                }
            }
        }
    }
}

impl<T: Tiled> Matrix<*const T> {
    /// Copies some rows and columns so that every step has its elements next to each other, or every row has.
    ///
    /// # Safety
    ///
    /// The matrix lies in memory, and there is room for `ROWS` rows of `STEP` elements at `to`.
    unsafe fn copied(self, rows: usize, columns: usize, to: *mut T) -> Self {
        let (strides, matrix) = match self.strides.row == 1 {
            true => (MatStrides::transposed(ROWS), (self.transposed(), columns, rows)),
            false => (MatStrides::row_major(STEP), (self, rows, columns)),
        };
        let (from, rows, columns) = matrix;
        let step = strides.row.max(strides.column);
        for row in 0..rows {
            // SAFETY: within the matrix and the room.
            unsafe { from.copy_row(row, columns, to.add(row * step)) };
        }
        Self { start: to, strides }
    }

    /// Copies one row.
    ///
    /// # Safety
    ///
    /// The row lies in memory, and there is room for it at `to`.
    #[inline(always)]
    unsafe fn copy_row(self, row: usize, columns: usize, to: *mut T) {
        // SAFETY: as this function requires.
        unsafe {
            match self.strides.column == 1 && columns >= 8 {
                true => to.copy_from_nonoverlapping(self.at(row, 0), columns),
                false => (0..columns).for_each(|j| *to.add(j) = *self.at(row, j)),
            }
        }
    }

    /// Copies some columns as contiguous rows of `width`, with zeros behind the columns.
    ///
    /// # Safety
    ///
    /// The matrix lies in memory, and there is room for `rows` times `width` elements at `to`.
    unsafe fn pack(self, rows: usize, columns: usize, width: usize, to: *mut T, tiles: &Tiles<T>) {
        // Whole blocks of a matrix with contiguous columns are transposed in registers.
        let (mut done_rows, mut done_columns) = (0, 0);
        if self.strides.row == 1 && self.strides.column > 1 {
            (done_rows, done_columns) = (rows / BLOCK * BLOCK, columns / BLOCK * BLOCK);
        }
        // SAFETY: within the matrix and the room. The tiles are those of this CPU.
        unsafe {
            for row in (0..done_rows).step_by(BLOCK) {
                for column in (0..done_columns).step_by(BLOCK) {
                    let to = to.add(row * width + column);
                    (tiles.transpose)(self.at(row, column), self.strides.column, to, width);
                }
            }
            for row in 0..rows {
                let from = if row < done_rows { done_columns } else { 0 };
                let to = to.add(row * width);
                self.from(0, from).copy_row(row, columns - from, to.add(from));
                (columns..width).for_each(|j| *to.add(j) = T::ZERO);
            }
        }
    }
}

/// The starts and lengths of pieces of about the same length, at most `most`.
fn pieces(len: usize, most: usize) -> impl Iterator<Item = (usize, usize)> {
    let count = len.div_ceil(most);
    let (each, longer) = (len / count, len % count);
    (0..count).map(move |i| (i * each + i.min(longer), each + usize::from(i < longer)))
}

/// A cache line, to which copies are aligned.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// Memory that is kept for the next product.
#[derive(Default)]
pub(super) struct Buffer(Vec<Line>);

impl Buffer {
    /// Room for this many elements.
    pub(super) fn fit<T>(&mut self, len: usize) -> Result<*mut T, OutOfMemory> {
        let lines = len.saturating_mul(size_of::<T>()).div_ceil(size_of::<Line>());
        if self.0.len() < lines {
            self.0 = Vec::new();
            reserve(&mut self.0, lines)?;
            self.0.resize(lines, Line([0; 64]));
        }
        Ok(self.0.as_mut_ptr().cast())
    }
}

/// What a thread needs to compute products.
#[derive(Default)]
pub(super) struct Room {
    /// Rows of the left operand.
    pub(super) left: Buffer,
    /// Panels of the right operand.
    pub(super) right: Buffer,
    /// A part of the result that is not yet in its place.
    pub(super) part: Buffer,
}

thread_local! {
    pub(super) static ROOM: RefCell<Room> = RefCell::default();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::Cast;
    use crate::testing::noise;
    use proptest::prelude::*;

    /// Operands of a product: sizes, layouts, and whether it is added.
    #[derive(Debug, Clone)]
    struct Case {
        m: usize,
        n: usize,
        k: usize,
        layouts: [usize; 2],
        add: bool,
    }

    impl Case {
        fn strides(layout: usize, rows: usize, columns: usize) -> MatStrides {
            match layout {
                0 => MatStrides::row_major(columns),
                1 => MatStrides::transposed(rows),
                2 => MatStrides::row_major(columns + 5),
                3 => MatStrides::transposed(rows + 3),
                _ => MatStrides { row: 2 * columns + 3, column: 2 },
            }
        }

        fn check<T: Tiled + Cast<f64> + PartialEq>(&self, tolerance: f64)
        where
            f32: Cast<T>,
        {
            let Self { m, n, k, .. } = *self;
            let (a_strides, b_strides) =
                (Self::strides(self.layouts[0], m, k), Self::strides(self.layouts[1], k, n));
            let values =
                |len: usize| -> Vec<T> { noise(len).into_iter().map(Cast::cast).collect() };
            // The operands end where their memory does.
            let (a, b) = (values(a_strides.extent(m, k)), values(b_strides.extent(k, n)));
            let start = values(m * n);
            let run = |level, par| {
                let mut out = start.clone();
                let product = Product {
                    m,
                    n,
                    k,
                    a: Matrix { start: a.as_ptr(), strides: a_strides },
                    b: Matrix { start: b.as_ptr(), strides: b_strides },
                    out: out.as_mut_ptr(),
                    out_row: n,
                    add: self.add,
                };
                // SAFETY: the operands cover what their strides describe, and the result is as long as the product.
                unsafe { product.run(level, par) }.unwrap();
                out
            };
            for level in Level::all() {
                let got = run(level, Par::Seq);
                assert!(got == run(level, Par::Pool), "{self:?} {level:?}: threads");
                for (at, (&got, &start)) in got.iter().zip(&start).enumerate() {
                    let (i, j) = (at / n, at % n);
                    let (got, mut want): (f64, f64) = (got.cast(), 0.0);
                    for l in 0..k {
                        let x: f64 = a[i * a_strides.row + l * a_strides.column].cast();
                        let y: f64 = b[l * b_strides.row + j * b_strides.column].cast();
                        want += x * y;
                    }
                    if self.add {
                        want += Cast::<f64>::cast(start);
                    }
                    let within = tolerance * (k as f64 + 1.0);
                    assert!((got - want).abs() <= within, "{self:?} {level:?} {at}: {got} {want}");
                }
            }
        }
    }

    fn cases(most: usize) -> impl Strategy<Value = Case> {
        let layouts = [0..5usize, 0..5usize];
        (1..most, 1..most, 1..most, layouts, any::<bool>())
            .prop_map(|(m, n, k, layouts, add)| Case { m, n, k, layouts, add })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn every_size_and_layout(case in cases(50)) {
            case.check::<f32>(1e-6);
            case.check::<f64>(1e-14);
        }
    }

    #[test]
    fn blocks_of_large_products() {
        for (m, n, k) in
            [(150, 1030, 2), (10, 40, 520), (3, 300, 260), (1, 100, 300), (100, 1, 300)]
        {
            for layouts in [[0, 0], [1, 0], [0, 1], [1, 1]] {
                let case = Case { m, n, k, layouts, add: k == 2 };
                case.check::<f32>(1e-6);
                case.check::<f64>(1e-14);
            }
        }
    }

    #[test]
    fn pieces_cover_all() {
        for len in 1..100 {
            let mut end = 0;
            for (from, count) in pieces(len, 14) {
                assert_eq!(from, end);
                assert!((1..=14).contains(&count));
                end += count;
            }
            assert_eq!(end, len);
        }
    }
}

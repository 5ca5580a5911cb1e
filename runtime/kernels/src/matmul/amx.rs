//! Products of bf16 matrices by the tile registers of x86-64 (AMX), which hold 16 rows of 64 bytes each.
//!
//! Two tiles of the left and two of the right operand give four tiles of `f32` sums, 32 rows and columns of the result. A
//! tile of the right operand holds pairs of rows: the elements of a column that stand below each other are neighbours.
//! The instructions are written as assembly, since the compiler has no stable functions for them.

use super::gemm::Matrix;
use crate::element::bf16;
use crate::halves::narrow;
use crate::memory::{OutOfMemory, reserve};
use crate::par::{Level, Par, level, simd};
use core::arch::asm;
use core::arch::x86_64::*;
use core::cell::RefCell;
use core::mem::MaybeUninit;
use core::slice;
use std::sync::{LazyLock, OnceLock};

/// Rows and columns of the result that are computed at a time.
pub(super) const SIDE: usize = 32;
/// Terms that one instruction adds up.
const TERMS: usize = 32;
/// Terms of the sums that are added up in registers.
const DEPTH: usize = 512;
/// Rows that are computed at a time.
const ROWS: usize = 128;
/// Elements of the right operand that are packed at a time.
const PACKED: usize = 1 << 18;
/// Columns that are computed at a time, at most.
const MOST_COLUMNS: usize = 1024;
/// A part for a thread has at least this many multiplications.
const PART: usize = 1 << 18;
/// Rows and columns of the blocks of pairs that are transposed.
const BLOCK: usize = 16;
/// Steps from row to row of a copy of the left operand.
const STEP: usize = DEPTH + TERMS;

/// True if this CPU has the instructions and AVX-512, and the system lets us use them.
pub(super) static AVAILABLE: LazyLock<bool> = LazyLock::new(|| {
    const OSXSAVE: u32 = 1 << 27;
    const BF16: u32 = 1 << 22;
    const TILE: u32 = 1 << 24;
    const STATE: u64 = 0b11 << 17;
    /// Whether the system saves the tile registers when it switches threads.
    ///
    /// # Safety
    ///
    /// The CPU has `xgetbv`.
    #[target_feature(enable = "xsave")]
    fn saved() -> bool {
        // SAFETY: register 0 always exists.
        unsafe { _xgetbv(0) & STATE == STATE }
    }
    if level() != Level::Avx512 {
        return false;
    }
    // SAFETY: every CPU with AVX-512 has these leaves.
    #[expect(unused_unsafe, reason = "older compilers ask for it")]
    let (features, found) = unsafe { (__cpuid(1).ecx, __cpuid_count(7, 0).edx) };
    if features & OSXSAVE == 0 {
        return false;
    }
    // SAFETY: `OSXSAVE` says that the CPU has `xgetbv`.
    found & BF16 != 0 && found & TILE != 0 && unsafe { saved() } && permitted()
});

/// Asks the system for the tile registers, which are so large that it saves them only for those who ask.
#[cfg(target_os = "linux")]
fn permitted() -> bool {
    const ARCH_PRCTL: i64 = 158;
    const ARCH_REQ_XCOMP_PERM: u64 = 0x1023;
    const TILE_DATA: u64 = 18;
    let result: i64;
    // SAFETY: the call changes nothing but what this process may use.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") ARCH_PRCTL => result,
            in("rdi") ARCH_REQ_XCOMP_PERM,
            in("rsi") TILE_DATA,
            out("rcx") _,
            out("r11") _,
            options(nostack),
        );
    }
    result == 0
}

#[cfg(not(target_os = "linux"))]
fn permitted() -> bool {
    false
}

/// The shapes of the tile registers.
#[repr(C, align(64))]
struct Shapes {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

/// All eight registers with 16 rows of 64 bytes.
static SHAPES: Shapes = {
    let (mut row_bytes, mut rows, mut i) = ([0; 16], [0; 16], 0);
    while i < 8 {
        (row_bytes[i], rows[i]) = (64, 16);
        i += 1;
    }
    Shapes { palette: 1, start_row: 0, reserved: [0; 14], row_bytes, rows }
};

/// The time during which the tile registers have [`SHAPES`].
struct Configured(());

impl Configured {
    /// # Safety
    ///
    /// The instructions are [`AVAILABLE`].
    unsafe fn new() -> Self {
        // SAFETY: as this function requires. The shapes are static.
        unsafe { asm!("ldtilecfg [{}]", in(reg) &raw const SHAPES, options(nostack, readonly)) };
        Self(())
    }
}

impl Drop for Configured {
    fn drop(&mut self) {
        // SAFETY: this exists only where the instructions do.
        unsafe { asm!("tilerelease", options(nomem, nostack)) };
    }
}

/// Computes [`SIDE`] rows and columns of a result, or adds to them.
///
/// # Safety
///
/// The registers are [`Configured`]. `a` has `SIDE` rows of `TERMS * steps` elements, each `a_row` after the one before;
/// `b` has `steps` blocks of `TERMS * SIDE` elements; the result has rows that are `out_row` apart.
unsafe fn tile(
    steps: usize,
    a: *const bf16,
    a_row: usize,
    b: *const bf16,
    out: *mut f32,
    out_row: usize,
    add: bool,
) {
    let (a_row, out_row) = (a_row * size_of::<bf16>(), out_row * size_of::<f32>());
    // SAFETY: as this function requires.
    unsafe {
        asm!(
            "test {add}, {add}",
            "jz 2f",
            "tileloadd tmm0, [{out} + {out_row}*1]",
            "tileloadd tmm1, [{out} + {out_row}*1 + 64]",
            "tileloadd tmm2, [{low} + {out_row}*1]",
            "tileloadd tmm3, [{low} + {out_row}*1 + 64]",
            "jmp 3f",
            "2:",
            "tilezero tmm0",
            "tilezero tmm1",
            "tilezero tmm2",
            "tilezero tmm3",
            "3:",
            "tileloadd tmm4, [{a} + {a_row}*1]",
            "tileloadd tmm6, [{b} + {b_row}*1]",
            "tdpbf16ps tmm0, tmm4, tmm6",
            "tileloadd tmm7, [{b} + {b_row}*1 + 64]",
            "tdpbf16ps tmm1, tmm4, tmm7",
            "tileloadd tmm5, [{a_low} + {a_row}*1]",
            "tdpbf16ps tmm2, tmm5, tmm6",
            "tdpbf16ps tmm3, tmm5, tmm7",
            "add {a}, 64",
            "add {a_low}, 64",
            "add {b}, 2048",
            "dec {steps}",
            "jnz 3b",
            "tilestored [{out} + {out_row}*1], tmm0",
            "tilestored [{out} + {out_row}*1 + 64], tmm1",
            "tilestored [{low} + {out_row}*1], tmm2",
            "tilestored [{low} + {out_row}*1 + 64], tmm3",
            add = in(reg) usize::from(add),
            steps = inout(reg) steps => _,
            a = inout(reg) a => _,
            a_low = inout(reg) a.byte_add(16 * a_row) => _,
            a_row = in(reg) a_row,
            b = inout(reg) b => _,
            b_row = in(reg) 4 * SIDE,
            out = in(reg) out,
            low = in(reg) out.byte_add(16 * out_row),
            out_row = in(reg) out_row,
            out("tmm0") _,
            out("tmm1") _,
            out("tmm2") _,
            out("tmm3") _,
            out("tmm4") _,
            out("tmm5") _,
            out("tmm6") _,
            out("tmm7") _,
            options(nostack),
        );
    }
}

impl Matrix<*const bf16> {
    /// The place of an element. Places beyond the matrix may be named, but not read.
    fn at(self, row: usize, column: usize) -> *const bf16 {
        let (down, across) = (row.wrapping_mul(self.row), column.wrapping_mul(self.column));
        self.start.wrapping_add(down.wrapping_add(across))
    }

    fn from(self, row: usize, column: usize) -> Self {
        Self { start: self.at(row, column), ..self }
    }
}

/// A product of an `m` by `k` and a `k` by `n` matrix.
#[derive(Clone, Copy)]
pub(super) struct Product {
    pub(super) m: usize,
    pub(super) n: usize,
    pub(super) k: usize,
    pub(super) a: Matrix<*const bf16>,
    pub(super) b: Matrix<*const bf16>,
    pub(super) out: *mut bf16,
    /// The step from row to row of the result, whose rows are contiguous.
    pub(super) out_row: usize,
}

// SAFETY: the pointers are those of slices whose elements other threads may read and, in the result, write. Who writes parts
// on several threads sees to it that they do not overlap.
unsafe impl Sync for Product {}

impl Product {
    /// Computes the product, rounding its elements once.
    ///
    /// # Errors
    ///
    /// If there is no memory for copies of the operands.
    ///
    /// # Safety
    ///
    /// The instructions are [`AVAILABLE`]. The operands lie in memory, and so does the result, which nobody else reads or
    /// writes. No size is zero.
    pub(super) unsafe fn run(&self, par: Par) -> Result<(), OutOfMemory> {
        self.for_parts(par, &|part| {
            ROOM.with_borrow_mut(|room| {
                let depth = part.k.next_multiple_of(TERMS);
                let columns = (PACKED / depth).clamp(SIDE, MOST_COLUMNS).next_multiple_of(SIDE);
                (0..part.n).step_by(columns).try_for_each(|column| {
                    let block = part.part(0, part.m, column, columns.min(part.n - column));
                    // SAFETY: as this function requires; the parts do not overlap.
                    unsafe { block.run_block(room) }
                })
            })
        })
    }

    /// What computes some rows and columns of the result.
    fn part(&self, row: usize, rows: usize, column: usize, columns: usize) -> Self {
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
    fn for_parts(
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
        let rows = self.m.div_ceil(down).next_multiple_of(SIDE);
        let columns = self.n.div_ceil(across).next_multiple_of(SIDE);
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

    /// Computes a product whose right operand is packed whole.
    ///
    /// # Safety
    ///
    /// As for [`run`](Self::run).
    unsafe fn run_block(&self, room: &mut Room) -> Result<(), OutOfMemory> {
        let width = self.n.next_multiple_of(SIDE);
        let depth = self.k.next_multiple_of(TERMS);
        let right: *mut bf16 = room.right.fit(depth.saturating_mul(width))?;
        let left: *mut bf16 = room.left.fit(ROWS * STEP)?;
        let sums: *mut f32 = room.part.fit(ROWS * width)?;
        let panels = || (0..self.n).step_by(SIDE);
        simd(
            #[inline(always)]
            || {
                for column in panels() {
                    let (b, count) = (self.b.from(0, column), SIDE.min(self.n - column));
                    // SAFETY: there is room for whole panels.
                    unsafe { pack(b, self.k, count, right.add(column * depth)) };
                }
            },
        );
        // SAFETY: the instructions are available.
        let _configured = unsafe { Configured::new() };
        for row in (0..self.m).step_by(ROWS) {
            let rows = ROWS.min(self.m - row);
            for from in (0..self.k).step_by(DEPTH) {
                let terms = DEPTH.min(self.k - from);
                // SAFETY: there is room for the rows.
                let a = unsafe { copied(self.a.from(row, from), rows, terms, left) };
                for column in panels() {
                    for side in (0..rows).step_by(SIDE) {
                        // SAFETY: within the copies or whole tiles of the operand, and within the sums.
                        unsafe {
                            tile(
                                terms.div_ceil(TERMS),
                                a.at(side, 0),
                                a.row,
                                right.add(column * depth + from * SIDE),
                                sums.add(side * width + column),
                                width,
                                from > 0,
                            );
                        }
                    }
                }
            }
            for i in 0..rows {
                // SAFETY: all sums were written; the result has this row.
                unsafe {
                    let out = self.out.add((row + i) * self.out_row).cast::<MaybeUninit<bf16>>();
                    let sums = slice::from_raw_parts(sums.add(i * width), self.n);
                    narrow(sums, slice::from_raw_parts_mut(out, self.n));
                }
            }
        }
        Ok(())
    }
}

/// Copies rows of the left operand. Zeros follow the terms, and the rows are filled up to whole tiles by what was there.
///
/// # Safety
///
/// The matrix lies in memory, and there is room for [`ROWS`] rows of [`STEP`] elements at `to`.
unsafe fn copied(
    from: Matrix<*const bf16>,
    rows: usize,
    terms: usize,
    to: *mut bf16,
) -> Matrix<*const bf16> {
    for i in 0..rows {
        // SAFETY: within the matrix and the room.
        unsafe {
            let to = to.add(i * STEP);
            match from.column == 1 {
                true => to.copy_from_nonoverlapping(from.at(i, 0), terms),
                false => (0..terms).for_each(|j| *to.add(j) = *from.at(i, j)),
            }
            (terms..terms.next_multiple_of(TERMS)).for_each(|j| *to.add(j) = bf16::ZERO);
        }
    }
    Matrix { start: to, row: STEP, column: 1 }
}

/// Packs columns of the right operand by pairs of rows, with zeros behind the rows and the columns.
///
/// # Safety
///
/// The matrix lies in memory, and there is room for [`SIDE`] columns of whole tiles at `to`.
#[inline(always)]
unsafe fn pack(from: Matrix<*const bf16>, rows: usize, columns: usize, to: *mut bf16) {
    let Matrix { row: row_step, column: column_step, .. } = from;
    let whole = rows == rows.next_multiple_of(TERMS) && columns == SIDE;
    if whole && row_step == 1 && column_step.is_multiple_of(2) {
        // Pairs are neighbours already, so that a matrix of pairs is transposed.
        for row in (0..rows).step_by(2 * BLOCK) {
            for column in (0..SIDE).step_by(BLOCK) {
                // SAFETY: within the matrix and the room. A CPU with tile registers has AVX-512, by which pairs are loaded and
                // stored as vectors that need no alignment.
                unsafe {
                    let to = to.add(row * SIDE + 2 * column).cast::<f32>();
                    transpose(from.at(row, column).cast(), column_step / 2, to, SIDE);
                }
            }
        }
        return;
    }
    let pairs = to.cast::<[bf16; 2]>();
    for pair in 0..rows.next_multiple_of(TERMS) / 2 {
        // SAFETY: within the matrix and the room.
        unsafe {
            let to = pairs.add(pair * SIDE);
            let (upper, lower) = (from.from(2 * pair, 0), from.from(2 * pair + 1, 0));
            if 2 * pair + 1 < rows && columns == SIDE && column_step == 1 {
                let (upper, lower) =
                    (upper.start.cast::<[u16; SIDE]>(), lower.start.cast::<[u16; SIDE]>());
                let (upper, lower) = (upper.read(), lower.read());
                let both: [u32; SIDE] =
                    core::array::from_fn(|j| u32::from(upper[j]) | u32::from(lower[j]) << 16);
                to.cast::<[u32; SIDE]>().write_unaligned(both);
                continue;
            }
            for j in 0..SIDE {
                let at = |x: Matrix<*const bf16>, row: usize| match row < rows && j < columns {
                    true => *x.at(0, j),
                    false => bf16::ZERO,
                };
                to.add(j).write([at(upper, 2 * pair), at(lower, 2 * pair + 1)]);
            }
        }
    }
}

/// Transposes a block in registers: exchanges the off-diagonal halves of blocks of 2, 4, 8 and 16.
///
/// # Safety
///
/// The CPU has AVX-512. Both blocks lie in memory, given with the steps from row to row, and the second may be written.
#[target_feature(enable = "avx512f")]
unsafe fn transpose(from: *const f32, from_row: usize, to: *mut f32, to_row: usize) {
    // SAFETY: the caller vouches for the memory and for the CPU.
    unsafe {
        let mut rows = [_mm512_setzero_ps(); BLOCK];
        for (i, row) in rows.iter_mut().enumerate() {
            *row = _mm512_loadu_ps(from.add(i * from_row));
        }
        for half in [1, 2, 4, 8] {
            // Lanes of the second operand are counted on from those of the first.
            let lane = |i: usize| i as i32;
            let upper: [i32; BLOCK] =
                core::array::from_fn(|i| lane(if i & half == 0 { i } else { BLOCK + i - half }));
            let lower: [i32; BLOCK] =
                core::array::from_fn(|i| lane(if i & half == 0 { i + half } else { BLOCK + i }));
            let (upper, lower) = (
                _mm512_loadu_si512(upper.as_ptr().cast()),
                _mm512_loadu_si512(lower.as_ptr().cast()),
            );
            for i in (0..BLOCK).filter(|i| i & half == 0) {
                let (x, y) = (rows[i], rows[i + half]);
                rows[i] = _mm512_permutex2var_ps(x, upper, y);
                rows[i + half] = _mm512_permutex2var_ps(x, lower, y);
            }
        }
        for (i, row) in rows.into_iter().enumerate() {
            _mm512_storeu_ps(to.add(i * to_row), row);
        }
    }
}

/// A cache line, to which copies are aligned.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// Memory that is kept for the next product.
#[derive(Default)]
struct Buffer(Vec<Line>);

impl Buffer {
    /// Room for this many elements.
    fn fit<T>(&mut self, len: usize) -> Result<*mut T, OutOfMemory> {
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
struct Room {
    /// Rows of the left operand.
    left: Buffer,
    /// Panels of the right operand.
    right: Buffer,
    /// A part of the result that is not yet in its place.
    part: Buffer,
}

thread_local! {
    static ROOM: RefCell<Room> = RefCell::default();
}

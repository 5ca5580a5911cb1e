//! Tiles: the small products that a large one consists of.
//!
//! A tile of the result stays in registers while it takes in one column of the left and one row of the right operand at a
//! time. Its size is what the registers of a CPU level hold, so that every load serves several multiplications (Goto and
//! van de Geijn, 2008, "Anatomy of high-performance matrix multiplication").

use crate::element::Arithmetic;
use crate::par::Level;

/// The operands and the result of a tile.
#[derive(Clone, Copy)]
pub(super) struct Tile<T> {
    /// Columns of the left operand, rows of the right.
    pub(super) depth: usize,
    /// The left operand, with the steps from row to row and from column to column.
    pub(super) a: *const T,
    pub(super) a_row: usize,
    pub(super) a_column: usize,
    /// The right operand. Its rows are contiguous and as long as the tile is wide.
    pub(super) b: *const T,
    pub(super) b_row: usize,
    /// The result, whose rows are contiguous.
    pub(super) out: *mut T,
    pub(super) out_row: usize,
    /// Whether the product is added to the result.
    pub(super) add: bool,
}

/// Computes a tile.
///
/// The operands must be readable, the result writable, and readable if the product is added to it. The CPU must have the
/// level of the function.
pub(super) type TileFn<T> = unsafe fn(&Tile<T>);

/// The functions for tiles of a number of columns, by their number of rows less one.
pub(super) struct Width<T: 'static> {
    pub(super) columns: usize,
    pub(super) by_rows: &'static [TileFn<T>],
}

/// Rows and columns of the blocks that are transposed.
pub(super) const BLOCK: usize = 16;

type TransposeFn<T> = unsafe fn(from: *const T, from_row: usize, to: *mut T, to_row: usize);

/// The tiles of a CPU level.
pub(super) struct Tiles<T: 'static> {
    /// The narrowest first. The last one has few rows: it reads long rows of the right operand, for products of few rows.
    pub(super) widths: [Width<T>; 3],
    /// Writes the transpose of a matrix of [`BLOCK`] rows and columns, given with the steps from row to row.
    pub(super) transpose: TransposeFn<T>,
    /// Computes one row of this many columns from columns of the right operand that are contiguous: `b_row` is the step from
    /// one to the next.
    pub(super) dots: unsafe fn(&Tile<T>, columns: usize),
}

/// Floats whose products tiles compute.
pub(super) trait Tiled: Arithmetic {
    /// The tiles for a CPU level.
    fn tiles(level: Level) -> &'static Tiles<Self>;
}

/// A vector of a CPU level. The functions require the level, and pointers to as many elements as it has lanes.
trait Vector: Copy {
    type Item: Copy;
    const LANES: usize;
    unsafe fn load(at: *const Self::Item) -> Self;
    unsafe fn store(self, at: *mut Self::Item);
    unsafe fn splat(x: Self::Item) -> Self;
    unsafe fn add(self, y: Self) -> Self;
    /// `self * y + z`.
    unsafe fn mul_add(self, y: Self, z: Self) -> Self;
    /// The sum of the lanes, from the first to the last.
    unsafe fn sum(self) -> Self::Item;
}

/// The tile of `ROWS` rows and `VECTORS` vectors.
///
/// # Safety
///
/// As for [`TileFn`].
#[inline(always)]
unsafe fn tile<V: Vector<Item: Arithmetic>, const ROWS: usize, const VECTORS: usize>(
    tile: &Tile<V::Item>,
) {
    // SAFETY: the caller vouches for the memory and for the CPU.
    unsafe {
        let mut sums = [[V::splat(V::Item::ZERO); VECTORS]; ROWS];
        let (mut a, mut b) = (tile.a, tile.b);
        for _ in 0..tile.depth {
            let mut y = [V::splat(V::Item::ZERO); VECTORS];
            for (v, y) in y.iter_mut().enumerate() {
                *y = V::load(b.add(v * V::LANES));
            }
            for (r, sums) in sums.iter_mut().enumerate() {
                let x = V::splat(*a.add(r * tile.a_row));
                for (sum, y) in sums.iter_mut().zip(y) {
                    *sum = x.mul_add(y, *sum);
                }
            }
            // One step past the last column is not read.
            a = a.wrapping_add(tile.a_column);
            b = b.wrapping_add(tile.b_row);
        }
        for (r, sums) in sums.into_iter().enumerate() {
            for (v, sum) in sums.into_iter().enumerate() {
                let out = tile.out.add(r * tile.out_row + v * V::LANES);
                let sum = if tile.add { sum.add(V::load(out)) } else { sum };
                sum.store(out);
            }
        }
    }
}

/// One row times columns that are contiguous: `b_row` is the step from column to column.
///
/// # Safety
///
/// As for [`TileFn`].
#[inline(always)]
unsafe fn dots<V: Vector<Item: Arithmetic>>(tile: &Tile<V::Item>, columns: usize) {
    /// Sums that wait for each other as little as the loads allow.
    const SUMS: usize = 4;
    // SAFETY: the caller vouches for the memory and for the CPU.
    unsafe {
        let whole = tile.depth / V::LANES * V::LANES;
        for j in (0..columns).step_by(SUMS) {
            // The last columns are computed along with columns before them, or with themselves.
            let column = |s: usize| tile.b.add((j + s).min(columns - 1) * tile.b_row);
            let mut sums = [V::splat(V::Item::ZERO); SUMS];
            for k in (0..whole).step_by(V::LANES) {
                let x = V::load(tile.a.add(k));
                for (s, sum) in sums.iter_mut().enumerate() {
                    *sum = x.mul_add(V::load(column(s).add(k)), *sum);
                }
            }
            for (s, sum) in sums.into_iter().enumerate().take(columns - j) {
                let rest = (whole..tile.depth).map(|k| (*tile.a.add(k)).mul(*column(s).add(k)));
                let sum = rest.fold(sum.sum(), V::Item::add);
                let out = tile.out.add(j + s);
                *out = if tile.add { (*out).add(sum) } else { sum };
            }
        }
    }
}

/// Transposes a block, element by element.
///
/// # Safety
///
/// Both blocks lie in memory, and the second may be written.
#[inline(always)]
unsafe fn transpose<T: Copy>(from: *const T, from_row: usize, to: *mut T, to_row: usize) {
    for i in 0..BLOCK {
        for j in 0..BLOCK {
            // SAFETY: within the blocks.
            unsafe { *to.add(i * to_row + j) = *from.add(j * from_row + i) };
        }
    }
}

/// The tiles of one level for one type: `tiles!(features, vector; rows of normal tiles; vectors and rows of long ones)`.
macro_rules! tiles {
    (
        $(#[$level:meta])?
        $t:ty, $vector:ty, $transpose:expr;
        $($rows:literal)*; $long:literal: $($few:literal)*
    ) => {{
        $(#[$level])?
        unsafe fn of<const ROWS: usize, const VECTORS: usize>(t: &Tile<$t>) {
            // SAFETY: the caller vouches for it.
            unsafe { tile::<$vector, ROWS, VECTORS>(t) }
        }
        $(#[$level])?
        unsafe fn dotted(t: &Tile<$t>, columns: usize) {
            // SAFETY: the caller vouches for it.
            unsafe { dots::<$vector>(t, columns) }
        }
        $(#[$level])?
        unsafe fn transposed(from: *const $t, from_row: usize, to: *mut $t, to_row: usize) {
            // SAFETY: the caller vouches for it.
            unsafe { $transpose(from, from_row, to, to_row) }
        }
        const LANES: usize = <$vector as Vector>::LANES;
        static TILES: Tiles<$t> = Tiles {
            widths: [
                Width { columns: LANES, by_rows: &[$(of::<$rows, 1>),*] },
                Width { columns: 2 * LANES, by_rows: &[$(of::<$rows, 2>),*] },
                Width { columns: $long * LANES, by_rows: &[$(of::<$few, $long>),*] },
            ],
            transpose: transposed,
            dots: dotted,
        };
        &TILES
    }};
}

/// The tiles of a type at every level.
macro_rules! tiled {
    ($($t:ty: $avx512:ty, $avx512_transpose:expr; $avx2:ty;)*) => {$(
        impl Tiled for $t {
            fn tiles(level: Level) -> &'static Tiles<$t> {
                match level {
                    // Of 32 vectors, two hold a row of the right operand.
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx512 => tiles!(
                        #[target_feature(enable = "avx512f,avx2,fma")]
                        $t, $avx512, $avx512_transpose;
                        1 2 3 4 5 6 7 8 9 10 11 12 13 14; 8: 1 2 3
                    ),
                    // Of 16 vectors, two hold a row of the right operand, and one an element of the left.
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx2 => tiles!(
                        #[target_feature(enable = "avx2,fma")]
                        $t, $avx2, transpose::<$t>;
                        1 2 3 4 5 6; 4: 1 2 3
                    ),
                    Level::Baseline => tiles!(
                        $t, Plain<$t>, transpose::<$t>; 1 2 3 4 5 6; 4: 1 2 3
                    ),
                }
            }
        }
    )*};
}

/// A vector of 128 bits or more, which every CPU has or the compiler takes apart.
#[derive(Clone, Copy)]
struct Plain<T>([T; 4]);

impl<T: Arithmetic> Vector for Plain<T> {
    type Item = T;
    const LANES: usize = 4;
    #[inline(always)]
    unsafe fn load(at: *const T) -> Self {
        // SAFETY: the caller vouches for the memory.
        Self(unsafe { at.cast::<[T; 4]>().read() })
    }
    #[inline(always)]
    unsafe fn store(self, at: *mut T) {
        // SAFETY: the caller vouches for the memory.
        unsafe { at.cast::<[T; 4]>().write(self.0) }
    }
    #[inline(always)]
    unsafe fn splat(x: T) -> Self {
        Self([x; 4])
    }
    #[inline(always)]
    unsafe fn add(self, y: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i].add(y.0[i])))
    }
    #[inline(always)]
    unsafe fn mul_add(self, y: Self, z: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i].mul(y.0[i]).add(z.0[i])))
    }
    #[inline(always)]
    unsafe fn sum(self) -> T {
        self.0.into_iter().fold(T::ZERO, T::add)
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{BLOCK, Vector};
    use core::arch::x86_64::*;

    macro_rules! vectors {
        ($($v:ident: $t:ident, $lanes:literal, $load:ident $store:ident $splat:ident $add:ident $mul_add:ident;)*) => {$(
            impl Vector for $v {
                type Item = $t;
                const LANES: usize = $lanes;
                #[inline(always)]
                unsafe fn load(at: *const $t) -> Self {
                    // SAFETY: here and below the caller vouches for the memory and the CPU.
                    unsafe { $load(at) }
                }
                #[inline(always)]
                unsafe fn store(self, at: *mut $t) {
                    // SAFETY: as above.
                    unsafe { $store(at, self) }
                }
                #[inline(always)]
                unsafe fn splat(x: $t) -> Self {
                    // SAFETY: as above.
                    unsafe { $splat(x) }
                }
                #[inline(always)]
                unsafe fn add(self, y: Self) -> Self {
                    // SAFETY: as above.
                    unsafe { $add(self, y) }
                }
                #[inline(always)]
                unsafe fn mul_add(self, y: Self, z: Self) -> Self {
                    // SAFETY: as above.
                    unsafe { $mul_add(self, y, z) }
                }
                #[inline(always)]
                unsafe fn sum(self) -> $t {
                    let mut lanes = [0.0; $lanes];
                    // SAFETY: as above.
                    unsafe { $store(lanes.as_mut_ptr(), self) };
                    lanes.into_iter().sum()
                }
            }
        )*};
    }
    vectors! {
        __m512: f32, 16, _mm512_loadu_ps _mm512_storeu_ps _mm512_set1_ps _mm512_add_ps _mm512_fmadd_ps;
        __m512d: f64, 8, _mm512_loadu_pd _mm512_storeu_pd _mm512_set1_pd _mm512_add_pd _mm512_fmadd_pd;
        __m256: f32, 8, _mm256_loadu_ps _mm256_storeu_ps _mm256_set1_ps _mm256_add_ps _mm256_fmadd_ps;
        __m256d: f64, 4, _mm256_loadu_pd _mm256_storeu_pd _mm256_set1_pd _mm256_add_pd _mm256_fmadd_pd;
    }

    /// Transposes a block in registers: exchanges the off-diagonal halves of blocks of 2, 4, 8 and 16.
    ///
    /// # Safety
    ///
    /// As for [`transpose`](super::transpose), on a CPU with AVX-512.
    #[inline(always)]
    pub(super) unsafe fn transpose(from: *const f32, from_row: usize, to: *mut f32, to_row: usize) {
        // SAFETY: the caller vouches for the memory and for the CPU.
        unsafe {
            let mut rows = [_mm512_setzero_ps(); BLOCK];
            for (i, row) in rows.iter_mut().enumerate() {
                *row = _mm512_loadu_ps(from.add(i * from_row));
            }
            for half in [1, 2, 4, 8] {
                // Lanes of the second operand are counted on from those of the first.
                let lane = |i: usize| i as i32;
                let upper: [i32; BLOCK] = core::array::from_fn(|i| {
                    lane(if i & half == 0 { i } else { BLOCK + i - half })
                });
                let lower: [i32; BLOCK] = core::array::from_fn(|i| {
                    lane(if i & half == 0 { i + half } else { BLOCK + i })
                });
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
}

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__m256, __m256d, __m512, __m512d};

tiled! {
    f32: __m512, x86::transpose; __m256;
    f64: __m512d, transpose::<f64>; __m256d;
}

//! Tiles: small blocks of results whose sums of products stay in registers. All convolutions are made of them.

use crate::element::Arithmetic;
use crate::par::{Level, level};
#[cfg(target_arch = "x86_64")]
use crate::par::{avx2, avx512};
use core::array;

/// The most rows of a tile.
pub(super) const ROWS: usize = 8;

/// The most results of a tile.
pub(super) const RESULTS: usize = ROWS * 32;

/// Terms that follow each other with constant steps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    /// The first operand of the rows, from the start of each row.
    pub(super) x: usize,
    /// The first operand of the columns.
    pub(super) y: usize,
    pub(super) terms: usize,
}

/// Spans of one tile, with the greatest indices that they reach.
#[derive(Debug, Default)]
pub(super) struct Spans {
    all: Vec<Span>,
    x_step: usize,
    y_step: usize,
    x_reach: usize,
    y_reach: usize,
}

impl Spans {
    /// No spans. The operands of consecutive terms lie these steps apart.
    pub(super) fn new(x_step: usize, y_step: usize) -> Self {
        Self { x_step, y_step, ..Self::default() }
    }

    pub(super) fn push(&mut self, span: Span) {
        if span.terms > 0 {
            let reach =
                |from: usize, step| from.saturating_add((span.terms - 1).saturating_mul(step));
            self.x_reach = self.x_reach.max(reach(span.x, self.x_step));
            self.y_reach = self.y_reach.max(reach(span.y, self.y_step));
            self.all.push(span);
        }
    }
}

/// The operands of a tile. The result in row `r` and column `l` is the sum of `x[rows[r] + …] * y[… + l]`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operands<'a, T> {
    pub(super) x: &'a [T],
    pub(super) rows: [usize; ROWS],
    pub(super) y: &'a [T],
    pub(super) spans: &'a Spans,
}

type Sums<T> = unsafe fn(&Operands<'_, T>, [*mut T; ROWS]);

/// The tile of an element type at one CPU level.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tile<T> {
    pub(super) rows: usize,
    /// The columns.
    pub(super) lanes: usize,
    /// Whether each column has an operand of its own in each row, as channels of a depthwise convolution have.
    each: bool,
    sums: Sums<T>,
}

impl<T: Arithmetic> Tile<T> {
    /// Writes the results, row by row.
    ///
    /// # Panics
    ///
    /// If an operand is too short.
    pub(super) fn sums(&self, o: &Operands<'_, T>, out: &mut [T; RESULTS]) {
        let start = out.as_mut_ptr();
        // SAFETY: the buffer has room for all rows of any tile.
        unsafe { self.sums_to(o, array::from_fn(|r| start.wrapping_add(r * self.lanes))) }
    }

    /// Writes the results of each row to a place of its own.
    ///
    /// # Safety
    ///
    /// Each of the tile's rows has room for its lanes there.
    ///
    /// # Panics
    ///
    /// If an operand is too short.
    pub(super) unsafe fn sums_to(&self, o: &Operands<'_, T>, out: [*mut T; ROWS]) {
        if !o.spans.all.is_empty() {
            let last = o.rows[..self.rows].iter().fold(0, |most, row| most.max(*row));
            let columns = if self.each { self.lanes } else { 1 };
            assert!(last.saturating_add(o.spans.x_reach).saturating_add(columns) <= o.x.len());
            assert!(o.spans.y_reach.saturating_add(self.lanes) <= o.y.len());
        }
        // SAFETY: the operands reach as far as the spans, as just checked. The tile was chosen for this CPU, and the
        // caller has the room.
        unsafe { (self.sums)(o, out) }
    }
}

/// Elements that tiles sum up.
pub trait Tiled: Arithmetic {
    /// The tile for this CPU; for depthwise convolutions if `each`.
    #[doc(hidden)]
    fn tile(each: bool) -> Choice<Self>;
}

/// Opaque outside of convolutions.
#[derive(Debug)]
pub struct Choice<T>(pub(super) Tile<T>);

/// A register of elements.
trait Vector: Copy {
    type Element: Arithmetic;
    const LANES: usize;
    fn splat(x: Self::Element) -> Self;
    /// # Safety
    ///
    /// As many elements lie there.
    unsafe fn load(from: *const Self::Element) -> Self;
    /// # Safety
    ///
    /// There is room for as many elements.
    unsafe fn store(self, to: *mut Self::Element);
    /// `self + x * y`.
    fn plus(self, x: Self, y: Self) -> Self;
}

/// The registers of a CPU level.
#[cfg(target_arch = "x86_64")]
macro_rules! registers {
    ($($v:ident of $t:ty: $splat:ident $load:ident $store:ident $plus:ident;)*) => {$(
        impl Vector for core::arch::x86_64::$v {
            type Element = $t;
            const LANES: usize = size_of::<Self>() / size_of::<$t>();
            #[inline(always)]
            fn splat(x: $t) -> Self {
                // SAFETY: only code compiled for the level of the register calls this.
                unsafe { core::arch::x86_64::$splat(x) }
            }
            #[inline(always)]
            unsafe fn load(from: *const $t) -> Self {
                // SAFETY: as above, and as this function requires.
                unsafe { core::arch::x86_64::$load(from) }
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $t) {
                // SAFETY: likewise.
                unsafe { core::arch::x86_64::$store(to, self) }
            }
            #[inline(always)]
            fn plus(self, x: Self, y: Self) -> Self {
                // SAFETY: as for `splat`.
                unsafe { core::arch::x86_64::$plus(x, y, self) }
            }
        }
    )*};
}
#[cfg(target_arch = "x86_64")]
registers! {
    __m512 of f32: _mm512_set1_ps _mm512_loadu_ps _mm512_storeu_ps _mm512_fmadd_ps;
    __m512d of f64: _mm512_set1_pd _mm512_loadu_pd _mm512_storeu_pd _mm512_fmadd_pd;
    __m256 of f32: _mm256_set1_ps _mm256_loadu_ps _mm256_storeu_ps _mm256_fmadd_ps;
    __m256d of f64: _mm256_set1_pd _mm256_loadu_pd _mm256_storeu_pd _mm256_fmadd_pd;
}

/// What every CPU has: the compiler makes registers of it.
impl<T: Arithmetic> Vector for [T; 4] {
    type Element = T;
    const LANES: usize = 4;
    #[inline(always)]
    fn splat(x: T) -> Self {
        [x; 4]
    }
    #[inline(always)]
    unsafe fn load(from: *const T) -> Self {
        // SAFETY: as this function requires; an array is aligned as its elements.
        unsafe { from.cast::<Self>().read() }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut T) {
        // SAFETY: likewise.
        unsafe { to.cast::<Self>().write(self) }
    }
    #[inline(always)]
    fn plus(self, x: Self, y: Self) -> Self {
        array::from_fn(
            #[inline(always)]
            |i| self[i].add(x[i].mul(y[i])),
        )
    }
}

/// The sums of a tile with two registers of columns.
///
/// # Safety
///
/// The operands reach as far as the spans, the CPU has the registers, and each row has room for its results.
#[inline(always)]
unsafe fn sums<V: Vector, const R: usize, const EACH: bool>(
    o: &Operands<'_, V::Element>,
    out: [*mut V::Element; ROWS],
) {
    let zero = V::splat(V::Element::ZERO);
    let mut accs = [[zero; 2]; R];
    let (x_step, y_step) = (o.spans.x_step, o.spans.y_step);
    for span in &o.spans.all {
        let mut x = [o.x.as_ptr(); R];
        for (x, row) in x.iter_mut().zip(o.rows) {
            *x = x.wrapping_add(row + span.x);
        }
        let mut y = o.y.as_ptr().wrapping_add(span.y);
        let mut at = 0;
        for _ in 0..span.terms {
            // SAFETY: as this function requires.
            unsafe {
                let factors = [V::load(y), V::load(y.add(V::LANES))];
                for r in 0..R {
                    let x = x[r].add(at);
                    let x = match EACH {
                        true => [V::load(x), V::load(x.add(V::LANES))],
                        false => [V::splat(x.read()); 2],
                    };
                    accs[r] =
                        [accs[r][0].plus(x[0], factors[0]), accs[r][1].plus(x[1], factors[1])];
                }
            }
            at += x_step;
            y = y.wrapping_add(y_step);
        }
    }
    for (acc, to) in accs.iter().zip(out) {
        // SAFETY: as this function requires.
        unsafe {
            acc[0].store(to);
            acc[1].store(to.add(V::LANES));
        }
    }
}

/// A tile with this many rows, compiled for one level.
macro_rules! tile {
    ($v:ty, $rows:literal, $each:expr, $level:path) => {{
        type Element = <$v as Vector>::Element;
        unsafe fn tile<const EACH: bool>(o: &Operands<'_, Element>, out: [*mut Element; ROWS]) {
            // SAFETY: the caller runs on a CPU of this level; the operands and the room reach as far as they must.
            unsafe {
                $level(
                    #[inline(always)]
                    || sums::<$v, $rows, EACH>(o, out),
                )
            }
        }
        let sums: Sums<Element> = if $each { tile::<true> } else { tile::<false> };
        Tile { rows: $rows, lanes: 2 * <$v as Vector>::LANES, each: $each, sums }
    }};
}

/// What every CPU can run.
///
/// # Safety
///
/// None is needed; the other levels have this signature.
#[inline(always)]
unsafe fn baseline<R>(f: impl FnOnce() -> R) -> R {
    f()
}

macro_rules! floats {
    ($($t:ty: $wide:ident $middle:ident;)*) => {$(
        impl Tiled for $t {
            fn tile(each: bool) -> Choice<Self> {
                Choice(match level() {
                    // Sums of 16 registers hide the latency of each, and pointers to 8 rows fit the other registers.
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx512 => tile!(core::arch::x86_64::$wide, 8, each, avx512),
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx2 => tile!(core::arch::x86_64::$middle, 6, each, avx2),
                    Level::Baseline => tile!([$t; 4], 4, each, baseline),
                })
            }
        }
    )*};
}
floats! {
    f32: __m512 __m256;
    f64: __m512d __m256d;
}

impl Tiled for i32 {
    fn tile(each: bool) -> Choice<Self> {
        Choice(tile!([i32; 4], 4, each, baseline))
    }
}

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
            self.x_reach = self.x_reach.max(span.x + (span.terms - 1) * self.x_step);
            self.y_reach = self.y_reach.max(span.y + (span.terms - 1) * self.y_step);
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

type Sums<T> = unsafe fn(&Operands<'_, T>, &mut [T; RESULTS]);

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
        if o.spans.all.is_empty() {
            return out.fill(T::ZERO);
        }
        let last = o.rows[..self.rows].iter().fold(0, |most, row| most.max(*row)) + o.spans.x_reach;
        assert!(last + if self.each { self.lanes } else { 1 } <= o.x.len());
        assert!(o.spans.y_reach + self.lanes <= o.y.len());
        // SAFETY: the operands reach as far as the spans, as just checked. The tile was chosen for this CPU.
        unsafe { (self.sums)(o, out) }
    }
}

/// Elements that tiles sum up.
pub trait Tiled: Arithmetic {
    /// `self + x * y`, rounded once if `FUSED`.
    #[doc(hidden)]
    fn plus<const FUSED: bool>(self, x: Self, y: Self) -> Self;
    /// The tile for this CPU; for depthwise convolutions if `each`.
    #[doc(hidden)]
    fn tile(each: bool) -> Choice<Self>;
}

/// Opaque outside of convolutions.
#[derive(Debug)]
pub struct Choice<T>(pub(super) Tile<T>);

/// # Safety
///
/// The operands reach as far as the spans.
#[inline(always)]
unsafe fn sums<T: Tiled, const R: usize, const L: usize, const FUSED: bool, const EACH: bool>(
    o: &Operands<'_, T>,
    out: &mut [T; RESULTS],
) {
    let mut accs = [[T::ZERO; L]; R];
    let (x_step, y_step) = (o.spans.x_step, o.spans.y_step);
    for span in &o.spans.all {
        let x: [*const T; R] = array::from_fn(|r| o.x.as_ptr().wrapping_add(o.rows[r] + span.x));
        let mut y = o.y.as_ptr().wrapping_add(span.y);
        let mut at = 0;
        for _ in 0..span.terms {
            // SAFETY: as this function requires.
            let factors: [T; L] = unsafe { y.cast::<[T; L]>().read() };
            for r in 0..R {
                // SAFETY: likewise.
                let x: [T; L] = unsafe {
                    match EACH {
                        true => x[r].add(at).cast::<[T; L]>().read(),
                        false => [x[r].add(at).read(); L],
                    }
                };
                for l in 0..L {
                    accs[r][l] = accs[r][l].plus::<FUSED>(x[l], factors[l]);
                }
            }
            at += x_step;
            y = y.wrapping_add(y_step);
        }
    }
    for (acc, out) in accs.iter().zip(out.chunks_exact_mut(L)) {
        out.copy_from_slice(acc);
    }
}

/// A tile of this size, compiled for one level.
macro_rules! tile {
    ($t:ty, $rows:literal x $lanes:literal, $fused:literal, $each:expr, $level:path) => {{
        unsafe fn tile<const EACH: bool>(o: &Operands<'_, $t>, out: &mut [$t; RESULTS]) {
            // SAFETY: the caller runs on a CPU of this level, and the operands reach as far as the spans.
            unsafe {
                $level(
                    #[inline(always)]
                    || sums::<$t, $rows, $lanes, $fused, EACH>(o, out),
                )
            }
        }
        let sums: Sums<$t> = if $each { tile::<true> } else { tile::<false> };
        Tile { rows: $rows, lanes: $lanes, each: $each, sums }
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
    ($($t:ty: $wide:literal $middle:literal $narrow:literal;)*) => {$(
        impl Tiled for $t {
            #[inline(always)]
            fn plus<const FUSED: bool>(self, x: Self, y: Self) -> Self {
                if FUSED { x.mul_add(y, self) } else { self + x * y }
            }
            fn tile(each: bool) -> Choice<Self> {
                Choice(match level() {
                    // Sums of 16 vectors hide the latency of each, and 8 pointers to rows fit the other registers.
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx512 => tile!($t, 8 x $wide, true, each, avx512),
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx2 => tile!($t, 6 x $middle, true, each, avx2),
                    Level::Baseline => tile!($t, 4 x $narrow, false, each, baseline),
                })
            }
        }
    )*};
}
floats! {
    f32: 32 16 8;
    f64: 16 8 4;
}

impl Tiled for i32 {
    #[inline(always)]
    fn plus<const FUSED: bool>(self, x: Self, y: Self) -> Self {
        self.wrapping_add(x.wrapping_mul(y))
    }
    fn tile(each: bool) -> Choice<Self> {
        Choice(tile!(i32, 4 x 8, false, each, baseline))
    }
}

//! The choice of algorithm for each element type.

#[cfg(target_arch = "x86_64")]
use super::amx;
use super::{MatMul, MatStrides, simple};
use crate::element::{Arithmetic, Complex32, Complex64, Half, bf16, f16};
use crate::halves::{narrow, widened_whole};
use crate::memory::{OutOfMemory, room};
use crate::par::Par;
use crate::size::{part_start, volume};
use core::mem::MaybeUninit;
use gemm_common::Parallelism;

/// Elements of matrices that can be multiplied.
pub trait Gemm: Arithmetic {
    /// Writes a product to `out`. Called by [`matmul`](super::matmul), which has checked that the lengths fit and that
    /// no size is zero.
    ///
    /// # Errors
    ///
    /// If there is no memory to pack operands in.
    fn gemm(
        dims: MatMul,
        a: &[Self],
        a_strides: MatStrides,
        b: &[Self],
        b_strides: MatStrides,
        out: &mut [MaybeUninit<Self>],
        par: Par,
    ) -> Result<(), OutOfMemory>;
}

macro_rules! by {
    ($($t:ty: $function:path;)*) => {$(
        impl Gemm for $t {
            fn gemm(
                dims: MatMul,
                a: &[Self],
                a_strides: MatStrides,
                b: &[Self],
                b_strides: MatStrides,
                out: &mut [MaybeUninit<Self>],
                par: Par,
            ) -> Result<(), OutOfMemory> {
                $function(dims, a, a_strides, b, b_strides, out, par)
            }
        }
    )*};
}
by! {
    f32: native;
    f64: native;
    Complex32: complex;
    Complex64: complex;
    f16: halves;
    bf16: brain_floats;
    i8: simple::gemm;
    i16: simple::gemm;
    i32: simple::gemm;
    i64: simple::gemm;
    u8: simple::gemm;
    u16: simple::gemm;
    u32: simple::gemm;
    u64: simple::gemm;
}

/// A matrix in memory: its start, and the steps from row to row and from column to column.
#[derive(Clone, Copy)]
pub(super) struct Matrix<P> {
    pub(super) start: P,
    pub(super) row: usize,
    pub(super) column: usize,
}

impl<P> Matrix<P> {
    fn new(start: P, strides: MatStrides) -> Self {
        Self { start, row: strides.row, column: strides.column }
    }
}

/// Floats whose matrices the `gemm` crates multiply.
trait Native: Arithmetic {
    /// Writes the product times `by` to `out`, or adds it if `read`.
    ///
    /// # Safety
    ///
    /// The matrices lie in memory. `out` may be written, and has been written if `read`.
    unsafe fn product(
        dims: [usize; 3],
        a: Matrix<*const Self>,
        b: Matrix<*const Self>,
        out: Matrix<*mut Self>,
        read: bool,
        by: Self,
        par: Par,
    );
}

macro_rules! native {
    ($($t:ident: $gemm:path;)*) => {$(
        impl Native for $t {
            unsafe fn product(
                [m, n, k]: [usize; 3],
                a: Matrix<*const Self>,
                b: Matrix<*const Self>,
                out: Matrix<*mut Self>,
                read: bool,
                by: Self,
                par: Par,
            ) {
                use $gemm as gemm;
                // The loops work best on results with contiguous columns. The transpose of a product is the swapped
                // product of the transposes.
                let flip = |x: Matrix<*const Self>| Matrix { row: x.column, column: x.row, ..x };
                let (m, n, a, b, out) = match out.column < out.row {
                    true => {
                        let out = Matrix { row: out.column, column: out.row, ..out };
                        (n, m, flip(b), flip(a), out)
                    }
                    false => (m, n, a, b, out),
                };
                // SAFETY: as this function requires.
                unsafe {
                    gemm::get_gemm_fn()(
                        m,
                        n,
                        k,
                        out.start,
                        out.column as isize,
                        out.row as isize,
                        read,
                        a.start,
                        a.column as isize,
                        a.row as isize,
                        b.start,
                        b.column as isize,
                        b.row as isize,
                        1.0,
                        by,
                        false,
                        false,
                        false,
                        parallelism(par),
                    );
                }
            }
        }
    )*};
}
native! {
    f32: gemm_f32::gemm::f32;
    f64: gemm_f64::gemm::f64;
}

fn parallelism(par: Par) -> Parallelism {
    match par {
        Par::Seq => Parallelism::None,
        #[cfg(feature = "parallel")]
        // Zero means the threads of the current pool.
        Par::Pool => Parallelism::Rayon(0),
        #[cfg(not(feature = "parallel"))]
        Par::Pool => Parallelism::None,
    }
}

fn check_lens<T>(
    dims: MatMul,
    a: &[T],
    a_strides: MatStrides,
    b: &[T],
    b_strides: MatStrides,
    out: &[MaybeUninit<T>],
) {
    assert!(a.len() >= a_strides.extent(dims.m, dims.k));
    assert!(b.len() >= b_strides.extent(dims.k, dims.n));
    assert_eq!(out.len(), volume([dims.m, dims.n]));
}

fn native<T: Native>(
    dims: MatMul,
    a: &[T],
    a_strides: MatStrides,
    b: &[T],
    b_strides: MatStrides,
    out: &mut [MaybeUninit<T>],
    par: Par,
) -> Result<(), OutOfMemory> {
    check_lens(dims, a, a_strides, b, b_strides, out);
    if dims.work() <= TINY {
        plain(dims, a, a_strides, b, b_strides, out, |x, _| x);
        return Ok(());
    }
    let result = MatStrides::row_major(dims.n);
    // SAFETY: the operands cover the matrices their strides describe, as just
    // checked, and so does the result, which is borrowed alone and only written.
    unsafe {
        T::product(
            [dims.m, dims.n, dims.k],
            Matrix::new(a.as_ptr(), a_strides),
            Matrix::new(b.as_ptr(), b_strides),
            Matrix::new(out.as_mut_ptr().cast::<T>(), result),
            false,
            T::ONE,
            par,
        );
    }
    Ok(())
}

/// Complex numbers as pairs of their parts.
trait Pair: Arithmetic {
    type Part: Native;
    fn conj_if(self, conj: bool) -> Self;
}

macro_rules! pair {
    ($($t:ident: $part:ident)*) => {$(
        impl Pair for $t {
            type Part = $part;
            #[inline(always)]
            fn conj_if(self, conj: bool) -> Self {
                if conj { self.conj() } else { self }
            }
        }
    )*};
}
pair!(Complex32: f32 Complex64: f64);

/// Up to this many real multiplications a plain loop is faster than starting `gemm`.
const TINY: usize = 256;

/// Up to this many multiplications a plain loop is faster than four products.
const SMALL: usize = 2048;

/// Up to this many multiplications starting the tile registers does not pay.
const TILES: usize = 8192;

/// The product element by element.
#[inline]
fn plain<T: Arithmetic>(
    dims: MatMul,
    a: &[T],
    a_strides: MatStrides,
    b: &[T],
    b_strides: MatStrides,
    out: &mut [MaybeUninit<T>],
    conj_if: impl Fn(T, bool) -> T,
) {
    for (i, out) in out.chunks_exact_mut(dims.n).enumerate() {
        for (j, out) in out.iter_mut().enumerate() {
            let terms = (0..dims.k).map(|k| {
                let x = conj_if(a[i * a_strides.row + k * a_strides.column], dims.conj_a);
                x.mul(conj_if(b[k * b_strides.row + j * b_strides.column], dims.conj_b))
            });
            out.write(terms.fold(T::ZERO, Arithmetic::add));
        }
    }
}

/// Four products of the parts, each a matrix whose elements lie two apart.
fn complex<T: Pair>(
    dims: MatMul,
    a: &[T],
    a_strides: MatStrides,
    b: &[T],
    b_strides: MatStrides,
    out: &mut [MaybeUninit<T>],
    par: Par,
) -> Result<(), OutOfMemory> {
    check_lens(dims, a, a_strides, b, b_strides, out);
    if dims.work() <= SMALL {
        plain(dims, a, a_strides, b, b_strides, out, T::conj_if);
        return Ok(());
    }
    let twice = |s: MatStrides| MatStrides { row: 2 * s.row, column: 2 * s.column };
    let part = |x: &[T], strides, at: usize| {
        Matrix::new(x.as_ptr().cast::<T::Part>().wrapping_add(at), twice(strides))
    };
    let (re, im) = (0, 1);
    let start = out.as_mut_ptr().cast::<T::Part>();
    let result = |at| Matrix::new(start.wrapping_add(at), twice(MatStrides::row_major(dims.n)));
    let sign = |minus: bool| if minus { T::Part::ONE.neg() } else { T::Part::ONE };
    let products = [
        (re, re, re, false, sign(false)),
        (im, im, re, true, sign(dims.conj_a == dims.conj_b)),
        (re, im, im, false, sign(dims.conj_b)),
        (im, re, im, true, sign(dims.conj_a)),
    ];
    for (of_a, of_b, to, read, by) in products {
        // SAFETY: as in `native`, since a complex number consists of its two parts. The parts of the result that are
        // read were written by the product before.
        unsafe {
            T::Part::product(
                [dims.m, dims.n, dims.k],
                part(a, a_strides, of_a),
                part(b, b_strides, of_b),
                result(to),
                read,
                by,
                par,
            );
        }
    }
    Ok(())
}

/// The product by the tile registers of the CPU if it fills them, or as of other halves.
fn brain_floats(
    dims: MatMul,
    a: &[bf16],
    a_strides: MatStrides,
    b: &[bf16],
    b_strides: MatStrides,
    out: &mut [MaybeUninit<bf16>],
    par: Par,
) -> Result<(), OutOfMemory> {
    #[cfg(target_arch = "x86_64")]
    if dims.m.max(dims.n) >= amx::SIDE && dims.work() > TILES && *amx::AVAILABLE {
        check_lens(dims, a, a_strides, b, b_strides, out);
        let product = amx::Product {
            m: dims.m,
            n: dims.n,
            k: dims.k,
            a: Matrix::new(a.as_ptr(), a_strides),
            b: Matrix::new(b.as_ptr(), b_strides),
            out: out.as_mut_ptr().cast(),
            out_row: dims.n,
        };
        // SAFETY: as in `native`; the registers are there.
        return unsafe { product.run(par) };
    }
    halves(dims, a, a_strides, b, b_strides, out, par)
}

/// From so many rows on, a block of rows has the bits that it has in the whole product. Fewer rows may be computed by
/// another algorithm. For products of floats.
pub(crate) fn least_rows(n: usize, k: usize) -> usize {
    // The `gemm` crates have one algorithm for single rows, and one for results of up to 16 by 16 elements. Results of up
    // to 64 rows and columns sum other blocks of terms.
    const SIDE: usize = 64;
    const FEW: usize = 16 * 16;
    // Rows with more elements than this together.
    let more_than = |total: usize, row: usize| total / row.max(1) + 1;
    let work = more_than(TINY.max(TILES), n.saturating_mul(k));
    (SIDE + 1).max(more_than(FEW, n)).max(work)
}

/// Rows of the left operand that are widened at a time.
const ROWS: usize = 514;

/// The product of widened operands, rounded once.
fn halves<H: Arithmetic + Half>(
    dims: MatMul,
    a: &[H],
    a_strides: MatStrides,
    b: &[H],
    b_strides: MatStrides,
    out: &mut [MaybeUninit<H>],
    par: Par,
) -> Result<(), OutOfMemory> {
    let b = widened_whole(&b[..b_strides.extent(dims.k, dims.n)])?;
    // A few rows of a matrix with contiguous columns extend over all of it.
    let by_rows = a_strides.row >= a_strides.column;
    // Equal parts, so that none has fewer than `least_rows`.
    let parts = if by_rows { dims.m.div_ceil(ROWS) } else { 1 };
    let start = |i| part_start(dims.m, parts, i);
    let mut wide: Vec<f32> = room(dims.m.div_ceil(parts) * dims.n)?;
    for i in 0..parts {
        let (from, to) = (start(i), start(i + 1));
        let out = &mut out[from * dims.n..to * dims.n];
        let dims = MatMul { m: to - from, ..dims };
        let a = &a[from * a_strides.row..];
        let a = widened_whole(&a[..a_strides.extent(dims.m, dims.k)])?;
        let product = &mut wide.spare_capacity_mut()[..out.len()];
        native(dims, &a, a_strides, &b, b_strides, product, par)?;
        // SAFETY: `native` has written all of the product.
        narrow(unsafe { crate::halves::written(product) }, out);
    }
    Ok(())
}

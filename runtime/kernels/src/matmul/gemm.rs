//! The choice of algorithm for each element type.

#[cfg(target_arch = "x86_64")]
use super::amx::{AVAILABLE, SIDE};
use super::product::{Matrix, Product};
use super::tile::Tiled;
use super::{MatMul, MatStrides, simple};
use crate::element::{Arithmetic, Complex32, Complex64, Half, bf16, f16};
use crate::halves::{narrow, widen};
use crate::memory::{OutOfMemory, room};
use crate::par::{Par, level};
use crate::size::volume;
use core::mem::MaybeUninit;

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
    assert!(dims.work() > 0);
}

fn native<T: Tiled>(
    dims: MatMul,
    a: &[T],
    a_strides: MatStrides,
    b: &[T],
    b_strides: MatStrides,
    out: &mut [MaybeUninit<T>],
    par: Par,
) -> Result<(), OutOfMemory> {
    check_lens(dims, a, a_strides, b, b_strides, out);
    if dims.work() <= FEW {
        plain(dims, a, a_strides, b, b_strides, out, |x, _| x);
        return Ok(());
    }
    // SAFETY: the operands cover the matrices that their strides describe, as just checked, and so does the result,
    // which is borrowed alone and only written.
    unsafe { product(dims, (a, a_strides), (b, b_strides), out, false).run(level(), par) }
}

/// A product of operands that have been checked.
fn product<T>(
    dims: MatMul,
    (a, a_strides): (&[T], MatStrides),
    (b, b_strides): (&[T], MatStrides),
    out: &mut [MaybeUninit<T>],
    add: bool,
) -> Product<T> {
    Product {
        m: dims.m,
        n: dims.n,
        k: dims.k,
        a: Matrix { start: a.as_ptr(), strides: a_strides },
        b: Matrix { start: b.as_ptr(), strides: b_strides },
        out: out.as_mut_ptr().cast(),
        out_row: dims.n,
        add,
    }
}

/// Complex numbers as pairs of their parts.
trait Pair: Arithmetic {
    type Part: Tiled;
    fn conj_if(self, conj: bool) -> Self;
    fn parts(self) -> [Self::Part; 2];
    fn of_parts(re: Self::Part, im: Self::Part) -> Self;
}

macro_rules! pair {
    ($($t:ident: $part:ident)*) => {$(
        impl Pair for $t {
            type Part = $part;
            #[inline(always)]
            fn conj_if(self, conj: bool) -> Self {
                if conj { self.conj() } else { self }
            }
            #[inline(always)]
            fn parts(self) -> [$part; 2] {
                [self.re, self.im]
            }
            #[inline(always)]
            fn of_parts(re: $part, im: $part) -> Self {
                Self::new(re, im)
            }
        }
    )*};
}
pair!(Complex32: f32 Complex64: f64);

/// Up to this many real multiplications a plain loop is faster than starting tiles.
const FEW: usize = 256;

/// Up to this many multiplications a plain loop is faster than four products.
const SMALL: usize = 2048;

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

/// Four products of the parts.
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
    let split = |x: &[T], len: usize, conj: bool| {
        let (mut re, mut im) = (room(len)?, room(len)?);
        for x in &x[..len] {
            let [x, y] = x.conj_if(conj).parts();
            re.push(x);
            im.push(y);
        }
        Ok((re, im))
    };
    let (a_re, mut a_im) = split(a, a_strides.extent(dims.m, dims.k), dims.conj_a)?;
    let (b_re, b_im) = split(b, b_strides.extent(dims.k, dims.n), dims.conj_b)?;
    let (mut re, mut im) = (room(out.len())?, room(out.len())?);
    let run = |a: &[T::Part], b: &[T::Part], to: &mut Vec<T::Part>, add| {
        let to = &mut to.spare_capacity_mut()[..out.len()];
        // SAFETY: the parts are as long as the operands, which were checked, and the result. What is added to was written
        // by the product before.
        unsafe { product(dims, (a, a_strides), (b, b_strides), to, add).run(level(), par) }
    };
    run(&a_re, &b_im, &mut im, false)?;
    run(&a_im, &b_re, &mut im, true)?;
    run(&a_re, &b_re, &mut re, false)?;
    a_im.iter_mut().for_each(|x| *x = x.neg());
    run(&a_im, &b_im, &mut re, true)?;
    // SAFETY: products write all of their result.
    unsafe {
        re.set_len(out.len());
        im.set_len(out.len());
    }
    for (out, (re, im)) in out.iter_mut().zip(re.into_iter().zip(im)) {
        out.write(T::of_parts(re, im));
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
    if dims.m.max(dims.n) >= SIDE && dims.work() > 4 * SMALL && *AVAILABLE {
        check_lens(dims, a, a_strides, b, b_strides, out);
        let product = product(dims, (a, a_strides), (b, b_strides), out, false);
        // SAFETY: as in `native`; the registers are there.
        return unsafe { product.run_amx(par) };
    }
    halves(dims, a, a_strides, b, b_strides, out, par)
}

/// Rows of the left operand that are widened at a time.
const ROWS: usize = 512;

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
    let b = widened(&b[..b_strides.extent(dims.k, dims.n)])?;
    // A few rows of a matrix with contiguous columns extend over all of it.
    let by_rows = a_strides.row >= a_strides.column;
    let rows = if by_rows { dims.m.min(ROWS) } else { dims.m };
    let mut wide: Vec<f32> = room(rows * dims.n)?;
    for (i, out) in out.chunks_mut(rows * dims.n).enumerate() {
        let dims = MatMul { m: out.len() / dims.n, ..dims };
        let a = &a[i * rows * a_strides.row..];
        let a = widened(&a[..a_strides.extent(dims.m, dims.k)])?;
        let product = &mut wide.spare_capacity_mut()[..out.len()];
        check_lens(dims, &a, a_strides, &b, b_strides, product);
        // SAFETY: as in `native`.
        unsafe {
            self::product(dims, (&a, a_strides), (&b, b_strides), product, false).run(level(), par)
        }?;
        // SAFETY: `native` has written all of the product.
        narrow(unsafe { crate::halves::written(product) }, out);
    }
    Ok(())
}

fn widened<H: Arithmetic + Half>(x: &[H]) -> Result<Vec<f32>, OutOfMemory> {
    let mut wide = room(x.len())?;
    widen(x, &mut wide.spare_capacity_mut()[..x.len()]);
    // SAFETY: `widen` has written this many.
    unsafe { wide.set_len(x.len()) };
    Ok(wide)
}

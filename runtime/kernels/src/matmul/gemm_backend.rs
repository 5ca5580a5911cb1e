//! Which algorithm serves which element type.

use super::{MatMul, MatStrides, simple};
use crate::element::{Arithmetic, Cast, Complex32, Complex64, bf16, f16};
use crate::par::Par;
use core::mem::MaybeUninit;

/// Elements that matrices can be multiplied of.
pub trait Gemm: Arithmetic {
    /// Writes a product to `out`; for [`matmul`](super::matmul), which has
    /// checked that the lengths fit and that no size is zero.
    fn gemm(
        dims: MatMul,
        a: &[Self],
        a_strides: MatStrides,
        b: &[Self],
        b_strides: MatStrides,
        out: &mut [MaybeUninit<Self>],
        par: Par,
    );
}

macro_rules! by_gemm {
    ($($t:ty)*) => {$(
        impl Gemm for $t {
            fn gemm(
                dims: MatMul,
                a: &[Self],
                a_strides: MatStrides,
                b: &[Self],
                b_strides: MatStrides,
                out: &mut [MaybeUninit<Self>],
                par: Par,
            ) {
                call_gemm(dims, a, a_strides, b, b_strides, out, par);
            }
        }
    )*};
}
by_gemm!(f32 f64 Complex32 Complex64 f16);

macro_rules! by_loops {
    ($($t:ty)*) => {$(
        impl Gemm for $t {
            fn gemm(
                dims: MatMul,
                a: &[Self],
                a_strides: MatStrides,
                b: &[Self],
                b_strides: MatStrides,
                out: &mut [MaybeUninit<Self>],
                par: Par,
            ) {
                simple::gemm(dims, a, a_strides, b, b_strides, out, par);
            }
        }
    )*};
}
by_loops!(i8 i16 i32 i64 u8 u16 u32 u64);

impl Gemm for bf16 {
    fn gemm(
        dims: MatMul,
        a: &[Self],
        a_strides: MatStrides,
        b: &[Self],
        b_strides: MatStrides,
        out: &mut [MaybeUninit<Self>],
        par: Par,
    ) {
        let a = widened(&a[..a_strides.extent(dims.m, dims.k)]);
        let b = widened(&b[..b_strides.extent(dims.k, dims.n)]);
        let mut wide = vec![MaybeUninit::new(0.0f32); out.len()];
        call_gemm(dims, &a, a_strides, &b, b_strides, &mut wide, par);
        for (out, x) in out.iter_mut().zip(&wide) {
            // SAFETY: initialized since it was made.
            out.write(Cast::<bf16>::cast(unsafe { x.assume_init() }));
        }
    }
}

fn widened(x: &[bf16]) -> Vec<f32> {
    x.iter().map(|&x| x.cast()).collect()
}

/// The product by the `gemm` crate.
fn call_gemm<T: Arithmetic>(
    dims: MatMul,
    a: &[T],
    a_strides: MatStrides,
    b: &[T],
    b_strides: MatStrides,
    out: &mut [MaybeUninit<T>],
    par: Par,
) {
    let MatMul { m, n, k, conj_a, conj_b } = dims;
    assert!(a.len() >= a_strides.extent(m, k));
    assert!(b.len() >= b_strides.extent(k, n));
    assert!(out.len() >= m * n);
    // SAFETY: the operands cover the matrices their strides describe, as just
    // checked, and so does the result, which is row-major and borrowed alone.
    // It is only written: `read_dst` is false.
    unsafe {
        gemm::gemm(
            m,
            n,
            k,
            out.as_mut_ptr().cast::<T>(),
            1,
            n as isize,
            false,
            a.as_ptr(),
            a_strides.column as isize,
            a_strides.row as isize,
            b.as_ptr(),
            b_strides.column as isize,
            b_strides.row as isize,
            T::ZERO,
            T::ONE,
            false,
            conj_a,
            conj_b,
            parallelism(par),
        );
    }
}

fn parallelism(par: Par) -> gemm::Parallelism {
    match par {
        Par::Seq => gemm::Parallelism::None,
        #[cfg(feature = "parallel")]
        // Zero stands for the threads of the current pool.
        Par::Pool => gemm::Parallelism::Rayon(0),
        #[cfg(not(feature = "parallel"))]
        Par::Pool => gemm::Parallelism::None,
    }
}

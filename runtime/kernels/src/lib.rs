//! Numeric kernels on slices and strides.
//!
//! This crate computes; it does not know tensors, graphs or run-time dtypes. Every kernel is a generic function over
//! slices, and [`table`] has them compiled for each op and element type. Results are those of TensorFlow's CPU kernels,
//! apart from the flushing of denormals and the last bits of transcendental functions.
//!
//! | module | what |
//! | --- | --- |
//! | [`element`] | the element types and their scalar operations |
//! | [`elementwise`] | `map`, `zip`, broadcasting `zip`, three-way `select` |
//! | [`broadcast`] | the plans the broadcasting kernels run |
//! | [`fused`] | chains of elementwise functions, block by block |
//! | [`reduce`] | sums, products, extrema, arg-reductions and scans |
//! | [`movement`] | strided copies, concatenation, gather, scatter, tile, pad |
//! | [`order`] | largest elements, distinct elements, places in sorted rows |
//! | [`matmul`] | matrix products, single and batched |
//! | [`conv`] | convolutions and their gradients |
//! | [`attention`] | scaled dot-product attention without all scores |
//! | [`table`] | the functions of every op, a table an op with an entry a type |
//! | [`softmax`] | rows of exponentials that sum up to one, cross entropies |
//! | `factor` (feature `linalg`) | factorizations of matrices, systems of equations, eigenvalues |
//! | `fourier` (feature `fft`) | discrete Fourier transforms |
//! | [`image`] | resampling, colours and projective maps of images |
//! | [`registers`] | programs on scalars |
//! | [`random`] | Philox4x32-10 and the distributions drawn from it |
//!
//! # Conventions
//!
//! * An output is a `&mut [MaybeUninit<R>]`. A kernel that returns normally has
//!   written **every** element of it; a kernel that reports an error or panics
//!   may have written any part. No kernel allocates its result. The few kernels
//!   that need working memory report its lack as [`OutOfMemory`].
//! * A length that does not fit the given shapes is a bug of the caller and
//!   panics. An error that depends on the *values* of a tensor (an index out of
//!   range) is returned. If one size is zero the others may be of any size:
//!   elements that do not exist are not counted.
//! * [`Par`] says whether a kernel may use the current rayon pool. Results do
//!   not depend on it, nor on the number of threads. Only the summation order
//!   inside floating-point matrix products may.
//! * Loops that gain by it are compiled once per CPU level and picked at run time. The
//!   polynomials fuse multiply-adds at every CPU level, so that all of them and
//!   every length give the same bits.
//!
//! # Passing operations
//!
//! A loop becomes vector code only if the operation is inlined into it. The compiler decides by itself whether to
//! inline a closure or a function passed by its path, and does not inline the larger ones. So pass them by the macro
//! [`op!`], or write `#[inline(always)]` before the closure:
//!
//! ```
//! use core::mem::MaybeUninit;
//! use extype_kernels::element::{Arithmetic, Transcendental};
//! use extype_kernels::{Par, elementwise, op};
//!
//! let x = [0.0f32; 100];
//! let mut y = [MaybeUninit::uninit(); 100];
//! elementwise::map(&x, &mut y, Par::Seq, op!(Transcendental::exp));
//! elementwise::zip(&x, &x, &mut y, Par::Seq, op!(Arithmetic::add, 2));
//! elementwise::map(
//!     &x,
//!     &mut y,
//!     Par::Seq,
//!     #[inline(always)]
//!     |x: f32| x * 2.0 + 1.0,
//! );
//! ```

/// A function of one argument, or of two with `op!(path, 2)`, as a closure that
/// is always inlined.
#[macro_export]
macro_rules! op {
    ($function:expr) => {{
        #[inline(always)]
        |x| ($function)(x)
    }};
    ($function:expr, 2) => {{
        #[inline(always)]
        |x, y| ($function)(x, y)
    }};
}

// Its macros are for all modules.
#[macro_use]
pub mod element;

pub mod attention;
pub mod broadcast;
pub mod conv;
mod counter;
pub mod elementwise;
#[cfg(feature = "linalg")]
pub mod factor;
#[cfg(feature = "fft")]
pub mod fourier;
pub mod fused;
mod halves;
pub mod image;
mod math;
pub mod matmul;
mod memory;
pub mod movement;
pub mod order;
mod par;
pub mod random;
pub mod reduce;
pub mod registers;
pub mod segment;
mod size;
pub mod softmax;
mod stream;
pub mod table;
#[cfg(test)]
mod testing;

pub use element::{
    Arithmetic, Cast, CastTruncating, Complex32, Complex64, Element, Float, Integer, Quantized,
    Real, Transcendental, bf16, f8e4m3fn, f8e5m2, f16,
};
pub use math::special::{NextAfter, Special};
pub use memory::{OutOfMemory, Recycled, WorkVec, give_back, keep_at_most, on_shortage};
pub use par::{Par, run_task};

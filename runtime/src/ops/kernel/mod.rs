//! From arrays to slices: the kernels of the op table, which pick the element type and hand over
//! to `extype-kernels`.

pub(super) mod blocks;
pub(super) mod counting;
pub(super) mod diagonal;
pub(super) mod einsum;
pub(super) mod elementwise;
pub(super) mod indices;
pub(super) mod linear;
pub(super) mod movement;
pub(super) mod ordering;
pub(super) mod other;
pub(super) mod random;
pub(super) mod reduce;
pub(super) mod scan;
pub(super) mod scatter;
pub(super) mod slicing;
pub(super) mod softmax;
pub(super) mod special;

pub(super) use other::range_len;

/// What a kernel answers that needs memory to work in.
fn worked<T>(result: Result<T, extype_kernels::OutOfMemory>) -> crate::types::Result<T> {
    result.map_err(|e| crate::types::err!(ResourceExhausted, "{e}"))
}

/// Runs a block with `$t` bound to the element type, for the dtypes of a set; others have no
/// kernel.
macro_rules! typed {
    (@match $c:expr, $d:expr, $t:ident => $body:expr, $($dt:ident $e:ty),*) => {
        match $d {
            $($crate::types::DType::$dt => { type $t = $e; $body })*
            _ => Err($crate::op::no_kernel($c)),
        }
    };
    (integer, $c:expr, $d:expr, $t:ident => $b:expr) => {
        typed!(@match $c, $d, $t => $b, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64)
    };
    (wide_integer, $c:expr, $d:expr, $t:ident => $b:expr) => {
        typed!(@match $c, $d, $t => $b, I32 i32, I64 i64, U32 u32, U64 u64)
    };
    (float, $c:expr, $d:expr, $t:ident => $b:expr) => {
        typed!(@match $c, $d, $t => $b, F16 half::f16, BF16 half::bf16, F32 f32, F64 f64)
    };
    (inexact, $c:expr, $d:expr, $t:ident => $b:expr) => {
        typed!(@match $c, $d, $t => $b, F32 f32, F64 f64, F16 half::f16, BF16 half::bf16,
            Complex64 num_complex::Complex32, Complex128 num_complex::Complex64)
    };
    (real, $c:expr, $d:expr, $t:ident => $b:expr) => {
        typed!(@match $c, $d, $t => $b, F32 f32, F64 f64, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8,
            U16 u16, U32 u32, U64 u64, F16 half::f16, BF16 half::bf16)
    };
    (ordered, $c:expr, $d:expr, $t:ident => $b:expr) => {
        typed!(@match $c, $d, $t => $b, F32 f32, F64 f64, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8,
            U16 u16, U32 u32, U64 u64, F16 half::f16, BF16 half::bf16, Bool bool)
    };
    (numeric, $c:expr, $d:expr, $t:ident => $b:expr) => {
        typed!(@match $c, $d, $t => $b, F32 f32, F64 f64, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8,
            U16 u16, U32 u32, U64 u64, F16 half::f16, BF16 half::bf16,
            Complex64 num_complex::Complex32, Complex128 num_complex::Complex64)
    };
    (plain, $c:expr, $d:expr, $t:ident => $b:expr) => {
        typed!(@match $c, $d, $t => $b, F32 f32, F64 f64, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8,
            U16 u16, U32 u32, U64 u64, F16 half::f16, BF16 half::bf16, Bool bool,
            Complex64 num_complex::Complex32, Complex128 num_complex::Complex64)
    };
}
pub(super) use typed;

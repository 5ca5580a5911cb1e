//! Dtypes under the names of Rust's types, so that `x.cast(f32)` reads as it should. They live
//! in the namespace of values and don't shadow the types.

#![expect(non_upper_case_globals, reason = "named as the Rust types they stand for")]

use super::DType;

macro_rules! dtypes {
    ($($name:ident = $d:ident),* $(,)?) => {
        $(#[doc = concat!("The dtype `", stringify!($name), "`.")]
        pub const $name: DType = DType::$d;)*
    };
}
dtypes!(
    bool = Bool,
    i8 = I8,
    i16 = I16,
    i32 = I32,
    i64 = I64,
    u8 = U8,
    u16 = U16,
    u32 = U32,
    u64 = U64,
    f16 = F16,
    bf16 = BF16,
    f32 = F32,
    f64 = F64
);

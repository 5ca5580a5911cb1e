//! Dtypes under the names of Rust's types, so that `x.cast(f32)` reads as it should. They live
//! in the namespace of values and don't shadow the types. Complex numbers have TensorFlow's names. The quantized ones
//! stand in [`quantized`](super::quantized).

#![expect(non_upper_case_globals, reason = "named as the Rust types they stand for")]

use super::DType;
use super::dtype::dtype_list;

/// Constants for the dtypes of a set.
macro_rules! named {
    ([$set:ident] $($(#[$doc:meta])* $variant:ident = $number:literal $name:literal $kind:ident
        [$($element:ty as $rust:ident)?];)*) => {
        $($(extype_kernels::in_set! { $set $variant $kind {
            #[doc = concat!("The dtype `", stringify!($rust), "`.")]
            pub const $rust: DType = DType::$variant;
        } {} })?)*
    };
}
pub(super) use named;
dtype_list!([named] tabled);

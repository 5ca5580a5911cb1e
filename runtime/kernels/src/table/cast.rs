//! Conversions between all element types.

use super::{Kind, Table, Tabled, UnaryTo, tables};
use crate::element::{Cast, CastTruncating, Complex32, Complex64, Element, bf16, f16};
use crate::elementwise::map;

/// An element type that every other can be converted to.
pub trait CastTarget: Element {
    /// The conversions to this type, from each type.
    fn casts() -> &'static Table<UnaryTo<Self>>;
}

macro_rules! targets {
    ($($field:ident: $r:ty),*) => {$(
        impl CastTarget for $r {
            fn casts() -> &'static Table<UnaryTo<$r>> {
                static CASTS: Table<UnaryTo<$r>> = tables!(@plain UnaryTo<$r>, T, |x, out, par| {
                    map(x, out, par, #[inline(always)] |x: T| Cast::<$r>::cast(x));
                });
                &CASTS
            }
        }
    )*};
}
super::element_types!(targets);

/// The conversion from `T` to `R`, which all pairs of types have.
pub fn cast_fn<T: Tabled, R: CastTarget>() -> Option<super::MapFn<T, R>> {
    T::entry(R::casts())
}

macro_rules! cuts {
    ($($name:ident = $set:ident => $r:ident;)*) => {$(
        tables! { UnaryTo<$r>,
            #[doc = concat!("[`CastTruncating`] to ", stringify!($r), ".")]
            $name = $set, |T| |x, out, par| map(x, out, par,
                #[inline(always)]
                |x: T| CastTruncating::<$r>::cast_truncating(x));
        }
    )*};
}
cuts! {
    CUT_TO_F32 = double => f32;
    CUT_TO_F16 = native => f16;
    CUT_TO_BF16 = native => bf16;
}

//! Conversions between all element types.

use super::{MapFn, MapToSignature, Signature, Table, Tabled, tables};
use crate::element::{
    Cast, CastTruncating, Complex32, Complex64, Element, bf16, f8e4m3fn, f8e5m2, f16,
};
use crate::elementwise::{map_blocks, map_in};
use crate::halves::{narrow, widen, written};
use crate::par::Par;
use core::mem::MaybeUninit;

/// An element type to which every other can be converted.
pub trait CastTarget: Element {
    /// The conversions to this type, from each type.
    fn casts() -> &'static Table<MapToSignature<Self>>;
}

/// The conversions to a type, from each type in order. `direct` ones have their own loop, and `levels` ones have it
/// compiled for each CPU level. `bytes` ones read a bool as the byte 0 or 1. The others go by way of another type, with
/// the same result: integers wrap alike in one step or two, small ones are exact in 32 bits, halves are defined by
/// `f32`, and complex numbers by their real part.
macro_rules! targets {
    ($($to:ty = $bool:ident $i8:ident $i16:ident $i32:ident $i64:ident $u8:ident $u16:ident
        $u32:ident $u64:ident $f16:ident $bf16:ident $f32:ident $f64:ident $c32:ident $c64:ident
        $f8e5m2:ident $f8e4m3fn:ident;)*
    ) => {$(
        impl CastTarget for $to {
            fn casts() -> &'static Table<MapToSignature<$to>> {
                static CASTS: Table<MapToSignature<$to>> = Table {
                    bool: Some(targets!(bool $bool $to)),
                    i8: Some(targets!(i8 $i8 $to)),
                    i16: Some(targets!(i16 $i16 $to)),
                    i32: Some(targets!(i32 $i32 $to)),
                    i64: Some(targets!(i64 $i64 $to)),
                    u8: Some(targets!(u8 $u8 $to)),
                    u16: Some(targets!(u16 $u16 $to)),
                    u32: Some(targets!(u32 $u32 $to)),
                    u64: Some(targets!(u64 $u64 $to)),
                    f16: Some(targets!(f16 $f16 $to)),
                    bf16: Some(targets!(bf16 $bf16 $to)),
                    f32: Some(targets!(f32 $f32 $to)),
                    f64: Some(targets!(f64 $f64 $to)),
                    complex32: Some(targets!(Complex32 $c32 $to)),
                    complex64: Some(targets!(Complex64 $c64 $to)),
                    f8e5m2: Some(targets!(f8e5m2 $f8e5m2 $to)),
                    f8e4m3fn: Some(targets!(f8e4m3fn $f8e4m3fn $to)),
                };
                &CASTS
            }
        }
    )*};
    ($from:ident direct $to:ty) => {
        |x, out, par| map_in::<{ <$from as Element>::LEVELS }, _, _, _>(
            x, out, par, #[inline(always)] |x: $from| Cast::<$to>::cast(x),
        )
    };
    ($from:ident levels $to:ty) => {
        |x, out, par| map_in::<true, _, _, _>(
            x, out, par, #[inline(always)] |x: $from| Cast::<$to>::cast(x),
        )
    };
    ($from:ident widen $to:ty) => { |x, out, par| map_blocks(x, out, par, &widen) };
    ($from:ident narrow $to:ty) => { |x, out, par| map_blocks(x, out, par, &narrow) };
    ($from:ident bytes $to:ty) => { |x, out, par| step::<u8, $to>()(bytes(x), out, par) };
    ($from:ident $via:ident $to:ty) => { by_way_of::<$from, $via, $to> };
}
type C32 = Complex32;
type C64 = Complex64;
type E5M2 = f8e5m2;
type E4M3 = f8e4m3fn;

#[rustfmt::skip]
targets! {
//     bool   i8     i16    i32    i64    u8     u16    u32    u64    f16    bf16   f32    f64    c32    c64    e5m2   e4m3
bool = direct i64    i64    direct direct direct i64    i64    i64    f32    f32    direct direct f32    f64    f32    f32;
i8   = bytes  direct i64    i64    direct i64    i64    i64    i64    f32    f32    direct direct f32    f64    f32    f32;
i16  = bytes  i64    direct i64    direct i64    i64    i64    i64    f32    f32    direct direct f32    f64    f32    f32;
i32  = bytes  direct direct direct direct levels direct i64    i64    f32    f32    direct levels f32    f64    f32    f32;
i64  = bytes  direct direct direct direct levels direct direct direct f32    f32    direct direct f32    f64    f32    f32;
u8   = bytes  i64    i64    direct direct direct i64    i64    i64    f32    f32    direct direct f32    f64    f32    f32;
u16  = bytes  i64    i64    i64    direct i64    direct i64    i64    f32    f32    direct direct f32    f64    f32    f32;
u32  = bytes  i64    i64    i64    direct i64    i64    direct i64    f32    f32    direct direct f32    f64    f32    f32;
u64  = bytes  i64    i64    i64    direct i64    i64    i64    direct f32    f32    direct direct f32    f64    f32    f32;
f16  = bytes  f32    f32    f32    f32    f32    f32    f32    f32    direct f32    narrow f32    f32    f64    f32    f32;
bf16 = bytes  f32    f32    f32    f32    f32    f32    f32    f32    f32    direct narrow f32    f32    f64    f32    f32;
f32  = direct direct direct direct direct levels direct direct direct widen  widen  direct direct direct f64    direct direct;
f64  = bytes  i32    i32    direct direct levels i32    direct direct f32    f32    direct direct f32    direct f32    f32;
C32  = bytes  f32    f32    f32    f32    f32    f32    f32    f32    f32    f32    direct f32    direct direct f32    f32;
C64  = bytes  f64    f64    f64    f64    f64    f64    f64    f64    f64    f64    f64    direct direct direct f64    f64;
E5M2 = bytes  f32    f32    f32    f32    f32    f32    f32    f32    f32    f32    direct direct f32    f64    direct f32;
E4M3 = bytes  f32    f32    f32    f32    f32    f32    f32    f32    f32    f32    direct direct f32    f64    f32    direct;
}

/// The conversion from `A` to `R`, which exists for all pairs of types.
fn step<A: Tabled, R: CastTarget>() -> MapFn<A, R> {
    A::entry(R::casts()).expect("each type can be converted to each")
}

/// Conversion in two steps, block by block.
fn by_way_of<A: Tabled, M: CastTarget + Tabled, R: CastTarget>(
    x: &[A],
    out: &mut [MaybeUninit<R>],
    par: Par,
) {
    const BLOCK: usize = 256;
    let (first, second) = (step::<A, M>(), step::<M, R>());
    map_blocks(x, out, par, &|x, out| {
        let mut room = [const { MaybeUninit::uninit() }; BLOCK];
        for (x, out) in x.chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
            let room = &mut room[..x.len()];
            first(x, room, Par::Seq);
            // SAFETY: kernels write every element of their result.
            second(unsafe { written(room) }, out, Par::Seq);
        }
    });
}

/// Bools as the bytes in memory.
fn bytes(x: &[bool]) -> &[u8] {
    // SAFETY: a bool is a byte, 0 or 1.
    unsafe { &*(core::ptr::from_ref(x) as *const [u8]) }
}

macro_rules! cuts {
    ($($name:ident = $set:ident => $r:ident;)*) => {$(
        tables! { MapToSignature<$r>,
            #[doc = concat!("[`CastTruncating`] to ", stringify!($r), ".")]
            $name = $set, |T| |x, out, par| map_in::<false, _, _, _>(x, out, par,
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

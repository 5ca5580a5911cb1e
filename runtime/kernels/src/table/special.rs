//! Special functions.
//!
//! They are called by pointer: inlining such large functions gains nothing, and one loop for each type serves all of
//! them.

use super::{MapSignature, Signature, Table, ZipSignature, by_f32, tables};
use crate::element::Float;
use crate::elementwise::{map_in, paired_in};
use crate::halves::{map_by_f32, zip_by_f32};
use crate::math::special::{NextAfter, Special};

macro_rules! unary {
    ($($name:ident = $tr:ident::$f:ident;)*) => {
        tables! { MapSignature, $(
            #[doc = concat!("[`", stringify!($tr), "::", stringify!($f), "`].")]
            $name = float, |T| |x, out, par| {
                map_in::<false, _, _, _>(x, out, par, <T as $tr>::$f as fn(T) -> T);
            }, half |x, out, par| map_by_f32(x, out, par, by_f32(&$name));
        )* }
    };
}

macro_rules! binary {
    ($($name:ident = $set:ident $tr:ident::$f:ident;)*) => {
        tables! { ZipSignature, $(
            #[doc = concat!("[`", stringify!($tr), "::", stringify!($f), "`].")]
            $name = $set, |T| |x, y, pairing, out, par| {
                let f = <T as $tr>::$f as fn(T, T) -> T;
                paired_in::<false, false, _, _, _>(x, y, pairing, out, par, f);
            }, half |x, y, pairing, out, par| {
                zip_by_f32(x, y, pairing, out, par, by_f32(&$name));
            };
        )* }
    };
}

unary! {
    LGAMMA = Float::lgamma;
    DIGAMMA = Special::digamma;
    ERFINV = Special::erfinv;
    NDTRI = Special::ndtri;
    BESSEL_I0 = Special::bessel_i0;
    BESSEL_I0E = Special::bessel_i0e;
    BESSEL_I1 = Special::bessel_i1;
    BESSEL_I1E = Special::bessel_i1e;
    BESSEL_J0 = Special::bessel_j0;
    BESSEL_J1 = Special::bessel_j1;
    BESSEL_K0 = Special::bessel_k0;
    BESSEL_K0E = Special::bessel_k0e;
    BESSEL_K1 = Special::bessel_k1;
    BESSEL_K1E = Special::bessel_k1e;
    BESSEL_Y0 = Special::bessel_y0;
    BESSEL_Y1 = Special::bessel_y1;
    DAWSN = Special::dawsn;
    EXPINT = Special::expint;
    FRESNEL_COS = Special::fresnel_cos;
    FRESNEL_SIN = Special::fresnel_sin;
    SPENCE = Special::spence;
}

binary! {
    IGAMMA = float Special::igamma;
    IGAMMAC = float Special::igammac;
    IGAMMA_GRAD_A = float Special::igamma_grad_a;
    GAMMA_SAMPLE_GRAD = float Special::gamma_sample_grad;
    ZETA = float Special::zeta;
    POLYGAMMA = float Special::polygamma;
    NEXT_AFTER = native NextAfter::next_after;
}

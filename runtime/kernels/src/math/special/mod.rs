//! Special functions.
//!
//! They are computed in double precision and are within a few units in its last place, except near roots where terms
//! cancel: there the error is small compared with the terms. Narrower types round the result.

mod bessel;
mod beta;
mod chebyshev;
mod fresnel;
mod gamma;
mod incomplete_gamma;
mod integrals;
mod inverse;
mod neighbour;
#[cfg(test)]
mod tests;

pub use neighbour::NextAfter;

use crate::element::{Cast, Float, bf16, f16};

/// Declares the trait and implements it for the types, by way of `f64`.
macro_rules! special {
    ($types:tt $functions:tt) => {
        special!(@declare $functions);
        special!(@each $types $functions);
    };
    (@declare {$($(#[$doc:meta])* $name:ident($($arg:ident),*) = $path:path;)*}) => {
        /// Special functions of real floating-point numbers.
        pub trait Special: Float {
            $($(#[$doc])* fn $name(self $(, $arg: Self)*) -> Self;)*
        }
    };
    (@each [$($t:ident)*] $functions:tt) => {$(
        special!(@implement $t $functions);
    )*};
    (@implement $t:ident {$($(#[$doc:meta])* $name:ident($($arg:ident),*) = $path:path;)*}) => {
        impl Special for $t {$(
            fn $name(self $(, $arg: Self)*) -> Self {
                $path(Cast::<f64>::cast(self) $(, Cast::<f64>::cast($arg))*).cast()
            }
        )*}
    };
}

special! {
    [f32 f64 f16 bf16]
    {
        /// The derivative of `log Γ`; NaN at the poles.
        digamma() = gamma::digamma;
        /// The derivative of order `self` of digamma at `x`; NaN unless the
        /// order is a natural number.
        polygamma(x) = gamma::polygamma;
        /// Hurwitz's zeta function `Σ (q + k)⁻ˢ`, where s is `self`.
        zeta(q) = gamma::zeta;
        /// The inverse of the error function.
        erfinv() = inverse::erfinv;
        /// The quantile function of the normal distribution.
        ndtri() = inverse::ndtri;
        /// The lower regularised incomplete gamma function `P(self, x)`.
        igamma(x) = incomplete_gamma::igamma;
        /// The upper regularised incomplete gamma function `Q(self, x)`.
        igammac(x) = incomplete_gamma::igammac;
        /// The derivative of [`Special::igamma`] with respect to its first argument.
        igamma_grad_a(x) = incomplete_gamma::igamma_grad_a;
        /// How a number `x` drawn from the gamma distribution of shape `self` moves with the shape.
        gamma_sample_grad(x) = incomplete_gamma::gamma_sample_grad;
        /// The regularised incomplete beta function `I(x; self, b)`.
        betainc(b, x) = beta::betainc;
        /// The modified Bessel function of the first kind `I₀`.
        bessel_i0() = bessel::bessel_i0;
        /// `e^-|x| I₀(x)`.
        bessel_i0e() = bessel::bessel_i0e;
        /// The modified Bessel function of the first kind `I₁`.
        bessel_i1() = bessel::bessel_i1;
        /// `e^-|x| I₁(x)`.
        bessel_i1e() = bessel::bessel_i1e;
        /// The Bessel function of the first kind `J₀`.
        bessel_j0() = libm::j0;
        /// The Bessel function of the first kind `J₁`.
        bessel_j1() = libm::j1;
        /// The modified Bessel function of the second kind `K₀`.
        bessel_k0() = bessel::bessel_k0;
        /// `eˣ K₀(x)`.
        bessel_k0e() = bessel::bessel_k0e;
        /// The modified Bessel function of the second kind `K₁`.
        bessel_k1() = bessel::bessel_k1;
        /// `eˣ K₁(x)`.
        bessel_k1e() = bessel::bessel_k1e;
        /// The Bessel function of the second kind `Y₀`.
        bessel_y0() = libm::y0;
        /// The Bessel function of the second kind `Y₁`.
        bessel_y1() = libm::y1;
        /// Dawson's function: `e^(-x²)` times the integral of `e^(t²)` from 0
        /// to x.
        dawsn() = integrals::dawsn;
        /// The exponential integral `Ei`; NaN left of zero.
        expint() = integrals::expint;
        /// The integral of `cos(π/2 t²)` from 0 to x.
        fresnel_cos() = fresnel::fresnel_cos;
        /// The integral of `sin(π/2 t²)` from 0 to x.
        fresnel_sin() = fresnel::fresnel_sin;
        /// Spence's function: the integral of `log t / (1 - t)` from 1 to x.
        spence() = integrals::spence;
    }
}

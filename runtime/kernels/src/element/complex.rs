//! The operations of complex numbers.

use super::{Arithmetic, Complex32, Complex64, Transcendental};
use crate::math::plane;
use num_complex::Complex;

/// Functions in [`plane`], which compute in `f64`.
macro_rules! calls {
    ($($method:ident = $function:ident),* $(,)?) => {$(
        #[inline]
        fn $method(self) -> Self {
            let z = plane::$function(Complex64::new(self.re.into(), self.im.into()));
            Complex::new(z.re as _, z.im as _)
        }
    )*};
}

macro_rules! complex {
    ($c:ident, $t:ident) => {
        impl Arithmetic for $c {
            const ZERO: Self = Complex { re: 0.0, im: 0.0 };
            const ONE: Self = Complex { re: 1.0, im: 0.0 };
            #[inline(always)]
            fn add(self, rhs: Self) -> Self {
                self + rhs
            }
            #[inline(always)]
            fn sub(self, rhs: Self) -> Self {
                self - rhs
            }
            #[inline(always)]
            fn mul(self, rhs: Self) -> Self {
                self * rhs
            }
            #[inline(always)]
            fn neg(self) -> Self {
                -self
            }
        }

        impl Transcendental for $c {
            calls! {
                exp = exp, log = log, sqrt = sqrt, sin = sin, cos = cos,
                tan = tan, asin = asin, acos = acos, atan = atan, sinh = sinh, cosh = cosh,
                tanh = tanh, asinh = asinh, acosh = acosh, atanh = atanh,
            }
            /// Smith's method: the parts of the divisor are divided by the larger of them, so that no square overflows.
            #[inline]
            fn div(self, rhs: Self) -> Self {
                let (a, b, c, d) = (self.re, self.im, rhs.re, rhs.im);
                if c.abs() >= d.abs() {
                    if c == 0.0 && d == 0.0 {
                        return Complex::new(a / c.abs(), b / c.abs());
                    }
                    let ratio = d / c;
                    let scale = 1.0 / (c + d * ratio);
                    Complex::new((a + b * ratio) * scale, (b - a * ratio) * scale)
                } else {
                    let ratio = c / d;
                    let scale = 1.0 / (d + c * ratio);
                    Complex::new((a * ratio + b) * scale, (b * ratio - a) * scale)
                }
            }
            /// `eˣ - 1` without cancellation: the real part is
            /// `expm1(a)·cos(b) - 2·sin²(b/2)`.
            #[inline]
            fn expm1(self) -> Self {
                let (sin_half, grown) = ((self.im * 0.5).sin(), self.re.exp_m1());
                let re = grown * self.im.cos() - 2.0 * sin_half * sin_half;
                Complex::new(re, self.re.exp() * self.im.sin())
            }
            /// The real part is `log1p((2 + a)·a + b²) / 2`.
            #[inline]
            fn log1p(self) -> Self {
                let re = 0.5 * ((2.0 + self.re) * self.re + self.im * self.im).ln_1p();
                Complex::new(re, self.im.atan2(1.0 + self.re))
            }
            #[inline(always)]
            fn reciprocal(self) -> Self {
                Transcendental::div(Self::ONE, self)
            }
            #[inline(always)]
            fn rsqrt(self) -> Self {
                Transcendental::reciprocal(Transcendental::sqrt(self))
            }
            #[inline(always)]
            fn sigmoid(self) -> Self {
                Transcendental::reciprocal(Self::ONE + Transcendental::exp(-self))
            }
            /// Small integer powers are products.
            #[inline]
            fn pow(self, exponent: Self) -> Self {
                if exponent == Self::ZERO {
                    return Self::ONE;
                }
                let n = exponent.re;
                if self == Self::ZERO {
                    let is_zero = n > 0.0 && exponent.im == 0.0;
                    return if is_zero { Self::ZERO } else { Complex::new($t::NAN, $t::NAN) };
                }
                if exponent.im == 0.0 && n == n.trunc() && n.abs() < 100.0 {
                    let power = self.powu(n.abs() as u32);
                    return if n < 0.0 { Transcendental::reciprocal(power) } else { power };
                }
                Transcendental::exp(exponent * Transcendental::log(self))
            }
        }
    };
}
complex!(Complex32, f32);
complex!(Complex64, f64);

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: Complex64, want: Complex64) {
        assert!((got - want).norm() <= 1e-14 * want.norm().max(1e-300), "{got} {want}");
    }

    #[test]
    fn small_arguments_keep_their_digits() {
        let x = Complex64::new(1e-9, 2e-9);
        close(x.expm1(), x + x * x / 2.0);
        close(x.log1p(), x - x * x / 2.0);
    }

    #[test]
    fn far_out_nothing_overflows() {
        let z = Complex64::new(1e200, 1e200);
        close(Transcendental::div(z, z), Complex64::ONE);
        close(Transcendental::reciprocal(z), Complex64::new(5e-201, -5e-201));
        close(Complex64::new(1.0, 2.0).pow(Complex64::new(2.0, 0.0)), Complex64::new(-3.0, 4.0));
    }

    #[test]
    fn identities() {
        let x = Complex64::new(0.7, -1.3);
        close(x.expm1() + 1.0, x.exp());
        close(x.log1p(), (x + 1.0).ln());
        close(Transcendental::rsqrt(x) * Transcendental::sqrt(x), Complex64::ONE);
        close(x.sigmoid() + (-x).sigmoid(), Complex64::ONE);
    }
}

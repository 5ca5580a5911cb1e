//! The operations of complex numbers.

use super::{Arithmetic, Complex32, Complex64, Transcendental};
use num_complex::Complex;

/// Methods that `num_complex` has, under its name.
macro_rules! calls {
    ($($method:ident = $function:ident),* $(,)?) => {$(
        #[inline(always)]
        fn $method(self) -> Self {
            Complex::$function(self)
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
                exp = exp, log = ln, sqrt = sqrt, sin = sin, cos = cos,
                tan = tan, asin = asin, acos = acos, atan = atan, sinh = sinh, cosh = cosh,
                tanh = tanh, asinh = asinh, acosh = acosh, atanh = atanh,
            }
            #[inline(always)]
            fn div(self, rhs: Self) -> Self {
                self / rhs
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
                self.inv()
            }
            #[inline(always)]
            fn rsqrt(self) -> Self {
                self.sqrt().inv()
            }
            #[inline(always)]
            fn sigmoid(self) -> Self {
                (Self::ONE + (-self).exp()).inv()
            }
            #[inline(always)]
            fn pow(self, exponent: Self) -> Self {
                self.powc(exponent)
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
    fn identities() {
        let x = Complex64::new(0.7, -1.3);
        close(x.expm1() + 1.0, x.exp());
        close(x.log1p(), (x + 1.0).ln());
        close(Transcendental::rsqrt(x) * Transcendental::sqrt(x), Complex64::ONE);
        close(x.sigmoid() + (-x).sigmoid(), Complex64::ONE);
    }
}

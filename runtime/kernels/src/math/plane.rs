//! Elementary functions of complex numbers, with the branch cuts of C's Annex G: the sign of a zero selects the side of
//! a cut.
//!
//! The inverse functions are W. Kahan's ("Branch Cuts for Complex Elementary Functions", 1987), which
//! keep both parts exact near the cuts and do not overflow.

use core::f64::consts::{FRAC_PI_2, LN_2};
use num_complex::Complex64 as C;

/// Beyond this, squares may overflow and `1 + z` equals `z` closely enough.
const LARGE: f64 = 4.5e153;
/// Beyond this, a hyperbolic cosine may overflow.
const LOG_LARGE: f64 = 708.0;

/// `a · b`, but zero where one factor is zero, even if the other is infinite or NaN.
fn product(a: f64, b: f64) -> f64 {
    if a != 0.0 && b != 0.0 {
        a * b
    } else if a.is_sign_negative() == b.is_sign_negative() {
        0.0
    } else {
        -0.0
    }
}

/// True if the angle is undefined: the real part is infinite and the imaginary part is not finite.
fn is_lost(z: C) -> bool {
    z.re.is_infinite() && !z.im.is_finite()
}

/// `i · z`.
fn turned(z: C) -> C {
    C::new(-z.im, z.re)
}

/// `-i · z`.
fn turned_back(z: C) -> C {
    C::new(z.im, -z.re)
}

/// `log |z|` for large `z`, without overflow.
fn log_far(z: C) -> f64 {
    (z.re / 4.0).hypot(z.im / 4.0).ln() + 2.0 * LN_2
}

fn is_far(z: C) -> bool {
    z.re.abs() > LARGE || z.im.abs() > LARGE
}

pub(crate) fn exp(z: C) -> C {
    if z.im == 0.0 {
        return C::new(z.re.exp(), z.im);
    }
    if z.re > LOG_LARGE && z.re.is_finite() {
        // In two steps: the cosine may bring an overflowing value back into range.
        let (far, near) = ((z.re - LOG_LARGE).exp(), LOG_LARGE.exp());
        return C::new(near * z.im.cos() * far, near * z.im.sin() * far);
    }
    z.exp()
}

pub(crate) fn log(z: C) -> C {
    let size = if is_far(z) { log_far(z) } else { z.re.hypot(z.im).ln() };
    C::new(size, z.im.atan2(z.re))
}

pub(crate) fn sqrt(z: C) -> C {
    let (x, y) = (z.re.abs(), z.im.abs());
    if y.is_infinite() {
        return C::new(f64::INFINITY, z.im);
    }
    if x == 0.0 && y == 0.0 {
        return C::new(0.0, z.im);
    }
    let tiny = x < f64::MIN_POSITIVE && y < f64::MIN_POSITIVE;
    let s = if tiny {
        // The scale is a square number, large enough for the sum to keep its digits.
        const SCALE: f64 = 18_014_398_509_481_984.0;
        let (x, y) = (x * SCALE, y * SCALE);
        ((x + x.hypot(y)) / 2.0).sqrt() / SCALE.sqrt()
    } else {
        2.0 * (x / 8.0 + (x / 8.0).hypot(y / 8.0)).sqrt()
    };
    // If one part is infinite, the other is zero.
    let d = if s.is_infinite() && !y.is_nan() { 0.0 } else { y / (2.0 * s) };
    if z.re.is_sign_negative() && !z.re.is_nan() {
        C::new(d, s.copysign(z.im))
    } else {
        C::new(s, d.copysign(z.im))
    }
}

pub(crate) fn sinh(z: C) -> C {
    if is_lost(z) {
        return C::new(f64::INFINITY, f64::NAN);
    }
    let (sin, cos) = z.im.sin_cos();
    if z.re.abs() > LOG_LARGE && z.re.is_finite() {
        let grown = exp(C::new(z.re.abs(), z.im)) * 0.5;
        return C::new(grown.re * z.re.signum(), grown.im);
    }
    C::new(product(cos, z.re.sinh()), product(z.re.cosh(), sin))
}

pub(crate) fn cosh(z: C) -> C {
    if is_lost(z) {
        return C::new(f64::INFINITY, f64::NAN);
    }
    let (sin, cos) = z.im.sin_cos();
    if z.re.abs() > LOG_LARGE && z.re.is_finite() {
        let grown = exp(C::new(z.re.abs(), z.im)) * 0.5;
        return C::new(grown.re, grown.im * z.re.signum());
    }
    C::new(z.re.cosh() * cos, product(z.re.sinh(), sin))
}

pub(crate) fn tanh(z: C) -> C {
    if is_lost(z) {
        return C::new(1f64.copysign(z.re), 0f64.copysign(z.im));
    }
    if z.re.abs() > LOG_LARGE {
        let im = z.im.sin() * z.im.cos() * 4.0 * (-2.0 * z.re.abs()).exp();
        return C::new(if im.is_nan() { im } else { 1f64.copysign(z.re) }, im);
    }
    if z.im == 0.0 {
        return C::new(z.re.tanh(), z.im);
    }
    let (a, b, c) = (z.re.tanh(), z.im.tan(), 1.0 / z.re.cosh());
    let both = a * b;
    let below = 1.0 + both * both;
    let re = if z.re == 0.0 { z.re } else { a * (1.0 + b * b) / below };
    C::new(re, b / below * c * c)
}

pub(crate) fn sin(z: C) -> C {
    turned_back(sinh(turned(z)))
}

pub(crate) fn cos(z: C) -> C {
    cosh(turned(z))
}

pub(crate) fn tan(z: C) -> C {
    turned_back(tanh(turned(z)))
}

pub(crate) fn asinh(z: C) -> C {
    if is_far(z) {
        return C::new((log_far(z) + LN_2).copysign(z.re), z.im.atan2(z.re.abs()));
    }
    let (s, t) = (sqrt(C::new(1.0 + z.im, -z.re)), sqrt(C::new(1.0 - z.im, z.re)));
    let re = (s.re * t.im - t.re * s.im).asinh();
    let im = if z.im == 0.0 { z.im } else { z.im.atan2(s.re * t.re - s.im * t.im) };
    C::new(re, im)
}

pub(crate) fn acosh(z: C) -> C {
    if is_far(z) {
        return C::new(log_far(z) + LN_2, z.im.atan2(z.re));
    }
    let (s, t) = (sqrt(C::new(z.re - 1.0, z.im)), sqrt(C::new(z.re + 1.0, z.im)));
    let im = if z.re == 0.0 { FRAC_PI_2.copysign(z.im) } else { 2.0 * s.im.atan2(t.re) };
    C::new((s.re * t.re + s.im * t.im).asinh(), im)
}

pub(crate) fn acos(z: C) -> C {
    if is_far(z) {
        return C::new(z.im.abs().atan2(z.re), (log_far(z) + LN_2).copysign(-z.im));
    }
    let (s, t) = (sqrt(C::new(1.0 - z.re, -z.im)), sqrt(C::new(1.0 + z.re, z.im)));
    let re = if z.re == 0.0 { FRAC_PI_2 } else { 2.0 * s.re.atan2(t.re) };
    C::new(re, (t.re * s.im - t.im * s.re).asinh())
}

pub(crate) fn asin(z: C) -> C {
    turned_back(asinh(turned(z)))
}

pub(crate) fn atanh(z: C) -> C {
    if z.re.is_sign_negative() {
        return -atanh(-z);
    }
    let y = z.im.abs();
    if is_far(z) {
        let h = (z.re / 2.0).hypot(y / 2.0);
        let re = if h.is_infinite() { 0.0 } else { z.re / 4.0 / h / h };
        let has_side = !z.im.is_nan() && (!z.re.is_nan() || y.is_infinite());
        return C::new(re, if has_side { FRAC_PI_2.copysign(z.im) } else { f64::NAN });
    }
    if z.re == 1.0 && y < 1e-154 {
        if y == 0.0 {
            return C::new(f64::INFINITY, z.im);
        }
        let re = -(y.sqrt() / y.hypot(2.0).sqrt()).ln();
        return C::new(re, (2f64.atan2(-y) / 2.0).copysign(z.im));
    }
    let off = 1.0 - z.re;
    let re = if z.re == 0.0 { z.re } else { (4.0 * z.re / (off * off + y * y)).ln_1p() / 4.0 };
    C::new(re, -(-2.0 * z.im).atan2(off * (1.0 + z.re) - y * y) / 2.0)
}

pub(crate) fn atan(z: C) -> C {
    turned_back(atanh(turned(z)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: C, want: [f64; 2]) {
        let near = |a: f64, b: f64| a == b || (a - b).abs() <= 4e-16 * b.abs().max(1e-300);
        let signs = got.re.is_sign_negative() == want[0].is_sign_negative()
            && got.im.is_sign_negative() == want[1].is_sign_negative();
        assert!(near(got.re, want[0]) && near(got.im, want[1]) && signs, "{got} {want:?}");
    }

    #[test]
    fn the_sign_of_zero_says_which_side_of_a_cut_is_meant() {
        let (above, below) = (C::new(2.5, 0.0), C::new(2.5, -0.0));
        close(asin(above), [FRAC_PI_2, 1.566_799_236_972_411]);
        close(asin(below), [FRAC_PI_2, -1.566_799_236_972_411]);
        close(acos(above), [0.0, -1.566_799_236_972_411]);
        close(acos(below), [0.0, 1.566_799_236_972_411]);
        close(atanh(above), [0.423_648_930_193_601_8, FRAC_PI_2]);
        close(atanh(below), [0.423_648_930_193_601_8, -FRAC_PI_2]);
        close(acosh(C::new(-2.5, -0.0)), [1.566_799_236_972_411, -core::f64::consts::PI]);
        close(sqrt(C::new(-4.0, -0.0)), [0.0, -2.0]);
        close(log(C::new(-1.0, -0.0)), [0.0, -core::f64::consts::PI]);
    }

    #[test]
    fn far_out() {
        close(tanh(C::new(400.0, 1.0)), [1.0, 0.0]);
        close(tanh(C::new(-1000.0, 1.0)), [-1.0, 0.0]);
        close(asinh(C::new(1e300, 0.0)), [300.0 * core::f64::consts::LN_10 + LN_2, 0.0]);
        close(sqrt(C::new(0.0, 2e300)), [1e150, 1e150]);
        close(exp(C::new(1000.0, 0.0)), [f64::INFINITY, 0.0]);
        assert!(exp(C::new(709.9, 1.0)).re.is_finite());
    }
}

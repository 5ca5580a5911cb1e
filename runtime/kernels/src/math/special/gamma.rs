//! The derivatives of `log Γ`: digamma and polygamma; Hurwitz's zeta function.

use core::f64::consts::PI;

use super::chebyshev::chebyshev;

/// The root of digamma between 1 and 2, and the rest of it beyond a double.
const ROOT: f64 = 1.4616321449683622;
const ROOT_REST: f64 = 9.549995429965697e-17;

/// `ψ(x) / (x - x₀)` for x from 1 to 2, where x₀ is its root.
const DIGAMMA: [f64; 24] = [
    0.983570260441567,
    -0.2270640863346444,
    0.03336889902393011,
    -0.005320077271596548,
    0.0008788656937820505,
    -0.00014773492650606044,
    2.5060543468359146e-05,
    -4.2721034029993324e-06,
    7.302769272465923e-07,
    -1.2502886813559594e-07,
    2.1425009322359472e-08,
    -3.673295918565179e-09,
    6.299717236108931e-10,
    -1.080593028883266e-10,
    1.853735192053638e-11,
    -3.18023536582553e-12,
    5.456147570322795e-13,
    -9.360993131036438e-14,
    1.606064636295075e-14,
    -2.7555431377438815e-15,
    4.727736178601912e-16,
    -8.11148420346509e-17,
    1.391707769474154e-17,
    -2.3877901082188625e-18,
];

/// `B₂ₖ`, the Bernoulli numbers from k = 1 on.
const BERNOULLI: [f64; 12] = [
    1.0 / 6.0,
    -1.0 / 30.0,
    1.0 / 42.0,
    -1.0 / 30.0,
    5.0 / 66.0,
    -691.0 / 2730.0,
    7.0 / 6.0,
    -3617.0 / 510.0,
    43867.0 / 798.0,
    -174611.0 / 330.0,
    854513.0 / 138.0,
    -236364091.0 / 2730.0,
];

/// The derivative of `log Γ(x)`. NaN at the poles, which are zero and the
/// negative integers.
pub(crate) fn digamma(x: f64) -> f64 {
    if x > 0.0 || x.is_nan() {
        return digamma_positive(x);
    }
    if x == x.floor() {
        return f64::NAN;
    }
    // The tangent has period one in x; the difference is exact.
    let turn = x - x.round();
    digamma_positive(1.0 - x) - PI / (PI * turn).tan()
}

fn digamma_positive(x: f64) -> f64 {
    let near = |x: f64| ((x - ROOT) - ROOT_REST) * chebyshev(&DIGAMMA, x, 1.0, 2.0);
    if x < 1.0 {
        return near(x + 1.0) - 1.0 / x;
    }
    if x < 10.0 {
        let (mut x, mut sum) = (x, 0.0);
        while x > 2.0 {
            x -= 1.0;
            sum += 1.0 / x;
        }
        return sum + near(x);
    }
    let inverse = 1.0 / (x * x);
    let tail =
        (0..8).rev().fold(0.0, |sum, k| (sum + BERNOULLI[k] / (2 * (k + 1)) as f64) * inverse);
    x.ln() - 0.5 / x - tail
}

/// Hurwitz's zeta function `Σ (q + k)⁻ˢ`.
///
/// It is NaN for `s` below one, and for negative `q` unless `s` is an integer.
/// At a pole in `q` it is infinite for even `s` and NaN for odd ones, where the
/// sides differ in sign.
pub(crate) fn zeta(s: f64, q: f64) -> f64 {
    if s == 1.0 {
        return f64::INFINITY;
    }
    if s.is_nan() || q.is_nan() || s < 1.0 {
        return f64::NAN;
    }
    if q > 0.0 {
        return zeta_positive(s, q);
    }
    if s != s.floor() {
        return f64::NAN;
    }
    // Infinity counts as a multiple of every number.
    let even = s == f64::INFINITY || s % 2.0 == 0.0;
    if q == q.floor() {
        return if even { f64::INFINITY } else { f64::NAN };
    }
    if s == f64::INFINITY {
        return f64::INFINITY;
    }
    // The terms below zero, in reverse order, begin at the fractional part of -q and are the difference of two series.
    let fraction = -q - (-q).floor();
    let left = zeta_positive(s, fraction) - zeta_positive(s, 1.0 - q);
    zeta_positive(s, 1.0 - fraction) + if even { left } else { -left }
}

/// For `s` above one and positive `q`: adds terms one by one, then the Euler-Maclaurin formula for the rest.
fn zeta_positive(s: f64, q: f64) -> f64 {
    if s == f64::INFINITY || q == f64::INFINITY {
        let powers = [1.0, 0.0, f64::INFINITY];
        return powers[usize::from(q > 1.0) + 2 * usize::from(q < 1.0)];
    }
    // From here on the terms of the formula fall fast enough.
    let end = 0.8 * (s + 12.0);
    let (mut a, mut sum) = (q, 0.0);
    while a < end {
        let term = a.powf(-s);
        sum += term;
        // The remaining terms sum to about this term times a / (s - 1).
        if term * (1.0 + a / (s - 1.0)) <= 1e-18 * sum {
            return sum;
        }
        a += 1.0;
    }
    let power = a.powf(-s);
    let mut tail = 0.5 * power;
    // s (s + 1) … a^(1 - s - 2k) / (2k)!
    let mut factor = 0.5 * s * power / a;
    for (k, bernoulli) in BERNOULLI.iter().enumerate() {
        tail += bernoulli * factor;
        let n = 2.0 * (k + 1) as f64;
        factor *= (s + n - 1.0) * (s + n) / ((n + 1.0) * (n + 2.0)) / (a * a);
    }
    sum + (tail + a * power / (s - 1.0))
}

/// The derivative of digamma of order `n`; NaN unless `n` is a natural number.
pub(crate) fn polygamma(n: f64, x: f64) -> f64 {
    if n == 0.0 {
        return digamma(x);
    }
    if n < 0.0 || n != n.floor() {
        return f64::NAN;
    }
    let magnitude = libm::tgamma(n + 1.0) * zeta(n + 1.0, x);
    if n % 2.0 == 0.0 { -magnitude } else { magnitude }
}

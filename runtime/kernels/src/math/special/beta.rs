//! The regularised incomplete beta function.

/// `log B(a, b)`.
fn log_beta(a: f64, b: f64) -> f64 {
    let (small, large) = if a < b { (a, b) } else { (b, a) };
    if large < 20.0 {
        return (libm::tgamma(a) * (libm::tgamma(b) / libm::tgamma(a + b))).ln();
    }
    // Γ(large) / Γ(large + small) by Stirling's series. Its leading parts are combined, as they would cancel.
    let sum = large + small;
    let ratio = (large - 0.5) * (small / large).ln_1p() + small * (sum.ln() - 1.0);
    libm::lgamma(small) - ratio + stirling(large) - stirling(sum)
}

/// `log Γ(x) - (x - 1/2) log x + x - log √2π` for `x` from 20 on.
fn stirling(x: f64) -> f64 {
    let inverse = 1.0 / (x * x);
    let tail = 1.0 / 1260.0 - inverse * (1.0 / 1680.0 - inverse * (1.0 / 1188.0));
    (1.0 / 12.0 - inverse * (1.0 / 360.0 - inverse * tail)) / x
}

/// `I(x; a, b)` for `x` below the mean, by its continued fraction.
fn fraction(a: f64, b: f64, x: f64, log_x: f64, log_rest: f64) -> f64 {
    let floor = |v: f64| if v.abs() < 1e-300 { 1e-300 } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / floor(1.0 - (a + b) * x / (a + 1.0));
    let mut h = d;
    for m in 1..20_000 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / floor(1.0 + even * d);
        c = floor(1.0 + even / c);
        h *= c * d;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / floor(1.0 + odd * d);
        c = floor(1.0 + odd / c);
        let step = c * d;
        h *= step;
        if (step - 1.0).abs() < 2e-16 {
            break;
        }
    }
    (a * log_x + b * log_rest - log_beta(a, b)).exp() * h / a
}

/// The regularised incomplete beta function `I(x; a, b)`; NaN unless `a` and
/// `b` are positive and `x` is between zero and one.
pub(crate) fn betainc(a: f64, b: f64, x: f64) -> f64 {
    let defined = a > 0.0 && b > 0.0 && (0.0..=1.0).contains(&x);
    if !defined || a.is_infinite() || b.is_infinite() {
        return f64::NAN;
    }
    if x == 0.0 || x == 1.0 {
        return x;
    }
    let (log_x, log_rest) = (x.ln(), (-x).ln_1p());
    if x <= (a + 1.0) / (a + b + 2.0) {
        fraction(a, b, x, log_x, log_rest)
    } else {
        1.0 - fraction(b, a, 1.0 - x, log_rest, log_x)
    }
}

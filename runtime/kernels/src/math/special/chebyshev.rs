//! Chebyshev series.
//!
//! The coefficients in this folder belong to the interpolants at the Chebyshev nodes. They were computed with fifty
//! digits and cut where they no longer change a double.

/// `Σ cₖ Tₖ(t)`, where `t` goes from -1 to 1 as `x` goes from `lo` to `hi`.
#[inline]
pub(super) fn chebyshev(coefficients: &[f64], x: f64, lo: f64, hi: f64) -> f64 {
    let t = (2.0 * x - (lo + hi)) / (hi - lo);
    let (mut next, mut after) = (0.0, 0.0);
    for &c in coefficients[1..].iter().rev() {
        (next, after) = (2.0 * t * next - after + c, next);
    }
    t * next - after + coefficients[0]
}

//! Colours: functions of the three numbers of a pixel.

use crate::par::Par;
use core::mem::MaybeUninit;

/// A number of a pixel, of which there are three.
pub trait Pixel:
    Copy
    + Send
    + Sync
    + PartialOrd
    + core::ops::Add<Output = Self>
    + core::ops::Sub<Output = Self>
    + core::ops::Mul<Output = Self>
    + core::ops::Div<Output = Self>
    + core::ops::Neg<Output = Self>
    + From<i8>
{
}

impl Pixel for f32 {}

impl Pixel for f64 {}

/// The larger number; the second if the first is NaN.
#[inline(always)]
fn larger<T: Pixel>(a: T, b: T) -> T {
    if a > b { a } else { b }
}

#[inline(always)]
fn smaller<T: Pixel>(a: T, b: T) -> T {
    if a < b { a } else { b }
}

/// Hue, saturation and value of red, green and blue. Hues are in `[0, 1)`.
#[inline(always)]
pub fn rgb_to_hsv<T: Pixel>([r, g, b]: [T; 3]) -> [T; 3] {
    let n = |x: i8| T::from(x);
    let value = larger(larger(r, g), b);
    let range = value - smaller(smaller(r, g), b);
    let saturation = if value > n(0) { range / value } else { n(0) };
    let turn = n(1) / (range * n(6));
    let hue = if r == value {
        turn * (g - b)
    } else if g == value {
        turn * (b - r) + n(2) / n(6)
    } else {
        turn * (r - g) + n(4) / n(6)
    };
    let hue = if range > n(0) { hue } else { n(0) };
    [if hue < n(0) { hue + n(1) } else { hue }, saturation, value]
}

/// Red, green and blue of hue, saturation and value.
#[inline(always)]
pub fn hsv_to_rgb<T: Pixel>([h, s, v]: [T; 3]) -> [T; 3] {
    let n = |x: i8| T::from(x);
    let abs = |x: T| if x < n(0) { -x } else { x };
    let clipped = |x: T| smaller(larger(x, n(0)), n(1));
    let h = h * n(6);
    let parts = [abs(h - n(3)) - n(1), n(2) - abs(h - n(2)), n(2) - abs(h - n(4))];
    parts.map(|part| (n(1) - s + s * clipped(part)) * v)
}

/// The same pixel with its hue moved on by a part of the circle.
#[inline(always)]
pub fn with_hue(rgb: [f32; 3], delta: f32) -> [f32; 3] {
    let [r, g, b] = rgb;
    let (high, low) = (r.max(g).max(b), r.min(g).min(b));
    let range = high - low;
    // Sixths of the circle from red. What is grey has no hue.
    let hue = if range.is_nan() || range <= 0.0 { 0.0 } else { 6.0 * rgb_to_hsv(rgb)[0] };
    let hue = (hue + 6.0 * delta).rem_euclid(6.0);
    let sector = if hue < 6.0 { hue as u8 } else { 0 };
    let ratio = hue - f32::from(sector);
    let middle = low + range * if sector % 2 == 0 { ratio } else { 1.0 - ratio };
    match sector {
        0 => [high, middle, low],
        1 => [middle, high, low],
        2 => [low, high, middle],
        3 => [low, middle, high],
        4 => [middle, low, high],
        _ => [high, low, middle],
    }
}

/// The same pixel with its saturation multiplied, at most to 1.
#[inline(always)]
pub fn with_saturation(rgb: [f32; 3], scale: f32) -> [f32; 3] {
    let [h, s, v] = rgb_to_hsv(rgb);
    hsv_to_rgb([h, (s * scale).clamp(0.0, 1.0), v])
}

/// Applies a function to each pixel.
///
/// # Panics
/// If the lengths differ or are no multiples of three.
pub fn map_pixels<T: Pixel>(
    x: &[T],
    out: &mut [MaybeUninit<T>],
    par: Par,
    f: impl Fn([T; 3]) -> [T; 3] + Sync,
) {
    assert!(x.len() == out.len() && x.len().is_multiple_of(3), "pixels have three numbers");
    let work = x.len().saturating_mul(8);
    par.for_parts(out, 3, work, &|start, out| {
        let pixels = x[start..][..out.len()].as_chunks::<3>().0;
        for (out, pixel) in out.as_chunks_mut::<3>().0.iter_mut().zip(pixels) {
            for (out, y) in out.iter_mut().zip(f(*pixel)) {
                out.write(y);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hues_go_round() {
        assert_eq!(rgb_to_hsv([0.0, 1.0, 0.0]), [1.0 / 3.0, 1.0, 1.0]);
        let rgb = [0.2f32, 0.7, 0.4];
        for (back, x) in hsv_to_rgb(rgb_to_hsv(rgb)).into_iter().zip(rgb) {
            assert!((back - x).abs() < 1e-6);
        }
        for turns in [1.0, -2.0, 0.0] {
            for (back, x) in with_hue(rgb, turns).into_iter().zip(rgb) {
                assert!((back - x).abs() < 1e-5);
            }
        }
        assert!(with_hue([f32::NAN; 3], f32::INFINITY).iter().all(|x| x.is_nan()));
    }
}

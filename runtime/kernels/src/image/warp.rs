//! Images read at places that a projective map gives.

use crate::par::Par;
use core::mem::MaybeUninit;

/// What lies beyond the edges of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Border {
    /// One value everywhere.
    Constant,
    /// The image, mirrored at its edges.
    Reflect,
    /// The image, again and again.
    Wrap,
    /// The pixel at the edge.
    Nearest,
}

impl Border {
    /// The place on an axis of this size that stands for a place.
    fn place(self, at: f32, size: usize) -> f32 {
        let (n, last) = (size as f32, size as f32 - 1.0);
        let inside = match self {
            Border::Constant => return at,
            Border::Nearest => at,
            _ if (0.0..=last).contains(&at) => at,
            _ if size <= 1 => 0.0,
            Border::Reflect if at < 0.0 => {
                let at = 2.0 * n * (-at / (2.0 * n)).trunc() + at;
                if at < -n { at + 2.0 * n } else { -at - 1.0 }
            }
            Border::Reflect => {
                let at = at - 2.0 * n * (at / (2.0 * n)).trunc();
                if at >= n { 2.0 * n - at - 1.0 } else { at }
            }
            Border::Wrap if at < 0.0 => at + n * ((-at / last).trunc() + 1.0),
            Border::Wrap => at - n * (at / last).trunc(),
        };
        inside.max(0.0).min(last)
    }
}

/// A map from places of the result to places of an image, and how the image is read there.
#[derive(Debug, Clone, Copy)]
pub struct Warp<T> {
    /// What lies beyond the edges.
    pub border: Border,
    /// The value beyond the edges, for [`Border::Constant`].
    pub fill: T,
    /// Whether four pixels are interpolated; otherwise the nearest one is taken.
    pub linear: bool,
}

/// A number of a pixel that is interpolated in single precision.
pub trait Interpolated: Copy + Send + Sync {
    /// The number as a float.
    fn single(self) -> f32;

    /// The number for a float.
    fn of_single(x: f32) -> Self;
}

impl Interpolated for f32 {
    fn single(self) -> f32 {
        self
    }

    fn of_single(x: f32) -> Self {
        x
    }
}

impl Interpolated for f64 {
    fn single(self) -> f32 {
        self as f32
    }

    fn of_single(x: f32) -> Self {
        f64::from(x)
    }
}

/// Reads images of shape `[batch, height, width, channels]` at the places that projective maps give, one for each image
/// or one for all. A map has eight numbers `a0 … a5, c0, c1`: the place of `(x, y)` is
/// `((a0 x + a1 y + a2) / k, (a3 x + a4 y + a5) / k)` with `k = c0 x + c1 y + 1`.
///
/// # Panics
/// If the lengths do not fit the sizes.
pub fn warp<T: Interpolated>(
    x: &[T],
    [batch, height, width, channels]: [usize; 4],
    maps: &[[f32; 8]],
    [rows, columns]: [usize; 2],
    how: Warp<T>,
    out: &mut [MaybeUninit<T>],
    par: Par,
) {
    if out.is_empty() {
        return;
    }
    assert_eq!(x.len(), batch * height * width * channels, "the images have another shape");
    assert_eq!(out.len(), batch * rows * columns * channels, "the result has another shape");
    let work = out.len().saturating_mul(8);
    par.for_parts(out, columns * channels, work, &|start, out| {
        let line = start / (columns * channels);
        for (i, out) in out.chunks_exact_mut(columns * channels).enumerate() {
            let (image, row) = ((line + i) / rows, (line + i) % rows);
            let map = if maps.len() == 1 { &maps[0] } else { &maps[image] };
            let pixels = &x[image * height * width * channels..][..height * width * channels];
            for (column, out) in out.chunks_exact_mut(channels).enumerate() {
                let at = source(map, column as f32, row as f32)
                    .map(|[x, y]| [how.border.place(x, width), how.border.place(y, height)])
                    .filter(|at| at.iter().all(|x| x.is_finite()));
                let Some([at_x, at_y]) = at else {
                    out.iter_mut().for_each(|out| _ = out.write(how.fill));
                    continue;
                };
                let pixel = |row: f32, column: f32, channel: usize| {
                    let is_inside = |x: f32, n: usize| x >= 0.0 && x < n as f32;
                    match is_inside(row, height) && is_inside(column, width) {
                        true => {
                            pixels[(row as usize * width + column as usize) * channels + channel]
                        }
                        false => how.fill,
                    }
                };
                if !how.linear {
                    let (column, row) = (at_x.round(), at_y.round());
                    for (channel, out) in out.iter_mut().enumerate() {
                        out.write(pixel(row, column, channel));
                    }
                    continue;
                }
                let (left, top) = (at_x.floor(), at_y.floor());
                let (right, down) = (left + 1.0, top + 1.0);
                for (channel, out) in out.iter_mut().enumerate() {
                    let [upper, lower] = [top, down].map(|row| {
                        let of = |column: f32| pixel(row, column, channel).single();
                        (right - at_x) * of(left) + (at_x - left) * of(right)
                    });
                    out.write(T::of_single((down - at_y) * upper + (at_y - top) * lower));
                }
            }
        }
    });
}

/// The place that a map gives; none at infinity.
fn source(map: &[f32; 8], x: f32, y: f32) -> Option<[f32; 2]> {
    let k = map[6] * x + map[7] * y + 1.0;
    (k != 0.0)
        .then(|| [(map[0] * x + map[1] * y + map[2]) / k, (map[3] * x + map[4] * y + map[5]) / k])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::filled;

    #[test]
    fn places_beyond_the_edges_stand_for_others() {
        let places = |border: Border| [-2.0, -1.0, 0.0, 2.0, 3.0].map(|at| border.place(at, 3));
        assert_eq!(places(Border::Reflect), [1.0, 0.0, 0.0, 2.0, 2.0]);
        assert_eq!(places(Border::Nearest), [0.0, 0.0, 0.0, 2.0, 2.0]);
        assert_eq!(places(Border::Wrap), [2.0, 2.0, 0.0, 2.0, 0.0]);
        assert_eq!(Border::Wrap.place(5.0, 1), 0.0);
    }

    #[test]
    fn a_shift_fills_what_it_uncovers() {
        let how = Warp { border: Border::Constant, fill: 9.0, linear: false };
        let map = [[1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0]];
        let got = filled(3, |out| {
            warp(&[1f32, 2.0, 3.0], [1, 1, 3, 1], &map, [1, 3], how, out, Par::Seq);
        });
        assert_eq!(got, [2.0, 3.0, 9.0]);
    }
}

//! Resized images: weighted sums of rows and of columns.

use super::Spans;
use crate::memory::{OutOfMemory, room};
use crate::par::{Par, simd};
use core::mem::MaybeUninit;
use std::sync::OnceLock;

/// A number of a pixel.
pub trait Sample: Copy + Sync {
    /// The number as a float.
    fn float(self) -> f32;
}

impl Sample for f32 {
    #[inline(always)]
    fn float(self) -> f32 {
        self
    }
}

impl Sample for u8 {
    #[inline(always)]
    fn float(self) -> f32 {
        f32::from(self)
    }
}

/// A place for a result.
trait Put {
    fn put(&mut self, x: f32);
}

impl Put for f32 {
    #[inline(always)]
    fn put(&mut self, x: f32) {
        *self = x;
    }
}

impl Put for MaybeUninit<f32> {
    #[inline(always)]
    fn put(&mut self, x: f32) {
        self.write(x);
    }
}

/// Elements that are summed at a time: some vector registers full.
const BLOCK: usize = 64;

/// The weighted sum of rows.
#[inline(always)]
fn blend<'a, T: Sample + 'a, P: Put>(
    weights: &[f32],
    row: impl Fn(usize) -> &'a [T],
    out: &mut [P],
) {
    for (i, out) in out.chunks_mut(BLOCK).enumerate() {
        let mut sums = [0f32; BLOCK];
        for (k, weight) in weights.iter().enumerate() {
            let from = &row(k)[i * BLOCK..];
            if let Some(from) = from.first_chunk::<BLOCK>() {
                for (sum, x) in sums.iter_mut().zip(from) {
                    *sum += weight * x.float();
                }
            } else {
                for (sum, x) in sums.iter_mut().zip(from) {
                    *sum += weight * x.float();
                }
            }
        }
        out.iter_mut().zip(sums).for_each(|(out, sum)| out.put(sum));
    }
}

/// The weighted sums of the pixels of a row, of which each has `N` numbers.
#[inline(always)]
fn across<const N: usize, T: Sample, P: Put>(x: &[T], columns: &Spans, out: &mut [P]) {
    let (pixels, _) = x.as_chunks::<N>();
    for (i, out) in out.as_chunks_mut::<N>().0.iter_mut().enumerate() {
        let (start, weights) = columns.of(i);
        let mut sums = [0f32; N];
        for (weight, pixel) in weights.iter().zip(&pixels[start..start + weights.len()]) {
            for c in 0..N {
                sums[c] += weight * pixel[c].float();
            }
        }
        for c in 0..N {
            out[c].put(sums[c]);
        }
    }
}

/// [`across`] for any number of numbers.
#[inline(always)]
fn across_any<T: Sample, P: Put>(x: &[T], channels: usize, columns: &Spans, out: &mut [P]) {
    match channels {
        1 => across::<1, T, P>(x, columns, out),
        2 => across::<2, T, P>(x, columns, out),
        3 => across::<3, T, P>(x, columns, out),
        4 => across::<4, T, P>(x, columns, out),
        _ => {
            for (i, out) in out.chunks_exact_mut(channels).enumerate() {
                let (start, weights) = columns.of(i);
                blend(weights, |k| &x[(start + k) * channels..][..channels], out);
            }
        }
    }
}

/// Which sums come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Those of rows.
    Rows,
    /// The cheaper ones. The last bits depend on it.
    Any,
}

/// Resizes images of shape `[batch, height, width, channels]`: each result is a sum over a span of rows, and over a span
/// of columns. Sums have the same order for any number of threads.
///
/// # Errors
/// If there is no memory for rows in between.
///
/// # Panics
/// If the lengths or the spans do not fit the sizes.
pub fn resample<T: Sample>(
    x: &[T],
    [batch, height, width, channels]: [usize; 4],
    [rows, columns]: [&Spans; 2],
    order: Order,
    out: &mut [MaybeUninit<f32>],
    par: Par,
) -> Result<(), OutOfMemory> {
    if out.is_empty() {
        return Ok(());
    }
    let (line, wide) = (width * channels, columns.len() * channels);
    assert_eq!(x.len(), batch * height * line, "the images do not have the shape given");
    assert_eq!(out.len(), batch * rows.len() * wide, "the result does not fit the spans");
    // Sums of rows are vector code, sums of columns mostly not. So columns are summed in as few rows as possible.
    let vertical = rows.len() * rows.widest();
    let rows_used = vertical.min(height);
    let rows_first = vertical * line / 8 + rows.len() * wide * columns.widest();
    let columns_first = rows_used * wide * columns.widest() + vertical * wide / 8;
    let work = rows_first.max(columns_first).saturating_mul(batch).max(out.len());
    let failed = OnceLock::new();
    par.for_parts(out, wide, work, &|start, out| {
        let source = |image: usize, row: usize| &x[(image * height + row) * line..][..line];
        let lines = out.chunks_exact_mut(wide).enumerate().map(|(i, out)| {
            let at = start / wide + i;
            (at / rows.len(), at % rows.len(), out)
        });
        let result = if order == Order::Rows || rows_first <= columns_first {
            down_then_across(source, line, channels, rows, columns, lines)
        } else {
            across_then_down(source, wide, channels, rows, columns, lines)
        };
        if let Err(e) = result {
            let _ = failed.set(e);
        }
    });
    failed.into_inner().map_or(Ok(()), Err)
}

/// Adds to images of shape `[batch, height, width, channels]` what resized ones hand back: each number, times the weights
/// of its row and its column, goes to the pixels that it came from. `product` multiplies; sums are float64.
///
/// # Panics
/// If the lengths do not fit the sizes.
pub fn add_back(
    dy: &[f32],
    [batch, height, width, channels]: [usize; 4],
    [rows, columns]: [usize; 2],
    row_taps: impl Fn(usize) -> (i64, [f32; 4]),
    column_taps: impl Fn(usize) -> (i64, [f32; 4]),
    product: impl Fn(f32, f32, f32) -> f64,
    out: &mut [f64],
) {
    assert_eq!(dy.len(), batch * rows * columns * channels, "the numbers have another shape");
    assert_eq!(out.len(), batch * height * width * channels, "the images have another shape");
    let bound =
        |i: i64, k: usize, n: usize| i.saturating_add(k as i64).clamp(0, n as i64 - 1) as usize;
    for (i, pixel) in dy.chunks_exact(channels.max(1)).enumerate() {
        let (image, row, column) = (i / columns / rows, i / columns % rows, i % columns);
        let ((top, down), (left, across)) = (row_taps(row), column_taps(column));
        for (k, v) in down.into_iter().enumerate().filter(|(_, v)| *v != 0.0) {
            let line = image * height + bound(top, k, height);
            for (j, u) in across.into_iter().enumerate().filter(|(_, u)| *u != 0.0) {
                let at = (line * width + bound(left, j, width)) * channels;
                for (out, dy) in out[at..][..channels].iter_mut().zip(pixel) {
                    *out += product(*dy, v, u);
                }
            }
        }
    }
}

/// A row of zeros.
fn zeros(len: usize) -> Result<Vec<f32>, OutOfMemory> {
    let mut row = room(len)?;
    row.resize(len, 0.0);
    Ok(row)
}

fn down_then_across<'a, 'b, T: Sample + 'a>(
    source: impl Fn(usize, usize) -> &'a [T],
    line: usize,
    channels: usize,
    rows: &Spans,
    columns: &Spans,
    lines: impl Iterator<Item = (usize, usize, &'b mut [MaybeUninit<f32>])>,
) -> Result<(), OutOfMemory> {
    let mut summed = zeros(line)?;
    simd(
        #[inline(always)]
        || {
            for (image, row, out) in lines {
                let (first, weights) = rows.of(row);
                blend(weights, |k| source(image, first + k), &mut summed);
                across_any(&summed, channels, columns, out);
            }
        },
    );
    Ok(())
}

fn across_then_down<'a, 'b, T: Sample + 'a>(
    source: impl Fn(usize, usize) -> &'a [T],
    wide: usize,
    channels: usize,
    rows: &Spans,
    columns: &Spans,
    lines: impl Iterator<Item = (usize, usize, &'b mut [MaybeUninit<f32>])>,
) -> Result<(), OutOfMemory> {
    // The rows of a span follow each other, so each has a place of its own among as many as the widest span has.
    let places = rows.widest().max(1);
    let mut summed = zeros(places.saturating_mul(wide))?;
    let mut kept: Vec<Option<(usize, usize)>> = room(places)?;
    kept.resize(places, None);
    simd(
        #[inline(always)]
        || {
            for (image, row, out) in lines {
                let (first, weights) = rows.of(row);
                for from in first..first + weights.len() {
                    let place = from % places;
                    if kept[place] != Some((image, from)) {
                        kept[place] = Some((image, from));
                        let own = &mut summed[place * wide..][..wide];
                        across_any(source(image, from), channels, columns, own);
                    }
                }
                blend(weights, |k| &summed[(first + k) % places * wide..][..wide], out);
            }
        },
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::filled;

    /// The sums, one after the other.
    fn plainly(x: &[f32], [b, h, w, c]: [usize; 4], rows: &Spans, columns: &Spans) -> Vec<f32> {
        let mut out = Vec::new();
        for image in 0..b {
            for row in 0..rows.len() {
                for column in 0..columns.len() {
                    for channel in 0..c {
                        let ((top, down), (left, across)) = (rows.of(row), columns.of(column));
                        let mut sum = 0.0;
                        for (i, v) in down.iter().enumerate() {
                            for (j, u) in across.iter().enumerate() {
                                let at = ((image * h + top + i) * w + left + j) * c + channel;
                                sum += f64::from(v * u) * f64::from(x[at]);
                            }
                        }
                        out.push(sum as f32);
                    }
                }
            }
        }
        out
    }

    #[test]
    fn both_orders_sum_the_same_pixels() {
        for (shape, to) in [
            ([2, 5, 7, 3], [11, 40]),
            ([1, 40, 70, 1], [3, 5]),
            ([1, 9, 4, 5], [9, 2]),
            ([2, 3, 33, 4], [1, 66]),
        ] {
            let [b, h, w, c] = shape;
            let x: Vec<f32> = (0..b * h * w * c).map(|i| ((i * 37) % 101) as f32 / 10.0).collect();
            let bytes: Vec<u8> = x.iter().map(|x| *x as u8).collect();
            let whole: Vec<f32> = bytes.iter().map(|x| f32::from(*x)).collect();
            let scale = [to[0] as f32 / h as f32, to[1] as f32 / w as f32];
            for antialias in [false, true] {
                let spans = |n, m, scale| {
                    Spans::filtered(n, m, super::super::Filter::Triangle, [scale, 0.0], antialias)
                };
                let rows = spans(h, to[0], scale[0]).unwrap();
                let columns = spans(w, to[1], scale[1]).unwrap();
                for (order, par) in [(Order::Any, Par::Seq), (Order::Rows, Par::Pool)] {
                    let n = b * to[0] * to[1] * c;
                    let got = filled(n, |out| {
                        resample(&x, shape, [&rows, &columns], order, out, par).unwrap();
                    });
                    let want = plainly(&x, shape, &rows, &columns);
                    assert!(got.iter().zip(&want).all(|(a, b)| (a - b).abs() < 1e-4));
                    let got = filled(n, |out| {
                        resample(&bytes, shape, [&rows, &columns], order, out, par).unwrap();
                    });
                    let want = plainly(&whole, shape, &rows, &columns);
                    assert!(got.iter().zip(&want).all(|(a, b)| (a - b).abs() < 1e-4));
                }
            }
        }
    }
}

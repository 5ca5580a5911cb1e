//! Blocks and rows of JPEG files in the arithmetic of libjpeg-turbo, overflows included: TensorFlow's pixels are equal.

use crate::par::simd;

/// How a block becomes samples.
#[derive(Debug)]
pub struct Transform {
    /// Rows and columns of samples that a block of 8 becomes.
    size: usize,
    fast: bool,
    factors: [i16; 64],
}

type Block = [[i16; 8]; 8];

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn transposed(x: &Block) -> Block {
    std::array::from_fn(|i| std::array::from_fn(|j| x[j][i]))
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn transposed(x: &Block) -> Block {
    use core::arch::x86_64::{__m128i, _mm_unpackhi_epi16, _mm_unpacklo_epi16};
    let mut x: [__m128i; 8] = bytemuck::cast(*x);
    // Each round is a shuffle of all 64 numbers like that of two halves of a deck of cards.
    for _ in 0..3 {
        let [a, b, c, d, e, f, g, h] = x;
        // SAFETY: every x86-64 has these instructions.
        let pair = |a, b| unsafe { [_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b)] };
        x = bytemuck::cast([pair(a, e), pair(b, f), pair(c, g), pair(d, h)]);
    }
    bytemuck::cast(x)
}

/// Samples in rows, of results in columns.
#[inline(always)]
fn samples(x: &Block, shift: u32) -> [[u8; 8]; 8] {
    let mut out = [[0; 8]; 8];
    for (out, x) in out.as_flattened_mut().iter_mut().zip(transposed(x).as_flattened()) {
        *out = ((x >> shift).clamp(-128, 127) + 128) as u8;
    }
    out
}

#[inline(always)]
fn sample(x: i32) -> u8 {
    (x + 128).clamp(0, 255) as u8
}

/// The product with a factor of 8 bits after the point.
#[inline(always)]
fn times(x: i16, factor: i32) -> i16 {
    ((i32::from(x << 2) * (factor << 6)) >> 16) as i16
}

/// Columns of a block by the transform of Arai, Agui and Nakajima.
#[inline(always)]
fn fast_pass(x: &Block) -> Block {
    let mut out = [[0i16; 8]; 8];
    for i in 0..8 {
        let [a, b] = [x[0][i].wrapping_add(x[4][i]), x[0][i].wrapping_sub(x[4][i])];
        let c = x[2][i].wrapping_add(x[6][i]);
        let d = times(x[2][i].wrapping_sub(x[6][i]), 362).wrapping_sub(c);
        let even = [a.wrapping_add(c), b.wrapping_add(d), b.wrapping_sub(d), a.wrapping_sub(c)];
        let (z13, z10) = (x[5][i].wrapping_add(x[3][i]), x[5][i].wrapping_sub(x[3][i]));
        let (z11, z12) = (x[1][i].wrapping_add(x[7][i]), x[1][i].wrapping_sub(x[7][i]));
        let o0 = z11.wrapping_add(z13);
        let z5 = times(z10.wrapping_add(z12), 473);
        let o1 = times(z10, -413).wrapping_sub(z10).wrapping_add(z5).wrapping_sub(o0);
        let o2 = times(z11.wrapping_sub(z13), 362).wrapping_sub(o1);
        let o3 = times(z12, 277).wrapping_sub(z5).wrapping_add(o2);
        let odd = [o0, o1, o2, o3.wrapping_neg()];
        for k in 0..4 {
            out[k][i] = even[k].wrapping_add(odd[k]);
            out[7 - k][i] = even[k].wrapping_sub(odd[k]);
        }
    }
    out
}

/// Factors of 13 bits after the point.
const fn fixed(x: f64) -> i32 {
    (x * 8192.0 + if x < 0.0 { -0.5 } else { 0.5 }) as i32
}

/// Columns of a block by the transform of Loeffler, Ligtenberg and Moschytz; the results are less by `shift` bits.
#[inline(always)]
fn exact_pass(x: &Block, shift: u32) -> Block {
    let mut out = [[0i16; 8]; 8];
    for i in 0..8 {
        let at = |k: usize| i32::from(x[k][i]);
        let c2 =
            at(2) * fixed(0.541_196_100) + at(6) * (fixed(0.541_196_100) - fixed(1.847_759_065));
        let c3 =
            at(2) * (fixed(0.541_196_100) + fixed(0.765_366_865)) + at(6) * fixed(0.541_196_100);
        let a = i32::from(x[0][i].wrapping_add(x[4][i])) << 13;
        let b = i32::from(x[0][i].wrapping_sub(x[4][i])) << 13;
        let even = [a.wrapping_add(c3), b.wrapping_add(c2), b.wrapping_sub(c2), a.wrapping_sub(c3)];
        let (s3, s4) =
            (i32::from(x[3][i].wrapping_add(x[7][i])), i32::from(x[1][i].wrapping_add(x[5][i])));
        let z3 = s3 * (fixed(1.175_875_602) - fixed(1.961_570_560)) + s4 * fixed(1.175_875_602);
        let z4 = s3 * fixed(1.175_875_602) + s4 * (fixed(1.175_875_602) - fixed(0.390_180_644));
        let (f1, f2) = (fixed(0.899_976_223), fixed(2.562_915_447));
        let odd = [
            (at(1) * (fixed(1.501_321_110) - f1) - at(7) * f1).wrapping_add(z4),
            (at(3) * (fixed(3.072_711_026) - f2) - at(5) * f2).wrapping_add(z3),
            (at(5) * (fixed(2.053_119_869) - f2) - at(3) * f2).wrapping_add(z4),
            (at(7) * (fixed(0.298_631_336) - f1) - at(1) * f1).wrapping_add(z3),
        ];
        for k in 0..4 {
            out[k][i] = narrowed(even[k].wrapping_add(odd[k]), shift);
            out[7 - k][i] = narrowed(even[k].wrapping_sub(odd[k]), shift);
        }
    }
    out
}

/// A number with fewer bits, rounded.
#[inline(always)]
fn narrowed(x: i32, shift: u32) -> i16 {
    (x.wrapping_add(1 << (shift - 1)) >> shift).clamp(-32768, 32767) as i16
}

/// Four of the eight frequencies of columns.
fn four(x: [i16; 8], shift: u32) -> [i16; 4] {
    let x = x.map(i32::from);
    let a = x[0] << 14;
    let c = x[2] * fixed(1.847_759_065) - x[6] * fixed(0.765_366_865);
    let o0 = (x[5] * fixed(1.451_774_981) - x[7] * fixed(0.211_164_243))
        .wrapping_add(x[1] * fixed(1.061_594_337) - x[3] * fixed(2.172_734_803));
    let o2 = (x[3] * fixed(0.899_976_223) + x[1] * fixed(2.562_915_447))
        .wrapping_add(-x[7] * fixed(0.509_795_579) - x[5] * fixed(0.601_344_887));
    let (p, q) = (a.wrapping_add(c), a.wrapping_sub(c));
    [p.wrapping_add(o2), q.wrapping_add(o0), q.wrapping_sub(o0), p.wrapping_sub(o2)]
        .map(|x| narrowed(x, shift))
}

/// Two of the eight frequencies of columns.
fn two(x: [i32; 8], shift: u32) -> [i32; 2] {
    let odd = (x[5].wrapping_mul(fixed(0.850_430_095)))
        .wrapping_sub(x[7].wrapping_mul(fixed(0.720_959_822)))
        .wrapping_add(x[1].wrapping_mul(fixed(3.624_509_785)))
        .wrapping_sub(x[3].wrapping_mul(fixed(1.272_758_580)));
    let a = x[0] << 15;
    [a.wrapping_add(odd), a.wrapping_sub(odd)].map(|x| x.wrapping_add(1 << (shift - 1)) >> shift)
}

impl Transform {
    /// Of blocks quantized by a table in the order of rows; `size` is 8, 4, 2 or 1.
    pub fn new(quant: &[u16; 64], size: usize, fast: bool) -> Self {
        let fast = fast && size == 8;
        let scale = [
            1.0,
            1.387_039_845,
            1.306_562_965,
            1.175_875_602,
            1.0,
            0.785_694_958,
            0.541_196_100,
            0.275_899_379,
        ];
        let factors = std::array::from_fn(|i| match fast {
            false => quant[i] as i16,
            true => {
                let scale = (scale[i / 8] * scale[i % 8] * 16384.0_f64).round() as i32;
                ((i32::from(quant[i]) * scale + (1 << 11)) >> 12) as i16
            }
        });
        Self { size, fast, factors }
    }

    /// Rows and columns of samples that a block becomes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Writes the samples of a block to rows that are `stride` long; `flat` if only its first number is not 0.
    #[inline]
    pub fn write(&self, block: &[i16; 64], flat: bool, out: &mut [u8], stride: usize) {
        let times = |i: usize| block[i].wrapping_mul(self.factors[i]);
        if flat && self.size > 2 {
            let x = times(0);
            let x =
                sample(if self.fast { i32::from(x) >> 5 } else { (i32::from(x << 2) + 16) >> 5 });
            for row in out.chunks_mut(stride).take(self.size) {
                match row.first_chunk_mut::<8>() {
                    Some(row) if self.size == 8 => *row = [x; 8],
                    _ => row[..self.size].fill(x),
                }
            }
            return;
        }
        match self.size {
            8 => {
                let x = simd(
                    #[inline(always)]
                    || self.whole(block),
                );
                for (row, x) in out.chunks_mut(stride).zip(x) {
                    row[..8].copy_from_slice(&x);
                }
            }
            4 => {
                let level = (8..64).all(|i| i / 8 == 4 || i % 8 == 4 || block[i] == 0);
                let columns: [[i16; 4]; 8] = std::array::from_fn(|j| match level {
                    true => [times(j) << 2; 4],
                    false => four(std::array::from_fn(|i| times(i * 8 + j)), 12),
                });
                for (i, row) in out.chunks_mut(stride).take(4).enumerate() {
                    let x = four(std::array::from_fn(|j| columns[j][i]), 19);
                    row[..4].copy_from_slice(&x.map(|x| sample(x.into())));
                }
            }
            2 => {
                let columns: [[i32; 2]; 8] = std::array::from_fn(|j| {
                    two(std::array::from_fn(|i| times(i * 8 + j).into()), 13)
                });
                for (i, row) in out.chunks_mut(stride).take(2).enumerate() {
                    let narrow = |j: usize| {
                        if j == 0 { columns[0][i] } else { columns[j][i].clamp(-32768, 32767) }
                    };
                    let x = two(std::array::from_fn(narrow), 20);
                    row[..2].copy_from_slice(&x.map(sample));
                }
            }
            _ => {
                let x = (i32::from(block[0]) * i32::from(self.factors[0]) + 4) >> 3;
                // As libjpeg's table of 1024 entries.
                out[0] = sample(((x + 512) & 1023) - 512);
            }
        }
    }

    #[inline(always)]
    fn whole(&self, block: &[i16; 64]) -> [[u8; 8]; 8] {
        let mut x = [[0i16; 8]; 8];
        for ((x, block), factor) in x.as_flattened_mut().iter_mut().zip(block).zip(&self.factors) {
            *x = block.wrapping_mul(*factor);
        }
        if self.fast {
            return samples(&fast_pass(&transposed(&fast_pass(&x))), 5);
        }
        // As libjpeg's shorter way, which matters if numbers overflow.
        let level = x[1..].as_flattened().iter().all(|x| *x == 0);
        if level {
            x[0].iter_mut().for_each(|x| *x <<= 2);
            x = [x[0]; 8];
        } else {
            x = exact_pass(&x, 11);
        }
        samples(&exact_pass(&transposed(&x), 18), 0)
    }
}

/// Samples between those of two rows, near and far: a quarter of the way, rounded by adding `bias`.
pub fn blended_rows(near: &[u8], far: &[u8], bias: u16, out: &mut [u8]) {
    for ((out, x), far) in out.iter_mut().zip(near).zip(far) {
        *out = ((u16::from(*x) * 3 + u16::from(*far) + bias) >> 2) as u8;
    }
}

/// Twice as many samples of a row, a quarter of the way to those beside. With a row that is far, the rows are blended
/// first.
pub fn blended_columns(near: &[u8], far: Option<&[u8]>, sums: &mut [u16], out: &mut [u8]) {
    simd(
        #[inline(always)]
        || match far {
            Some(far) => {
                for ((sum, x), far) in sums.iter_mut().zip(near).zip(far) {
                    *sum = u16::from(*x) * 3 + u16::from(*far);
                }
                doubled::<8, 7, 8, 4>(&sums[..near.len()], out);
            }
            None => {
                sums.iter_mut().zip(near).for_each(|(sum, x)| *sum = u16::from(*x));
                doubled::<1, 2, 0, 2>(&sums[..near.len()], out);
            }
        },
    );
}

/// With the terms that round to the left, to the right, and at the left end.
#[inline(always)]
fn doubled<const LEFT: u16, const RIGHT: u16, const END: u16, const BITS: u32>(
    x: &[u16],
    out: &mut [u8],
) {
    let (Some(first), Some(last)) = (x.first(), x.last()) else { return };
    out[0] = ((first * 4 + END) >> BITS) as u8;
    for ((out, x), next) in out[1..].chunks_exact_mut(2).zip(x).zip(&x[1..]) {
        out[0] = ((x * 3 + next + RIGHT) >> BITS) as u8;
        out[1] = ((next * 3 + x + LEFT) >> BITS) as u8;
    }
    out[2 * x.len() - 1] = ((last * 4 + if END > 0 { RIGHT } else { 0 }) >> BITS) as u8;
}

/// The high half of a product.
#[inline(always)]
fn high(x: i16, y: i16) -> i16 {
    ((i32::from(x) * i32::from(y)) >> 16) as i16
}

/// Red, green and blue of a luminance and two chrominances; the factors have 16 bits after the point.
#[inline(always)]
pub fn rgb([y, cb, cr]: [u8; 3]) -> [u8; 3] {
    let [y, cb, cr] = [i16::from(y), i16::from(cb) - 128, i16::from(cr) - 128];
    let red = y + cr + ((high(2 * cr, 26345) + 1) >> 1);
    let blue = y + 2 * cb + ((high(2 * cb, -14942) + 1) >> 1);
    let green = (i32::from(cb) * -22554 + i32::from(cr) * 18734 + 32768) >> 16;
    [red, y + green as i16 - cr, blue].map(|x| x.clamp(0, 255) as u8)
}

/// Pixels of a row: red, green and blue.
pub fn rgb_row([y, cb, cr]: [&[u8]; 3], out: &mut [u8]) {
    simd(
        #[inline(always)]
        || {
            for (((out, y), cb), cr) in out.chunks_exact_mut(3).zip(y).zip(cb).zip(cr) {
                out.copy_from_slice(&rgb([*y, *cb, *cr]));
            }
        },
    );
}

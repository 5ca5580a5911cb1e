//! Planes become pixels: samples are repeated or blended between, and colours converted.

use super::marker::{Colours, Component, Header};
use super::scan::Plane;
use crate::array::vec_for;
use crate::types::{Result, bail, err};
use extype_kernels::image::jpeg;

/// How the samples of a plane become those of an image.
pub(super) struct Spread {
    /// Pixels of a sample, in a row and in a column.
    across: usize,
    down: usize,
    /// Whether samples between are blended.
    blends: bool,
    /// Samples of the image.
    rows: usize,
    columns: usize,
    pub(super) size: usize,
}

impl Spread {
    /// With a block of `size` rows and columns of pixels.
    pub(super) fn new(
        header: &Header,
        c: &Component,
        size: usize,
        fancy: bool,
        used: bool,
    ) -> Result<Self> {
        // A smaller image takes samples of planes that are smaller already.
        let mut own = size;
        while own < 8
            && (header.across * size).is_multiple_of(c.across * own * 2)
            && (header.down * size).is_multiple_of(c.down * own * 2)
        {
            own *= 2;
        }
        let (a, d) = (c.across * own / size, c.down * own / size);
        if used && !(header.across.is_multiple_of(a) && header.down.is_multiple_of(d)) {
            bail!("the samplings of the JPEG file are no multiples of each other");
        }
        let (across, down) = (header.across / a, header.down / d);
        let columns = (header.width * c.across * own).div_ceil(header.across * 8);
        let rows = (header.height * c.down * own).div_ceil(header.down * 8);
        let blends = fancy
            && used
            && size > 1
            && match (across, down) {
                (2, 1 | 2) => columns > 2,
                (1, 2) => true,
                _ => false,
            };
        Ok(Self { across, down, blends, rows, columns, size: own })
    }

    /// Whether the rows above and below are used.
    pub(super) fn has_context(&self) -> bool {
        self.blends && self.down == 2
    }

    /// For the columns of a window.
    pub(super) fn crop(spreads: &mut [Self], width: usize) {
        let narrow = spreads.iter().any(|s| s.columns >= 2 && width.div_ceil(s.across) < 2);
        for s in spreads {
            s.columns = width.div_ceil(s.across);
            s.blends &= !(narrow && s.across == 2 && s.columns <= 2);
        }
    }

    /// Row `y` of the image, from a column of the plane on.
    fn row(&self, plane: &Plane, y: usize, from: usize, sums: &mut [u16], out: &mut [u8]) {
        let samples = |row: usize| {
            let at = row.min(self.rows - 1) * plane.stride + from;
            &plane.samples[at..at + self.columns]
        };
        let near = samples(y / self.down);
        if !self.blends {
            match self.across {
                1 => out[..near.len()].copy_from_slice(near),
                2 => out.chunks_exact_mut(2).zip(near).for_each(|(out, x)| out.fill(*x)),
                n => out.chunks_mut(n).zip(near).for_each(|(out, x)| out.fill(*x)),
            }
            return;
        }
        let up = y.is_multiple_of(2);
        let far = samples(if up { (y / 2).saturating_sub(1) } else { y / 2 + 1 });
        match self.across {
            1 => jpeg::blended_rows(near, far, if up { 1 } else { 2 }, out),
            _ => jpeg::blended_columns(near, (self.down == 2).then_some(far), sums, out),
        }
    }
}

/// A window of an image.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) top: usize,
    pub(super) left: usize,
    pub(super) height: usize,
    pub(super) width: usize,
}

/// How many of `n` components are used: the first of those whose others are colours only.
pub(super) fn used(colours: Colours, channels: usize, n: usize) -> usize {
    if (colours, channels) == (Colours::Ycc, 1) { 1 } else { n }
}

/// The pixels of the first `rows` rows of a window; the others are black.
pub(super) fn pixels(
    header: &Header,
    planes: &[Plane],
    spreads: &[Spread],
    window: Window,
    unit: usize,
    rows: usize,
    channels: usize,
) -> Result<Vec<u8>> {
    let colours = header.colours();
    let left = window.left / unit * unit;
    let skipped = window.left - left;
    let used = used(colours, channels, planes.len());
    let width = window.width + skipped;
    let mut out = vec_for(window.height * window.width * channels)?;
    out.resize(window.height * window.width * channels, 0u8);
    // An odd last sample has a second pixel.
    let mut lines = vec![vec![0u8; width + 8]; used];
    let mut sums = vec![0u16; width + 8];
    for (y, out) in out.chunks_exact_mut(window.width * channels).take(rows).enumerate() {
        for ((plane, spread), line) in planes.iter().zip(spreads).zip(&mut lines) {
            spread.row(plane, window.top + y, left / spread.across, &mut sums, line);
        }
        let lines: Vec<&[u8]> = lines.iter().map(|l| &l[skipped..width]).collect();
        convert(colours, header.adobe.is_some(), &lines, channels, out)?;
    }
    Ok(out)
}

fn convert(
    colours: Colours,
    adobe: bool,
    lines: &[&[u8]],
    channels: usize,
    out: &mut [u8],
) -> Result<()> {
    let of = |i: usize| lines[i].iter().copied();
    let triples = || of(0).zip(of(1)).zip(of(2)).map(|((a, b), c)| [a, b, c]);
    let pixels = out.chunks_exact_mut(channels);
    match (colours, channels) {
        (Colours::Grey | Colours::Ycc, 1) => out.copy_from_slice(lines[0]),
        (Colours::Rgb, 1) => pixels.zip(triples()).for_each(|(out, [r, g, b])| {
            let grey = u32::from(r) * 19595 + u32::from(g) * 38470 + u32::from(b) * 7471 + 32768;
            out[0] = (grey >> 16) as u8;
        }),
        (Colours::Grey, 3) => pixels.zip(of(0)).for_each(|(out, x)| out.fill(x)),
        (Colours::Rgb, 3) => pixels.zip(triples()).for_each(|(out, x)| out.copy_from_slice(&x)),
        (Colours::Ycc, 3) => {
            jpeg::rgb_row([lines[0], lines[1], lines[2]], out);
        }
        (Colours::Cmyk | Colours::Ycck, 3) => {
            pixels.zip(triples()).zip(of(3)).for_each(|((out, x), k)| {
                let inks = if colours == Colours::Ycck { jpeg::rgb(x).map(|x| 255 - x) } else { x };
                let light = |x: u8| u32::from(if adobe { x } else { 255 - x });
                for (out, ink) in out.iter_mut().zip(inks) {
                    *out = (light(k) * light(ink) / 255) as u8;
                }
            });
        }
        _ => Err(err!("the colours of the JPEG file become no {channels} channels"))?,
    }
    Ok(())
}

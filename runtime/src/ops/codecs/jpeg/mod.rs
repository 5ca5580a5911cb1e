//! JPEG files: TensorFlow's pixels, which are those of libjpeg-turbo.
//!
//! `marker` reads what a file tells of itself, `bits` and `scan` read the numbers of blocks, which become planes of
//! samples, and `pixels` makes colours of them. The arithmetic of blocks and rows stands in the kernels.

mod bits;
mod marker;
mod pixels;
mod scan;
mod smooth;

use jpeg_encoder::{ColorType, Encoder, SamplingFactor};

use super::{DecodeJpeg, Decoded, Pixels, bytes_of, damaged};
use crate::ir::KernelContext;
use crate::types::{Result, bail};
use bits::Source;
use marker::{Colours, Header};
use pixels::{Spread, Window, pixels, used};
use scan::{Planes, Wish};

/// How a JPEG file is decoded.
pub(super) struct Options {
    /// By which factor the image is made smaller.
    ratio: usize,
    /// Whether samples between those of a file are blended.
    fancy: bool,
    /// Whether transforms are fast or exact.
    fast: bool,
    /// Whether a file that ends too early is decoded as far as it goes.
    recover: bool,
    /// The least part of the rows; the others are black.
    fraction: f32,
}

impl Default for Options {
    fn default() -> Self {
        Self { ratio: 1, fancy: true, fast: true, recover: false, fraction: 1.0 }
    }
}

impl Options {
    pub(super) fn new(c: &KernelContext<'_>) -> Result<Self> {
        let ratio: i64 = c.get(DecodeJpeg::RATIO)?;
        if ![1, 2, 4, 8].contains(&ratio) {
            bail!("`ratio` is 1, 2, 4 or 8, not {ratio}");
        }
        let method: String = c.get(DecodeJpeg::DCT_METHOD)?;
        if !["", "INTEGER_FAST", "INTEGER_ACCURATE"].contains(&&method[..]) {
            bail!("`dct_method` is \"INTEGER_FAST\" or \"INTEGER_ACCURATE\", not {method:?}");
        }
        Ok(Self {
            ratio: ratio as usize,
            fancy: c.get(DecodeJpeg::FANCY_UPSCALING)?,
            fast: method != "INTEGER_ACCURATE",
            recover: c.get(DecodeJpeg::TRY_RECOVER_TRUNCATED)?,
            fraction: c.get(DecodeJpeg::ACCEPTABLE_FRACTION)?,
        })
    }
}

/// The shape of the image in a file: rows, columns and channels.
pub(super) fn shape(bytes: &[u8]) -> Result<[usize; 3]> {
    let (header, _) = Header::read(&mut Source::new(bytes, false))?;
    Ok([header.height, header.width, header.components.len()])
}

/// The image, or a window `[top, left, height, width]` of it.
pub(super) fn decoded(
    bytes: &[u8],
    wanted: Option<usize>,
    options: &Options,
    window: Option<[i64; 4]>,
) -> Result<Decoded> {
    let mut source = Source::new(bytes, options.recover);
    let (mut header, scan) = Header::read(&mut source)?;
    let colours = header.colours();
    let channels = wanted.unwrap_or(header.components.len().min(3));
    let fits = match colours {
        Colours::Grey | Colours::Rgb | Colours::Ycc => [1, 3].contains(&channels),
        Colours::Cmyk | Colours::Ycck => channels == 3,
        Colours::Unknown => false,
    };
    if !fits {
        bail!(
            "a JPEG file with {} components does not become {channels} channels",
            header.components.len()
        );
    }
    let [height, width] = [header.height, header.width].map(|n| n.div_ceil(options.ratio));
    let window = match window {
        None => Window { top: 0, left: 0, height, width },
        Some(w) => Window::new(w, height, width)?,
    };
    bytes_of(&[height, width, header.components.len()])?;
    let size = 8 / options.ratio;
    let mut spreads = Vec::new();
    let used = used(colours, channels, header.components.len());
    for (i, c) in header.components.iter().enumerate() {
        spreads.push(Spread::new(&header, c, size, options.fancy, i < used)?);
    }
    // Rows that blend with those below come with the next row of units.
    let rows = size * header.down;
    let delay = if spreads.iter().any(Spread::has_context) { header.down } else { 0 };
    let end = window.top + window.height;
    let all = header.units()[0];
    let unit = size * header.across;
    let wish = Wish {
        sizes: spreads.iter().map(|s| s.size).collect(),
        fast: options.fast,
        rows: (end + delay).div_ceil(rows).min(all),
        from: window.left / unit,
        to_end: end == height,
    };
    if window.width < width {
        Spread::crop(&mut spreads, window.width + window.left % unit);
    }
    let (planes, read) = Planes::read(&mut header, &mut source, scan, &wish)?;
    let there = if read == all { height } else { (read * rows).saturating_sub(delay) };
    let there = there.saturating_sub(window.top).min(window.height);
    if (there as f32 / window.height as f32) < options.fraction.min(1.0) {
        bail!("the JPEG file ends too early: it holds {there} rows of {}", window.height);
    }
    let out = pixels(&header, &planes.0, &spreads, window, unit, there, channels)?;
    let Window { height, width, .. } = window;
    Ok(Decoded { frames: None, height, width, channels, pixels: Pixels::Bytes(out), word: 256 })
}

impl Window {
    fn new(window: [i64; 4], height: usize, width: usize) -> Result<Self> {
        let sizes = window.map(|n| usize::try_from(n).ok());
        match sizes {
            [Some(top), Some(left), Some(h @ 1..), Some(w @ 1..)]
                if top.saturating_add(h) <= height && left.saturating_add(w) <= width =>
            {
                Ok(Self { top, left, height: h, width: w })
            }
            _ => bail!(
                "the window {window:?} does not lie in an image of {height} rows and {width} columns"
            ),
        }
    }
}

/// How a JPEG file is written.
pub(super) struct Encoding {
    pub(super) quality: u8,
    pub(super) progressive: bool,
    pub(super) optimized: bool,
    pub(super) downsampled: bool,
}

pub(super) fn encoded(
    x: &[u8],
    [height, width, channels]: [usize; 3],
    options: &Encoding,
) -> Result<Vec<u8>> {
    let (Ok(wide), Ok(high)) = (u16::try_from(width), u16::try_from(height)) else {
        bail!("a JPEG file has at most 65535 rows and columns, not {height} and {width}");
    };
    let mut out = Vec::new();
    let mut encoder = Encoder::new(&mut out, options.quality.max(1));
    encoder.set_progressive(options.progressive);
    encoder.set_optimized_huffman_tables(options.optimized);
    encoder.set_sampling_factor(match options.downsampled {
        true => SamplingFactor::F_2_2,
        false => SamplingFactor::F_1_1,
    });
    let colours = if channels == 1 { ColorType::Luma } else { ColorType::Rgb };
    encoder.encode(x, wide, high, colours).map_err(|e| damaged("JPEG", e))?;
    Ok(out)
}

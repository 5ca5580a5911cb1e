//! PNG files.

use std::io::Cursor;

use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Limits, Transformations};

use super::{Decoded, MOST_BYTES, Pixels, bytes_of, damaged};
use crate::array::{Array, vec_for};
use crate::types::{DType, Result, bail};

fn count(colours: ColorType) -> usize {
    match colours {
        ColorType::Grayscale | ColorType::Indexed => 1,
        ColorType::GrayscaleAlpha => 2,
        ColorType::Rgb => 3,
        ColorType::Rgba => 4,
    }
}

pub(super) fn decoded(bytes: &[u8], wanted: Option<usize>) -> Result<Decoded> {
    let limits = Limits { bytes: MOST_BYTES };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(|e| damaged("PNG", e))?;
    let (colours, depth) = reader.output_color_type();
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    let channels = count(colours);
    let wide = depth == BitDepth::Sixteen;
    let len = bytes_of(&[height, width, channels, if wide { 2 } else { 1 }])?;
    let mut raw = vec_for(len)?;
    raw.resize(len, 0);
    reader.next_frame(&mut raw).map_err(|e| damaged("PNG", e))?;
    let to = wanted.unwrap_or(channels);
    bytes_of(&[height, width, to, 2])?;
    let pixels = if wide {
        let words: Vec<u16> = raw.as_chunks().0.iter().map(|b| u16::from_be_bytes(*b)).collect();
        Pixels::Words(with_channels(&words, channels, to, u16::MAX, u32::from)?)
    } else {
        Pixels::Bytes(with_channels(&raw, channels, to, u8::MAX, u32::from)?)
    };
    Ok(Decoded { frames: None, height, width, channels: to, pixels, word: 257 })
}

/// Pixels with another number of channels: grey is repeated, colours are weighted, and what has no alpha is opaque.
fn with_channels<T: Copy + TryFrom<u32>>(
    x: &[T],
    from: usize,
    to: usize,
    opaque: T,
    wide: impl Fn(T) -> u32,
) -> Result<Vec<T>> {
    let mut out = vec_for(x.len() / from * to)?;
    if from == to {
        out.extend_from_slice(x);
        return Ok(out);
    }
    for pixel in x.chunks_exact(from) {
        let (colours, alpha) = match pixel {
            [grey] => (&[*grey, *grey, *grey], opaque),
            [grey, alpha] => (&[*grey, *grey, *grey], *alpha),
            [r, g, b] => (&[*r, *g, *b], opaque),
            [r, g, b, alpha, ..] => (&[*r, *g, *b], *alpha),
            [] => continue,
        };
        match to {
            1 if from < 3 => out.push(colours[0]),
            1 => {
                // In parts of 2^15. As in libpng, only words are rounded.
                let [r, g, b] = colours.map(|x| u64::from(wide(x)));
                let half = if wide(opaque) > 255 { 1 << 14 } else { 0 };
                let grey = (9797 * r + 19234 * g + 3737 * b + half) >> 15;
                out.push(T::try_from(grey as u32).unwrap_or(opaque));
            }
            3 => out.extend(colours),
            _ => {
                out.extend(colours);
                out.push(alpha);
            }
        }
    }
    Ok(out)
}

pub(super) fn encoded(
    x: &Array,
    [height, width, channels]: [usize; 3],
    level: i64,
) -> Result<Vec<u8>> {
    let colours = match channels {
        1 => ColorType::Grayscale,
        2 => ColorType::GrayscaleAlpha,
        3 => ColorType::Rgb,
        4 => ColorType::Rgba,
        n => bail!("a PNG file has 1 to 4 channels, not {n}"),
    };
    let compression = match level {
        -1 | 4..=6 => Compression::Balanced,
        0 => Compression::NoCompression,
        1..=3 => Compression::Fast,
        7..=9 => Compression::High,
        n => bail!("`compression` is from -1 to 9, not {n}"),
    };
    let mut out = Vec::new();
    let mut encoder = Encoder::new(&mut out, width as u32, height as u32);
    encoder.set_color(colours);
    encoder.set_compression(compression);
    let words;
    let bytes = if x.dtype() == DType::U16 {
        encoder.set_depth(BitDepth::Sixteen);
        words = x.as_slice::<u16>()?.iter().flat_map(|x| x.to_be_bytes()).collect::<Vec<u8>>();
        &words
    } else {
        encoder.set_depth(BitDepth::Eight);
        x.as_slice::<u8>()?
    };
    let failed = |e: png::EncodingError| damaged("PNG", e);
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(bytes).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(out)
}

//! JPEG files.

use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

use super::{Decoded, Pixels, bytes_of, damaged};
use crate::array::{copy_of, vec_for};
use crate::types::{Result, bail};

/// How a JPEG file is decoded.
pub(super) struct Options {
    /// By which factor the image is made smaller.
    ratio: usize,
    /// Whether a file that ends too early is decoded as far as it goes.
    recover: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { ratio: 1, recover: false }
    }
}

impl Options {
    pub(super) fn new(ratio: i64, dct_method: &str, recover: bool) -> Result<Self> {
        if ![1, 2, 4, 8].contains(&ratio) {
            bail!("`ratio` is 1, 2, 4 or 8, not {ratio}");
        }
        if !["", "INTEGER_FAST", "INTEGER_ACCURATE"].contains(&dct_method) {
            bail!("`dct_method` is \"INTEGER_FAST\" or \"INTEGER_ACCURATE\", not {dct_method:?}");
        }
        Ok(Self { ratio: ratio as usize, recover })
    }
}

/// A decoder that has read the header, with the size and the channels of the file.
fn opened(bytes: &[u8], recover: bool) -> Result<(JpegDecoder<ZCursor<&[u8]>>, [usize; 3])> {
    let options = DecoderOptions::default()
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        .set_strict_mode(!recover);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(|e| damaged("JPEG", e))?;
    let channels = match decoder.input_colorspace() {
        Some(ColorSpace::Luma) => 1,
        Some(ColorSpace::CMYK | ColorSpace::YCCK) => 4,
        _ => 3,
    };
    match decoder.dimensions() {
        Some((width, height)) => Ok((decoder, [height, width, channels])),
        None => bail!("the JPEG file tells no size"),
    }
}

pub(super) fn shape(bytes: &[u8]) -> Result<[usize; 3]> {
    Ok(opened(bytes, true)?.1)
}

pub(super) fn decoded(bytes: &[u8], wanted: Option<usize>, options: &Options) -> Result<Decoded> {
    // The decoder takes a file that ends too early for one that is grey from there.
    if !options.recover && !bytes.windows(2).any(|pair| pair == [0xff, 0xd9]) {
        bail!("the JPEG file ends too early");
    }
    let [height, width, _] = opened(bytes, options.recover)?.1;
    let blocks = if options.ratio > 1 { whole_blocks(bytes)? } else { None };
    let (mut decoder, [rows, columns, own]) =
        opened(blocks.as_deref().unwrap_or(bytes), options.recover)?;
    let channels = match wanted {
        Some(n @ (1 | 3)) => n,
        Some(n) => bail!("a JPEG file has 1 or 3 channels, not {n}"),
        None if own == 1 => 1,
        None => 3,
    };
    let len = bytes_of(&[rows, columns, channels])?;
    let colours = if channels == 1 { ColorSpace::Luma } else { ColorSpace::RGB };
    decoder.set_options(decoder.options().jpeg_set_out_colorspace(colours));
    let pixels = decoder.decode().map_err(|e| damaged("JPEG", e))?;
    if pixels.len() != len {
        bail!("the JPEG file has {} numbers, not {len}", pixels.len());
    }
    let [height, width] = [height, width].map(|n| n.div_ceil(options.ratio));
    let pixels = smaller(pixels, [rows, columns, channels], [height, width], options.ratio)?;
    let pixels = Pixels::Bytes(pixels);
    Ok(Decoded { frames: None, height, width, channels, pixels, word: 256 })
}

/// The file with its height and width rounded up to whole blocks of 8, which it holds. A smaller image has means of these,
/// as in libjpeg, also beyond the edges of the image.
fn whole_blocks(bytes: &[u8]) -> Result<Option<Vec<u8>>> {
    let mut at = 2;
    // Segments: a marker, the length of what follows, and that.
    while let Some([0xff, marker, length @ .., _, high, low, right, left]) =
        bytes.get(at..).and_then(|s| s.first_chunk::<9>())
    {
        if !(0xc0..=0xc2).contains(marker) {
            at += 2 + usize::from(u16::from_be_bytes(*length));
            continue;
        }
        let mut whole = copy_of(bytes)?;
        for (place, size) in [(at + 5, [*high, *low]), (at + 7, [*right, *left])] {
            let Some(size) = u16::from_be_bytes(size).checked_next_multiple_of(8) else { break };
            whole[place..place + 2].copy_from_slice(&size.to_be_bytes());
        }
        return Ok(Some(whole));
    }
    Ok(None)
}

/// The means of square blocks of pixels: `to` rows and columns of them.
fn smaller(
    x: Vec<u8>,
    [height, width, channels]: [usize; 3],
    to: [usize; 2],
    ratio: usize,
) -> Result<Vec<u8>> {
    if ratio == 1 {
        return Ok(x);
    }
    let mut out = vec_for(to[0] * to[1] * channels)?;
    for row in 0..to[0] {
        for column in 0..to[1] {
            for channel in 0..channels {
                let (mut sum, mut count) = (0u32, 0u32);
                for y in row * ratio..(row * ratio + ratio).min(height) {
                    for x_at in column * ratio..(column * ratio + ratio).min(width) {
                        sum += u32::from(x[(y * width + x_at) * channels + channel]);
                        count += 1;
                    }
                }
                out.push(((sum + count / 2) / count) as u8);
            }
        }
    }
    Ok(out)
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

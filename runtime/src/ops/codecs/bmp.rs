//! BMP files without compression, as TensorFlow reads them: bytes of a palette are grey.

use super::{Decoded, Pixels, bytes_of};
use crate::array::vec_for;
use crate::types::{Result, bail};

pub(super) fn decoded(bytes: &[u8], wanted: Option<usize>) -> Result<Decoded> {
    let number = |at: usize| -> Result<i32> {
        match bytes.get(at..).and_then(|b| b.first_chunk()) {
            Some(word) => Ok(i32::from_le_bytes(*word)),
            None => bail!("the BMP file ends in its header, after {} bytes", bytes.len()),
        }
    };
    if !bytes.starts_with(b"BM") {
        bail!("the file is no BMP image");
    }
    let (start, width, height) = (number(10)?, number(18)?, number(22)?);
    let bits = match bytes.get(28..30) {
        Some([low, high]) => u16::from_le_bytes([*low, *high]),
        _ => bail!("the BMP file ends in its header, after {} bytes", bytes.len()),
    };
    let channels = match bits {
        8 => 1,
        24 => 3,
        32 => 4,
        other => bail!("the BMP file has {other} bits for each pixel; 8, 24 and 32 are read"),
    };
    let to = match wanted {
        Some(1) => bail!("a BMP file is decoded to 3 or 4 channels, or to its own for 0; not 1"),
        Some(wanted) => wanted,
        None => channels,
    };
    let (Ok(start), Ok(width)) = (usize::try_from(start), usize::try_from(width)) else {
        bail!("the BMP file has a negative width or offset");
    };
    // Rows go upwards unless the height is negative.
    let rows = height.unsigned_abs() as usize;
    bytes_of(&[rows, width, channels])?;
    let len = bytes_of(&[rows, width, to])?;
    let line = (width * channels).next_multiple_of(4);
    let pixels = bytes.get(start..).unwrap_or_default();
    if pixels.len() < line.saturating_mul(rows - 1) + width * channels {
        bail!("the BMP file has {} bytes of pixels for {rows} rows of {line}", pixels.len());
    }
    let mut out = vec_for(len)?;
    for row in 0..rows {
        let from = if height > 0 { rows - 1 - row } else { row };
        for pixel in pixels[from * line..][..width * channels].chunks_exact(channels) {
            let all = match *pixel {
                [b, g, r] => [r, g, b, u8::MAX],
                [b, g, r, a] => [r, g, b, a],
                _ => [pixel[0], pixel[0], pixel[0], u8::MAX],
            };
            out.extend_from_slice(&all[..to]);
        }
    }
    let pixels = Pixels::Bytes(out);
    Ok(Decoded { frames: None, height: rows, width, channels: to, pixels, word: 256 })
}

//! GIF files, as TensorFlow reads them: what a frame leaves out is as in the frame before.

use std::num::NonZeroU64;

use gif::{ColorOutput, DecodeOptions, MemoryLimit};

use super::{Decoded, MOST_BYTES, Pixels, bytes_of, damaged};
use crate::array::reserve;
use crate::types::{Result, bail};

/// At most as many frames are decoded.
pub(super) fn decoded(bytes: &[u8], most: usize) -> Result<Decoded> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    if let Some(most) = NonZeroU64::new(MOST_BYTES as u64) {
        options.set_memory_limit(MemoryLimit::Bytes(most));
    }
    let mut decoder = options.read_info(bytes).map_err(|e| damaged("GIF", e))?;
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let size = bytes_of(&[height, width, 3])?;
    let mut out: Vec<u8> = Vec::new();
    let mut frames = 0;
    loop {
        let global = decoder.global_palette().map(<[u8]>::to_vec);
        let frame = match decoder.read_next_frame() {
            Ok(Some(frame)) => frame,
            Ok(None) => break,
            // The frames before a damaged one are there.
            Err(_) if frames > 0 => break,
            Err(e) => return Err(damaged("GIF", e)),
        };
        let Some(palette) = frame.palette.as_deref().or(global.as_deref()) else {
            bail!("frame {frames} of the GIF file has no colours");
        };
        bytes_of(&[frames + 1, size])?;
        let start = out.len();
        reserve(&mut out, size)?;
        match frames {
            0 => out.resize(size, 0),
            _ => out.extend_from_within(start - size..),
        }
        let own = usize::from(frame.width);
        for (i, index) in frame.buffer.iter().enumerate() {
            let (row, column) =
                (usize::from(frame.top) + i / own, usize::from(frame.left) + i % own);
            if row >= height || column >= width || frame.transparent == Some(*index) {
                continue;
            }
            let Some(colour) =
                palette.get(usize::from(*index) * 3..).and_then(|p| p.first_chunk::<3>())
            else {
                bail!("colour {index} in frame {frames} of the GIF file is not in its palette");
            };
            out[start + (row * width + column) * 3..][..3].copy_from_slice(colour);
        }
        frames += 1;
        if frames >= most {
            break;
        }
    }
    if frames == 0 {
        bail!("the GIF file has no frame");
    }
    let pixels = Pixels::Bytes(out);
    Ok(Decoded { frames: Some(frames), height, width, channels: 3, pixels, word: 256 })
}

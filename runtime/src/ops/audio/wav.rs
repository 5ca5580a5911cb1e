//! WAV files: PCM samples of 16 bits.

use crate::array::Array;
use crate::ir::{InferContext, KernelContext, Outputs, Types};
use crate::ops::DecodeWav;
use crate::types::{DType, Dim, Result, Shape, TensorType, bail, err};

/// What lies before the samples of a file that is encoded.
const HEADER: usize = 44;

/// Chunks that may stand before the format.
const SKIPPED: [&[u8]; 8] =
    [b"JUNK", b"bext", b"iXML", b"qlty", b"mext", b"levl", b"link", b"axml"];

pub(in crate::ops) fn infer_decode(c: &InferContext<'_>) -> Result<Types> {
    c.shape(0).with_rank(0).map_err(|e| e.prefixed("`contents`"))?;
    let size = |n: i64, name: &str| match n {
        -1 => Ok(Dim::UNKNOWN),
        n if i32::try_from(n).is_err() || n < 0 => {
            bail!("`{name}` = {n}; -1 for that of the file, or a size")
        }
        n => Ok(Dim::from(n as usize)),
    };
    let samples = size(c.get(DecodeWav::DESIRED_SAMPLES)?, "desired_samples")?;
    let channels = size(c.get(DecodeWav::DESIRED_CHANNELS)?, "desired_channels")?;
    let audio = TensorType::new(DType::F32, Shape::from_iter([samples, channels]));
    Ok([audio, TensorType::new(DType::I32, Shape::scalar())].into_iter().collect())
}

pub(in crate::ops) fn infer_encode(c: &InferContext<'_>) -> Result<Types> {
    c.shape(0).with_rank(2).map_err(|e| e.prefixed("`audio`"))?;
    c.shape(1).with_rank(0).map_err(|e| e.prefixed("`sample_rate`"))?;
    if let Some([rate]) = c.integers(1).as_deref()
        && *rate < 1
    {
        bail!("a sample rate of {rate}; it is above zero");
    }
    Ok([TensorType::new(DType::String, Shape::scalar())].into())
}

/// Reads a file from its start to its end.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8]> {
        let (taken, rest) =
            self.0.split_at_checked(n).ok_or_else(|| err!("the WAV file is too short"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn expect(&mut self, text: &str) -> Result<()> {
        match self.take(text.len())? {
            found if found == text.as_bytes() => Ok(()),
            found => {
                bail!("no WAV file: {:?} in place of {text:?}", String::from_utf8_lossy(found))
            }
        }
    }

    fn u16(&mut self) -> Result<u16> {
        Ok(self.take(2)?.iter().rev().fold(0, |x, byte| x << 8 | u16::from(*byte)))
    }

    fn u32(&mut self) -> Result<u32> {
        Ok(self.take(4)?.iter().rev().fold(0, |x, byte| x << 8 | u32::from(*byte)))
    }
}

/// A file: its samples, two bytes each, the number of channels, and the sample rate.
fn parsed(file: &[u8]) -> Result<(&[u8], usize, u32)> {
    let mut file = Reader(file);
    file.expect("RIFF")?;
    file.u32()?;
    file.expect("WAVE")?;
    loop {
        match file.take(4)? {
            b"fmt " => break,
            chunk if SKIPPED.contains(&chunk) => {
                let size = file.u32()?;
                file.take(size as usize)?;
            }
            chunk => bail!("no format in the WAV file, but {:?}", String::from_utf8_lossy(chunk)),
        }
    }
    let size = file.u32()?;
    if !matches!(size, 16 | 18) {
        bail!("the format of the WAV file has {size} bytes, not 16 or 18");
    }
    let (code, channels, rate) = (file.u16()?, file.u16()?, file.u32()?);
    let (per_second, per_frame, bits) = (file.u32()?, file.u16()?, file.u16()?);
    let frame = u32::from(channels) * 2;
    let consistent = u32::from(per_frame) == frame && per_second == frame.wrapping_mul(rate);
    if code != 1 || channels == 0 || bits != 16 || !consistent {
        bail!(
            "a WAV file of code {code} with {channels} channels of {bits} bits, {per_frame} bytes a frame and \
             {per_second} a second; PCM samples of 16 bits are read"
        );
    }
    file.take(size as usize - 16)?;
    let mut samples = None;
    while !file.0.is_empty() {
        let (chunk, size) = (file.take(4)?, file.u32()?);
        if i32::try_from(size).is_err() {
            bail!("a chunk of {size} bytes in the WAV file");
        }
        if chunk == b"data" {
            if samples.is_some() {
                bail!("two chunks of samples in the WAV file");
            }
            samples = Some(file.take((size / frame * frame) as usize)?);
        } else {
            // What lies behind the samples may be cut off.
            file.take((size as usize).min(file.0.len()))?;
        }
    }
    let samples = samples.ok_or_else(|| err!("no samples in the WAV file"))?;
    Ok((samples, usize::from(channels), rate))
}

pub(in crate::ops) fn decode(c: &KernelContext<'_>) -> Result<Outputs> {
    let [file] = c.input(0).as_strings()? else { bail!("`contents` is a scalar") };
    let (samples, channels, rate) = parsed(file)?;
    let there = samples.len() / 2 / channels;
    let wanted = |n: i64, own: usize| usize::try_from(n).unwrap_or(own);
    let frames = wanted(c.get(DecodeWav::DESIRED_SAMPLES)?, there);
    let columns = wanted(c.get(DecodeWav::DESIRED_CHANNELS)?, channels);
    let audio = c.output_slice(&[frames, columns], |out: &mut [f32]| {
        out.fill(0.0);
        let rows = out.chunks_mut(columns.max(1)).zip(samples.chunks_exact(2 * channels));
        for (out, row) in rows {
            for (i, out) in out.iter_mut().enumerate() {
                let at = 2 * i.min(channels - 1);
                *out = f32::from(i16::from_le_bytes([row[at], row[at + 1]])) / 32768.0;
            }
        }
        Ok(())
    })?;
    let rate = i32::try_from(rate).map_err(|_| err!("a WAV file of {rate} samples a second"))?;
    Ok([audio, Array::scalar(rate)].into_iter().collect())
}

pub(in crate::ops) fn encode(c: &KernelContext<'_>) -> Result<Outputs> {
    let (audio, &[frames, channels]) = (c.input(0).as_slice::<f32>()?, c.input(0).dims()) else {
        bail!("`audio` is a matrix, not of shape {}", c.input(0).shape());
    };
    let rate = c.input(1).to_i64s()?[0];
    let size = audio.len().saturating_mul(2);
    // A header counts the bytes of a frame in 16 bits.
    let width = u16::try_from(channels).ok().filter(|n| (1..=u16::MAX / 2).contains(n));
    let (Some(width), Ok(bytes)) = (width, u32::try_from(size.saturating_add(HEADER))) else {
        bail!("{frames} samples of {channels} channels are no WAV file");
    };
    let Some(rate) = u32::try_from(rate).ok().filter(|rate| *rate > 0) else {
        bail!("a sample rate of {rate}; it is above zero, and below 2^32");
    };
    let frame = u32::from(width) * 2;
    let mut file: Vec<u8> = crate::array::vec_for(bytes as usize)?;
    file.extend_from_slice(b"RIFF");
    file.extend((bytes - 8).to_le_bytes());
    file.extend_from_slice(b"WAVEfmt ");
    file.extend(16u32.to_le_bytes());
    file.extend(1u16.to_le_bytes());
    file.extend(width.to_le_bytes());
    file.extend(rate.to_le_bytes());
    file.extend(rate.wrapping_mul(frame).to_le_bytes());
    file.extend((frame as u16).to_le_bytes());
    file.extend(16u16.to_le_bytes());
    file.extend_from_slice(b"data");
    file.extend((bytes - HEADER as u32).to_le_bytes());
    // A cast to an integer saturates.
    file.extend(audio.iter().flat_map(|x| ((x * 32768.0).round() as i16).to_le_bytes()));
    Ok([Array::from_strings(crate::array::Dims::new(), vec![file])?].into())
}

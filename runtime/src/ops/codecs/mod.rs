//! Image files: PNG, JPEG, GIF and BMP.
//!
//! The sizes that a file tells are checked against a limit before any memory is taken for its pixels.

mod bmp;
mod gif;
mod jpeg;
mod png;

use crate::array::Array;
use crate::define_op;
use crate::ir::{InferContext, KernelContext, Outputs, Types};
use crate::ops::ordering::kernel::cast;
use crate::ops::rules::infer::one;
use crate::types::{DType, DTypeSet, Dim, Result, Shape, bail, err};

/// An image has at most as many bytes. It takes a few seconds to decode so many.
const MOST_BYTES: usize = 1 << 30;

/// Pixels of files: of 8 or 16 bits for each channel.
#[derive(Debug)]
pub(super) enum Pixels {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
}

/// A decoded image, or several of one size.
#[derive(Debug)]
pub(super) struct Decoded {
    pub(super) frames: Option<usize>,
    pub(super) height: usize,
    pub(super) width: usize,
    pub(super) channels: usize,
    pub(super) pixels: Pixels,
    /// By which a byte becomes a word: 257 as in libpng, and 256 as in TensorFlow for other files.
    pub(super) word: u16,
}

/// The number of bytes of an image, if it is not too large.
pub(super) fn bytes_of(sizes: &[usize]) -> Result<usize> {
    let bytes = sizes.iter().try_fold(1usize, |n, size| n.checked_mul(*size));
    match bytes.filter(|n| *n <= MOST_BYTES) {
        Some(0) => bail!("an image of the sizes {sizes:?} has no pixels"),
        Some(n) => Ok(n),
        None => bail!("an image of the sizes {sizes:?} is larger than {MOST_BYTES} bytes"),
    }
}

/// A number of channels that a user may ask for; `None` for those of the file.
fn wanted(channels: i64) -> Result<Option<usize>> {
    match channels {
        0 => Ok(None),
        1 | 3 | 4 => Ok(Some(channels as usize)),
        other => bail!("an image has 1, 3 or 4 channels, 0 for those of the file; not {other}"),
    }
}

/// The bytes of a file.
fn contents<'a>(c: &KernelContext<'a>) -> Result<&'a [u8]> {
    match (c.input(0).rank(), c.input(0).as_strings()?) {
        (0, [bytes]) if bytes.is_empty() => bail!("the file is empty"),
        (0, [bytes]) => Ok(bytes),
        _ => bail!("the contents are a scalar, not of shape {}", c.input(0).shape()),
    }
}

/// What the first bytes of a file tell.
enum Format {
    Png,
    Jpeg,
    Gif,
    Bmp,
}

fn format(bytes: &[u8]) -> Result<Format> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Ok(Format::Png),
        [0xff, 0xd8, 0xff, ..] => Ok(Format::Jpeg),
        [b'G', b'I', b'F', b'8', ..] => Ok(Format::Gif),
        [b'B', b'M', ..] => Ok(Format::Bmp),
        _ => bail!("the file is no PNG, JPEG, GIF or BMP image"),
    }
}

/// The pixels as an array of a dtype; integers use the whole range, floats `[0, 1]`.
fn array_of(image: Decoded, dtype: DType) -> Result<Array> {
    let mut dims = vec![image.height, image.width, image.channels];
    dims.splice(0..0, image.frames);
    let scaled = |x: Array, factor: f64| -> Result<Array> {
        let x = cast(&x, DType::F32)?;
        let factor = factor as f32;
        let y: Vec<f32> = x.as_slice::<f32>()?.iter().map(|x| x * factor).collect();
        Array::from_slice(&dims[..], &y)
    };
    match (image.pixels, dtype) {
        (Pixels::Bytes(x), DType::U8) => Array::from_slice(&dims[..], &x),
        (Pixels::Words(x), DType::U16) => Array::from_slice(&dims[..], &x),
        (Pixels::Bytes(x), DType::U16) => {
            let wide: Vec<u16> = x.iter().map(|x| u16::from(*x) * image.word).collect();
            Array::from_slice(&dims[..], &wide)
        }
        (Pixels::Words(x), DType::U8) => {
            let high: Vec<u8> = x.iter().map(|x| (x >> 8) as u8).collect();
            Array::from_slice(&dims[..], &high)
        }
        (Pixels::Bytes(x), DType::F32) => scaled(Array::from_slice([x.len()], &x)?, 1.0 / 255.0),
        (Pixels::Words(x), DType::F32) => scaled(Array::from_slice([x.len()], &x)?, 1.0 / 65535.0),
        (_, other) => bail!("no pixels of {other}"),
    }
}

/// What is taken of a GIF file.
#[derive(Clone, Copy, PartialEq)]
enum Frames {
    /// All frames, also if there is one.
    All,
    /// The first frame.
    First,
    /// The only frame; a file with more is refused.
    Only,
}

/// Decodes any file but a BMP file.
fn decoded(
    bytes: &[u8],
    channels: Option<usize>,
    jpeg: &jpeg::Options,
    frames: Frames,
) -> Result<Decoded> {
    match format(bytes)? {
        Format::Png => png::decoded(bytes, channels),
        Format::Jpeg => jpeg::decoded(bytes, channels, jpeg, None),
        Format::Bmp => bail!("the file is a BMP image; write `decode_bmp` or `decode_image`"),
        Format::Gif => {
            if ![None, Some(3)].contains(&channels) {
                bail!("GIF images have 3 channels");
            }
            let most = match frames {
                Frames::All => usize::MAX,
                Frames::First => 1,
                Frames::Only => 2,
            };
            let image = gif::decoded(bytes, most)?;
            if frames == Frames::Only && image.frames != Some(1) {
                bail!("the GIF file has several frames; write `decode_gif` or `decode_image`");
            }
            let kept = image.frames.filter(|_| frames == Frames::All);
            Ok(Decoded { frames: kept, ..image })
        }
    }
}

/// The result of one image: its channels, if they are told.
fn image(c: &InferContext<'_>, dtype: DType, channels: i64) -> Result<Types> {
    c.shape(0).with_rank(0)?;
    let n = wanted(channels)?;
    one(dtype, [Dim::UNKNOWN, Dim::UNKNOWN, Dim::from(n)].into_iter().collect())
}

/// The result of an image, or of several frames.
fn image_or_frames(c: &InferContext<'_>) -> Result<Types> {
    let dtype = c.get(DecodeImage::DTYPE)?;
    if ![DType::U8, DType::U16, DType::F32].contains(&dtype) {
        bail!("images are decoded to uint8, uint16 and float32, not {dtype}");
    }
    let image = image(c, dtype, c.get(DecodeImage::CHANNELS)?)?;
    if c.get(DecodeImage::EXPAND_ANIMATIONS)? { one(dtype, Shape::unknown()) } else { Ok(image) }
}

fn png_image(c: &InferContext<'_>) -> Result<Types> {
    let dtype = c.get(DecodePng::DTYPE)?;
    if ![DType::U8, DType::U16].contains(&dtype) {
        bail!(
            "`decode_png` gives uint8 and uint16, not {dtype}; `decode_image` also gives float32"
        );
    }
    image(c, dtype, c.get(DecodePng::CHANNELS)?)
}

fn decode_png(c: &KernelContext<'_>) -> Result<Outputs> {
    let channels = wanted(c.get(DecodePng::CHANNELS)?)?;
    let image = decoded(contents(c)?, channels, &jpeg::Options::default(), Frames::Only)?;
    Ok([array_of(image, c.get(DecodePng::DTYPE)?)?].into())
}

fn decode_image(c: &KernelContext<'_>) -> Result<Outputs> {
    let channels = wanted(c.get(DecodeImage::CHANNELS)?)?;
    let animated = c.get(DecodeImage::EXPAND_ANIMATIONS)?;
    let frames = if animated { Frames::All } else { Frames::First };
    let bytes = contents(c)?;
    let image = match format(bytes)? {
        Format::Bmp => bmp::decoded(bytes, channels)?,
        _ => decoded(bytes, channels, &jpeg::Options::default(), frames)?,
    };
    Ok([array_of(image, c.get(DecodeImage::DTYPE)?)?].into())
}

fn decode_bmp(c: &KernelContext<'_>) -> Result<Outputs> {
    let channels = wanted(c.get(DecodeBmp::CHANNELS)?)?;
    Ok([array_of(bmp::decoded(contents(c)?, channels)?, DType::U8)?].into())
}

fn decode_gif(c: &KernelContext<'_>) -> Result<Outputs> {
    let mut image = decoded(contents(c)?, Some(3), &jpeg::Options::default(), Frames::All)?;
    // Another file is one frame.
    image.frames.get_or_insert(1);
    Ok([array_of(image, DType::U8)?].into())
}

fn decode_jpeg(c: &KernelContext<'_>) -> Result<Outputs> {
    let channels = wanted(c.get(DecodeJpeg::CHANNELS)?)?;
    let image = decoded(contents(c)?, channels, &jpeg::Options::new(c)?, Frames::Only)?;
    Ok([array_of(image, DType::U8)?].into())
}

fn decode_and_crop_jpeg(c: &KernelContext<'_>) -> Result<Outputs> {
    let channels = wanted(c.get(DecodeJpeg::CHANNELS)?)?;
    let window = c.input(1).to_i64s()?;
    let Some(window) = window[..].first_chunk::<4>().filter(|_| window.len() == 4) else {
        bail!("a window is [top, left, height, width], not {window:?}")
    };
    let image = jpeg::decoded(contents(c)?, channels, &jpeg::Options::new(c)?, Some(*window))?;
    Ok([array_of(image, DType::U8)?].into())
}

fn jpeg_shape(c: &KernelContext<'_>) -> Result<Outputs> {
    let shape = jpeg::shape(contents(c)?)?.map(|n| n as i64);
    Ok([cast(&Array::from_i64s(&shape), c.get(ExtractJpegShape::OUTPUT_TYPE)?)?].into())
}

/// The sizes of an image that is encoded.
fn encoded_sizes(x: &Array) -> Result<[usize; 3]> {
    match *x.dims() {
        [h, w, c] if h > 0 && w > 0 && h <= i32::MAX as usize && w <= i32::MAX as usize => {
            Ok([h, w, c])
        }
        _ => bail!(
            "an image has the shape [height, width, channels] and is not empty; not {}",
            x.shape()
        ),
    }
}

fn text(bytes: Vec<u8>) -> Result<Outputs> {
    Ok([Array::from_strings([0usize; 0], vec![bytes])?].into())
}

fn encode_png(c: &KernelContext<'_>) -> Result<Outputs> {
    text(png::encoded(c.input(0), encoded_sizes(c.input(0))?, c.get(EncodePng::COMPRESSION)?)?)
}

fn encode_jpeg(c: &KernelContext<'_>) -> Result<Outputs> {
    let [height, width, channels] = encoded_sizes(c.input(0))?;
    let format: String = c.get(EncodeJpeg::FORMAT)?;
    match (format.as_str(), channels) {
        ("" | "grayscale", 1) | ("" | "rgb", 3) => {}
        ("" | "grayscale" | "rgb", n) => bail!("the format {format:?} is not for {n} channels"),
        (other, _) => bail!("no format {other:?}; there are \"grayscale\" and \"rgb\""),
    }
    let quality: i64 = c.get(EncodeJpeg::QUALITY)?;
    if !(0..=100).contains(&quality) {
        bail!("the quality is {quality}; it must be in [0, 100]");
    }
    let options = jpeg::Encoding {
        quality: quality as u8,
        progressive: c.get(EncodeJpeg::PROGRESSIVE)?,
        optimized: c.get(EncodeJpeg::OPTIMIZE_SIZE)?,
        downsampled: c.get(EncodeJpeg::CHROMA_DOWNSAMPLING)?,
    };
    text(jpeg::encoded(c.input(0).as_slice::<u8>()?, [height, width, channels], &options)?)
}

/// A text that a file gives.
fn scalar_text(c: &InferContext<'_>) -> Result<Types> {
    c.shape(0).with_rank(3)?;
    one(DType::String, Shape::scalar())
}

/// A damaged file.
fn damaged(what: &str, e: impl std::fmt::Display) -> crate::types::Error {
    err!("the {what} file is damaged: {e}")
}

define_op! {
    attrs Jpeg {
        channels: i64 = 0, ratio: i64 = 1, fancy_upscaling: bool = true, try_recover_truncated: bool = false,
        acceptable_fraction: f32 = 1.0, dct_method: String = String::new(),
    }

    /// The pixels of a PNG, JPEG or GIF file: `[height, width, channels]`.
    ///
    /// TensorFlow: `DecodePng`. `channels` is 1, 3 or 4, or 0 for those of the file; the dtype is uint8 or uint16. A GIF
    /// file has one frame.
    pub op DecodePng = "DecodePng" {
        inputs: { contents: {String} }, outputs: { image: dtype },
        attrs: { channels: i64 = 0, dtype: DType = DType::U8 },
        dispatch: none,
        infer: png_image, kernel: decode_png,
        gradient: none,
    }

    /// The pixels of an image file: `[height, width, channels]`, or `[frames, height, width, 3]` of a GIF file.
    ///
    /// TensorFlow: `DecodeImage`. `channels` is 1, 3 or 4, or 0 for those of the file; the dtype is uint8, uint16 or
    /// float32. Bytes become words by a factor of 257 in PNG files, which keeps white, and of 256 in other files, as
    /// TensorFlow has it. Without `expand_animations` the first frame is taken.
    pub op DecodeImage = "DecodeImage" {
        inputs: { contents: {String} }, outputs: { image: dtype },
        attrs: { channels: i64 = 0, dtype: DType = DType::U8, expand_animations: bool = true },
        dispatch: none,
        infer: image_or_frames, kernel: decode_image,
        gradient: none,
    }

    /// The pixels of a BMP file: uint8 of shape `[height, width, channels]`.
    ///
    /// TensorFlow: `DecodeBmp`. `channels` is 3 or 4, or 0 for those of the file, 1, 3 or 4: bytes of a palette are grey.
    /// Grey is repeated, and what has no alpha is opaque.
    pub op DecodeBmp = "DecodeBmp" {
        inputs: { contents: {String} }, outputs: { image: {U8} },
        attrs: { channels: i64 = 0 },
        dispatch: none,
        infer: |c| match c.get(DecodeBmp::CHANNELS)? {
            1 => bail!("`channels` is 0, 3 or 4, not 1"),
            channels => image(c, DType::U8, channels),
        },
        kernel: decode_bmp,
        gradient: none,
    }

    /// The pixels of a GIF file: uint8 of shape `[frames, height, width, 3]`. A PNG or JPEG file is one frame.
    ///
    /// TensorFlow: `DecodeGif`.
    pub op DecodeGif = "DecodeGif" {
        inputs: { contents: {String} }, outputs: { image: {U8} },
        dispatch: none,
        infer: |c| {
            c.shape(0).with_rank(0)?;
            let frame = [Dim::UNKNOWN, Dim::UNKNOWN, Dim::UNKNOWN, Dim::from(3)];
            one(DType::U8, frame.into_iter().collect())
        },
        kernel: decode_gif,
        gradient: none,
    }

    /// The pixels of a JPEG, PNG or GIF file: uint8 of shape `[height, width, channels]`. A GIF file has one frame.
    ///
    /// TensorFlow: `DecodeJpeg`, with equal pixels. `channels` is 1 or 3, or 0 for those of the file; `ratio` (1, 2, 4 or
    /// 8) makes the image smaller. `fancy_upscaling` blends colours that a file holds for several pixels. Rows that a
    /// file lacks are black; with `acceptable_fraction` at most 1 less than so many rows are an error.
    /// `try_recover_truncated` makes an image of any part. `dct_method` is "INTEGER_ACCURATE" or "INTEGER_FAST", the
    /// default.
    pub op DecodeJpeg = "DecodeJpeg" {
        inputs: { contents: {String} }, outputs: { image: {U8} },
        attrs: { ..Jpeg },
        dispatch: none,
        infer: |c| image(c, DType::U8, c.get(DecodeJpeg::CHANNELS)?), kernel: decode_jpeg,
        gradient: none,
    }

    /// A part of a JPEG file: the window `[top, left, height, width]` of what [`DecodeJpeg`] gives.
    ///
    /// TensorFlow: `DecodeAndCropJpeg`.
    pub op DecodeAndCropJpeg = "DecodeAndCropJpeg" {
        inputs: { contents: {String}, crop_window: {I32} }, outputs: { image: {U8} },
        attrs: { ..Jpeg },
        dispatch: none,
        infer: |c| {
            c.shape(1).with_rank(1)?;
            image(c, DType::U8, c.get(DecodeJpeg::CHANNELS)?)
        },
        kernel: decode_and_crop_jpeg,
        gradient: none,
    }

    /// The shape `[height, width, channels]` of a JPEG file, without its pixels.
    ///
    /// TensorFlow: `ExtractJpegShape`. The dtype is int32 or int64.
    pub op ExtractJpegShape = "ExtractJpegShape" {
        inputs: { contents: {String} }, outputs: { image_shape: output_type },
        attrs: { output_type: DType = DType::I32 },
        dispatch: none,
        infer: |c| {
            c.shape(0).with_rank(0)?;
            one(c.get(ExtractJpegShape::OUTPUT_TYPE)?, [Dim::from(3)].into_iter().collect())
        },
        kernel: jpeg_shape,
        gradient: none,
    }

    /// An image `[height, width, channels]` as a PNG file.
    ///
    /// TensorFlow: `EncodePng`. Of 1 to 4 channels; `compression` is -1, or from 0 (fast) to 9 (small).
    pub op EncodePng = "EncodePng" {
        inputs: { image: T }, outputs: { contents: {String} },
        types: { T: DTypeSet::of(&[DType::U8, DType::U16]) }, attrs: { compression: i64 = -1 },
        dispatch: none,
        infer: scalar_text, kernel: encode_png,
        gradient: none,
    }

    /// An image `[height, width, channels]` as a JPEG file.
    ///
    /// TensorFlow: `EncodeJpeg`. Of 1 or 3 channels. `density_unit`, `x_density`, `y_density` and `xmp_metadata` are not
    /// written.
    pub op EncodeJpeg = "EncodeJpeg" {
        inputs: { image: {U8} }, outputs: { contents: {String} },
        attrs: {
            format: String = String::new(), quality: i64 = 95, progressive: bool = false, optimize_size: bool = false,
            chroma_downsampling: bool = true, density_unit: String = "in".to_owned(), x_density: i64 = 300,
            y_density: i64 = 300, xmp_metadata: String = String::new()
        },
        dispatch: none,
        infer: scalar_text, kernel: encode_jpeg,
        gradient: none,
    }
}

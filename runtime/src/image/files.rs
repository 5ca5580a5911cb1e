//! Image files.

use crate::ops::{
    DecodeBmp, DecodeGif, DecodeImage, DecodeJpeg, DecodePng, EncodeJpeg, EncodePng, Op as _,
};
use crate::tensor::{Lent, Tensor, TensorLike, call_site};
use crate::types::{DType, Result, bail};

macro_rules! decoders {
    ($($(#[doc = $doc:literal])+ $name:ident($($arg:ident: $ty:ty),*) $op:expr;)+) => {
        $(
            $(#[doc = $doc])+
            ///
            /// The contents are the bytes of a file, a scalar of dtype string. Sizes are checked before memory is
            /// taken: an image has at most 2^30 bytes.
            ///
            /// # Errors
            /// `InvalidArgument` for a damaged file, another format, and too large an image.
            #[track_caller]
            pub fn $name(contents: impl TensorLike, $($arg: $ty),*) -> Result<Tensor> {
                let _site = call_site!();
                $op.run(&[&*contents.lend()?])
            }
        )+
    };
}
decoders! {
    /// The pixels of a PNG file: `[height, width, channels]`. `channels` is 1, 3 or 4, or 0 for those of the file; the
    /// dtype is uint8 or uint16.
    ///
    /// TensorFlow: `tf.io.decode_png`.
    ///
    /// ```
    /// use extype::image;
    /// use extype::prelude::*;
    /// let file = image::encode_png([[[7u8], [9]]])?;
    /// assert_eq!(image::decode_png(&file, 0, u8)?.as_slice::<u8>()?, &[7, 9]);
    /// # Ok::<(), Error>(())
    /// ```
    decode_png(channels: i64, dtype: DType) DecodePng { channels, dtype };

    /// The pixels of a JPEG file: uint8 of shape `[height, width, channels]`. `channels` is 1 or 3, or 0 for those of the
    /// file.
    ///
    /// TensorFlow: `tf.io.decode_jpeg`.
    ///
    /// ```
    /// use extype::image;
    /// use extype::prelude::*;
    /// let file = image::encode_jpeg(ops::fill([8, 8, 1], 100u8)?, 95)?;
    /// assert_eq!(image::decode_jpeg(&file, 3)?.shape(), shape![8, 8, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    decode_jpeg(channels: i64) DecodeJpeg {
        channels,
        ratio: 1,
        fancy_upscaling: true,
        try_recover_truncated: false,
        acceptable_fraction: 1.0,
        dct_method: String::new(),
    };

    /// The frames of a GIF file: uint8 of shape `[frames, height, width, 3]`. A PNG or JPEG file is one frame.
    ///
    /// TensorFlow: `tf.io.decode_gif`.
    decode_gif() DecodeGif {};

    /// The pixels of a BMP file: uint8 of shape `[height, width, channels]`.
    ///
    /// TensorFlow: `tf.io.decode_bmp`.
    decode_bmp() DecodeBmp { channels: 0 };

    /// The pixels of a PNG, JPEG or BMP file, or the first frame of a GIF file: `[height, width, channels]`. `channels` is
    /// 1, 3 or 4, or 0 for those of the file; the dtype is uint8, uint16 or float32. Uint16 is 256 times the bytes of a file,
    /// and in PNG files 257 times, so that white stays white.
    ///
    /// TensorFlow: `tf.io.decode_image` with `expand_animations=False`.
    ///
    /// ```
    /// use extype::image;
    /// use extype::prelude::*;
    /// let file = image::encode_png([[[255u8]]])?;
    /// assert_eq!(image::decode_image(&file, 3, f32)?.as_slice::<f32>()?, &[1.0, 1.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    decode_image(channels: i64, dtype: DType) DecodeImage { channels, dtype, expand_animations: false };
}

/// An image `[height, width, channels]` as a PNG file, a scalar of dtype string.
///
/// TensorFlow: `tf.io.encode_png`. Uint8 or uint16 with 1 to 4 channels. Floats are refused: use
/// [`convert_image_dtype`](super::convert_image_dtype), or round, clip and cast them.
///
/// # Errors
/// `InvalidArgument` for another shape or dtype.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// let file = image::encode_png([[[7u8], [9]]])?;
/// assert_eq!(file.dtype(), DType::String);
/// // What `resize` makes of bytes are floats up to 255.
/// let larger = image::resize([[[7u8], [9]]], [2, 4], ..)?;
/// assert!(image::encode_png(&larger).is_err());
/// let file = image::encode_png(larger.round()?.clip(0, 255)?.cast(u8)?)?;
/// assert_eq!(image::decode_png(&file, 0, u8)?.shape(), shape![2, 4, 1]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn encode_png(x: impl TensorLike) -> Result<Tensor> {
    let _site = call_site!();
    EncodePng { compression: -1 }.run(&[&*pixels(&x)?])
}

/// Refuses floats by telling what to write: nothing says which number is white.
fn pixels(x: &impl TensorLike) -> Result<Lent<'_, Tensor>> {
    let x = x.lend()?;
    if x.dtype().is_float() {
        bail!(
            "image files hold integers, not {}; write `convert_image_dtype(x, u8, true)` if white is 1.0, as in float \
             images, or `x.round()?.clip(0, 255)?.cast(u8)?` if it is 255.0, as `resize` makes of uint8",
            x.dtype()
        );
    }
    Ok(x)
}

/// An image `[height, width, channels]` as a JPEG file, a scalar of dtype string. The quality is from 0 to 100.
///
/// TensorFlow: `tf.io.encode_jpeg`. Uint8 with 1 or 3 channels.
///
/// # Errors
/// `InvalidArgument` for another shape or dtype, and a quality that is out of range.
///
/// ```
/// use extype::image;
/// use extype::prelude::*;
/// let file = image::encode_jpeg(ops::fill([8, 8, 3], 100u8)?, 95)?;
/// assert_eq!(file.dtype(), DType::String);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn encode_jpeg(x: impl TensorLike, quality: i64) -> Result<Tensor> {
    let _site = call_site!();
    let op = EncodeJpeg {
        format: String::new(),
        quality,
        progressive: false,
        optimize_size: false,
        chroma_downsampling: true,
        density_unit: "in".to_owned(),
        x_density: 300,
        y_density: 300,
        xmp_metadata: String::new(),
    };
    op.run(&[&*pixels(&x)?])
}

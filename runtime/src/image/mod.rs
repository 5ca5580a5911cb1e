//! Images: resizing, crops, flips, colours, measures, boxes.
//!
//! The functions are those of TensorFlow (`tf.image`). An image has the shape `[height, width, channels]`, and a stack of
//! images the shape `[batch, height, width, channels]`; most functions take both. Floats are in `[0, 1]`, integers use
//! the whole range of their dtype.
//!
//! ```
//! use extype::image::{self, Method};
//! use extype::prelude::*;
//!
//! let photo = ops::ones([8, 6, 3], f32)?;
//! let small = image::resize(&photo, [4, 3], (Method::Bilinear, image::AntiAlias))?;
//! assert_eq!(small.shape(), shape![4, 3, 3]);
//! assert_eq!(image::rgb_to_grayscale(&small)?.shape(), shape![4, 3, 1]);
//! # Ok::<(), Error>(())
//! ```
//!
//! The feature `image` adds reading and writing of files: PNG, JPEG, GIF and BMP.

mod arrange;
mod boxes;
mod colours;
#[cfg(feature = "image")]
mod files;
mod measures;
mod random;
mod resize;

pub use arrange::{
    central_crop, crop_to_bounding_box, pad_to_bounding_box, resize_with_crop_or_pad, rot90,
    transpose,
};
pub use boxes::{
    Patching, Suppressed, Suppressing, combined_non_max_suppression, crop_and_resize,
    draw_bounding_boxes, extract_patches, non_max_suppression,
};
pub use colours::{
    adjust_brightness, adjust_contrast, adjust_gamma, adjust_hue, adjust_saturation,
    convert_image_dtype, grayscale_to_rgb, hsv_to_rgb, per_image_standardization, rgb_to_grayscale,
    rgb_to_hsv, rgb_to_yiq, rgb_to_yuv, yiq_to_rgb, yuv_to_rgb,
};
#[cfg(feature = "image")]
pub use files::{
    decode_bmp, decode_gif, decode_image, decode_jpeg, decode_png, encode_jpeg, encode_png,
};
pub use measures::{
    Similarity, image_gradients, psnr, sobel_edges, ssim, ssim_map, ssim_multiscale,
    total_variation,
};
pub use random::{
    stateless_random_brightness, stateless_random_contrast, stateless_random_crop,
    stateless_random_flip_left_right, stateless_random_flip_up_down, stateless_random_hue,
    stateless_random_saturation,
};
pub use resize::{AntiAlias, Method, PreserveAspectRatio, Resizing, resize, resize_with_pad};

pub use crate::ops::{flip_left_right, flip_up_down};

use crate::ops::methods::*;
use crate::ops::rank_of;
use crate::tensor::Tensor;
use crate::types::{Result, bail};

/// The rank of an image or a stack of images.
fn rank_of_images(x: &Tensor) -> Result<usize> {
    match rank_of(x)? {
        rank @ (3 | 4) => Ok(rank),
        _ => bail!(
            "an image has the shape [height, width, channels], a stack one axis more; not {}",
            x.shape()
        ),
    }
}

/// Calls a function of a stack of images on one image, or on a stack.
fn on_stack(x: &Tensor, f: impl FnOnce(&Tensor) -> Result<Tensor>) -> Result<Tensor> {
    if rank_of_images(x)? == 4 {
        return f(x);
    }
    f(&x.expand_dims(0)?)?.squeeze(0)
}

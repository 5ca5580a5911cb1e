//! Images: resampling along rows and columns, colours of pixels, and images read at any place.

pub mod jpeg;
mod pixels;
mod resample;
mod spans;
mod warp;

pub use pixels::{Pixel, hsv_to_rgb, map_pixels, rgb_to_hsv, with_hue, with_saturation};
pub use resample::{Order, Sample, add_back, resample};
pub use spans::{Filter, Spans, cubic_taps, linear_taps};
pub use warp::{Border, Interpolated, Warp, warp};

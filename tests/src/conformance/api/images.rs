//! `tf.image`.

use extype::DType;
use extype::image::{self, Method, Resizing, Similarity};

use super::{Params, Row, one, row};

/// The rows.
pub(super) const ROWS: &[Row] = &[
    row("tf.image.resize", |p, x| {
        let options = Resizing {
            method: method(p),
            antialias: p.flag("antialias"),
            preserve_aspect_ratio: p.flag("preserve_aspect_ratio"),
        };
        one(image::resize(&x[0], p.integers("size"), options))
    }),
    row("tf.image.resize_with_pad", |p, x| {
        one(image::resize_with_pad(&x[0], target(p), method(p)))
    }),
    row("tf.image.resize_with_crop_or_pad", |p, x| {
        one(image::resize_with_crop_or_pad(&x[0], target(p)))
    }),
    row("tf.image.crop_to_bounding_box", |p, x| {
        one(image::crop_to_bounding_box(&x[0], offset(p), target(p)))
    }),
    row("tf.image.pad_to_bounding_box", |p, x| {
        one(image::pad_to_bounding_box(&x[0], offset(p), target(p)))
    }),
    row("tf.image.central_crop", |p, x| {
        one(image::central_crop(&x[0], p.float("central_fraction", 1.0)))
    }),
    row("tf.image.flip_left_right", |_, x| one(image::flip_left_right(&x[0]))),
    row("tf.image.flip_up_down", |_, x| one(image::flip_up_down(&x[0]))),
    row("tf.image.transpose", |_, x| one(image::transpose(&x[0]))),
    row("tf.image.rot90", |p, x| one(image::rot90(&x[0], p.int("k", 1)))),
    row("tf.image.convert_image_dtype", |p, x| {
        one(image::convert_image_dtype(&x[0], p.dtype("dtype", DType::F32), p.flag("saturate")))
    }),
    row("tf.image.rgb_to_yiq", |_, x| one(image::rgb_to_yiq(&x[0]))),
    row("tf.image.yiq_to_rgb", |_, x| one(image::yiq_to_rgb(&x[0]))),
    row("tf.image.rgb_to_yuv", |_, x| one(image::rgb_to_yuv(&x[0]))),
    row("tf.image.yuv_to_rgb", |_, x| one(image::yuv_to_rgb(&x[0]))),
    row("tf.image.rgb_to_grayscale", |_, x| one(image::rgb_to_grayscale(&x[0]))),
    row("tf.image.grayscale_to_rgb", |_, x| one(image::grayscale_to_rgb(&x[0]))),
    row("tf.image.adjust_brightness", |p, x| {
        one(image::adjust_brightness(&x[0], p.float("delta", 0.0)))
    }),
    row("tf.image.adjust_contrast", |p, x| {
        one(image::adjust_contrast(&x[0], p.float("contrast_factor", 1.0)))
    }),
    row("tf.image.adjust_gamma", |p, x| {
        one(image::adjust_gamma(&x[0], p.float("gamma", 1.0), p.float("gain", 1.0)))
    }),
    row("tf.image.adjust_hue", |p, x| one(image::adjust_hue(&x[0], p.float("delta", 0.0)))),
    row("tf.image.adjust_saturation", |p, x| {
        one(image::adjust_saturation(&x[0], p.float("saturation_factor", 1.0)))
    }),
    row("tf.image.per_image_standardization", |_, x| one(image::per_image_standardization(&x[0]))),
    row("tf.image.image_gradients", |_, x| {
        image::image_gradients(&x[0]).map(|(down, across)| vec![down, across])
    }),
    row("tf.image.sobel_edges", |_, x| one(image::sobel_edges(&x[0]))),
    row("tf.image.total_variation", |_, x| one(image::total_variation(&x[0]))),
    row("tf.image.psnr", |p, x| one(image::psnr(&x[0], &x[1], p.float("max_val", 1.0)))),
    row("tf.image.ssim", |p, x| {
        let of = if p.flag("return_index_map") { image::ssim_map } else { image::ssim };
        one(of(&x[0], &x[1], p.float("max_val", 1.0), similarity(p)))
    }),
    row("tf.image.ssim_multiscale", |p, x| {
        let powers = p.floats("power_factors", &[0.0448, 0.2856, 0.3001, 0.2363, 0.1333]);
        one(image::ssim_multiscale(&x[0], &x[1], p.float("max_val", 1.0), &powers, similarity(p)))
    }),
    row("tf.image.stateless_random_flip_left_right", |p, x| {
        one(image::stateless_random_flip_left_right(&x[0], p.integers("seed")))
    }),
    row("tf.image.stateless_random_flip_up_down", |p, x| {
        one(image::stateless_random_flip_up_down(&x[0], p.integers("seed")))
    }),
    row("tf.image.stateless_random_brightness", |p, x| {
        one(image::stateless_random_brightness(
            &x[0],
            p.float("max_delta", 0.0),
            p.integers("seed"),
        ))
    }),
    row("tf.image.stateless_random_contrast", |p, x| {
        let range = p.float("lower", 0.0)..p.float("upper", 1.0);
        one(image::stateless_random_contrast(&x[0], range, p.integers("seed")))
    }),
    row("tf.image.stateless_random_hue", |p, x| {
        one(image::stateless_random_hue(&x[0], p.float("max_delta", 0.0), p.integers("seed")))
    }),
    row("tf.image.stateless_random_saturation", |p, x| {
        let range = p.float("lower", 0.0)..p.float("upper", 1.0);
        one(image::stateless_random_saturation(&x[0], range, p.integers("seed")))
    }),
    row("tf.image.stateless_random_crop", |p, x| {
        one(image::stateless_random_crop(&x[0], p.integers("size"), p.integers("seed")))
    }),
];

/// The programs.
pub(in crate::conformance) const PROGRAMS: &[Row] = &[row("program.png_round_trip", |p, x| {
    one(image::decode_png(&image::encode_png(&x[0])?, p.int("channels", 0), x[0].dtype()))
})];

fn method(p: &Params) -> Method {
    match p.json("method").as_str() {
        Some("nearest") => Method::Nearest,
        Some("bicubic") => Method::Bicubic,
        Some("area") => Method::Area,
        Some("lanczos3") => Method::Lanczos3,
        Some("lanczos5") => Method::Lanczos5,
        Some("gaussian") => Method::Gaussian,
        Some("mitchellcubic") => Method::MitchellCubic,
        _ => Method::Bilinear,
    }
}

fn target(p: &Params) -> [i64; 2] {
    [p.int("target_height", 0), p.int("target_width", 0)]
}

fn offset(p: &Params) -> [i64; 2] {
    [p.int("offset_height", 0), p.int("offset_width", 0)]
}

fn similarity(p: &Params) -> Similarity {
    Similarity {
        filter_size: p.int("filter_size", 11) as usize,
        filter_sigma: p.float("filter_sigma", 1.5),
        k1: p.float("k1", 0.01),
        k2: p.float("k2", 0.03),
    }
}

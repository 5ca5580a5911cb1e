//! Images: resizing, boxes, colours, patches, projective maps.
//!
//! The functions for users, with their documentation, are in `extype::image`; here are the ops that graphs hold. Images
//! have the shape `[batch, height, width, channels]`.

mod boxes;
mod colours;
mod distort;
pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
mod patches;
mod resize;
mod suppress;
mod warp;

use crate::define_op;
use crate::ops::NamedOp as _;
use crate::ops::rules::batch::leading;
use crate::ops::rules::folded::{examples, stacks};
use crate::types::{DType, DTypeSet};

/// The dtypes of images that are resized.
const PIXELS: DTypeSet = DTypeSet::of(&[
    DType::I8,
    DType::U8,
    DType::I16,
    DType::U16,
    DType::I32,
    DType::I64,
    DType::F16,
    DType::BF16,
    DType::F32,
    DType::F64,
]);

/// The dtypes of colours that are changed.
const SINGLE: DTypeSet = DTypeSet::of(&[DType::F16, DType::F32]);

/// The dtypes of images that are read through a projective map.
const WARPED: DTypeSet = DTypeSet::of(&[
    DType::U8,
    DType::I32,
    DType::I64,
    DType::F16,
    DType::BF16,
    DType::F32,
    DType::F64,
]);

define_op! {
    attrs Corners { align_corners: bool = false, half_pixel_centers: bool = false }

    /// Images resized by linear interpolation between two rows and two columns, float32.
    ///
    /// TensorFlow: `ResizeBilinear`. `size` is `[height, width]`. With `align_corners` the pixels in the corners keep
    /// their places; with `half_pixel_centers` a pixel is a square around its place.
    pub op ResizeBilinear = "ResizeBilinear" {
        inputs: { images: T, size: {I32} }, outputs: { resized_images: {F32} },
        types: { T: PIXELS }, attrs: { ..Corners },
        dispatch: none,
        infer: |c| infer::resized(c, DType::F32), kernel: resize::bilinear,
        gradient: |g| gradient::resized(g, ResizeBilinearGrad::DEF),
        batch: |b| examples(b, &[0]),
    }

    /// The gradient of [`ResizeBilinear`] by its images.
    ///
    /// TensorFlow: `ResizeBilinearGrad`.
    pub op ResizeBilinearGrad = "ResizeBilinearGrad" {
        inputs: { grads: {F32}, original_image: T }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT }, attrs: { ..Corners },
        dispatch: none,
        infer: infer::unresized, kernel: resize::bilinear_gradient,
        gradient: |g| gradient::unresized(g, ResizeBilinear::DEF),
        batch: |b| examples(b, &[0, 1]),
    }

    /// Images resized by cubics through four rows and four columns, float32.
    ///
    /// TensorFlow: `ResizeBicubic`. Arguments as for [`ResizeBilinear`].
    pub op ResizeBicubic = "ResizeBicubic" {
        inputs: { images: T, size: {I32} }, outputs: { resized_images: {F32} },
        types: { T: PIXELS }, attrs: { ..Corners },
        dispatch: none,
        infer: |c| infer::resized(c, DType::F32), kernel: resize::bicubic,
        gradient: |g| gradient::resized(g, ResizeBicubicGrad::DEF),
        batch: |b| examples(b, &[0]),
    }

    /// The gradient of [`ResizeBicubic`] by its images.
    ///
    /// TensorFlow: `ResizeBicubicGrad`.
    pub op ResizeBicubicGrad = "ResizeBicubicGrad" {
        inputs: { grads: {F32}, original_image: T }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT }, attrs: { ..Corners },
        dispatch: none,
        infer: infer::unresized, kernel: resize::bicubic_gradient,
        gradient: |g| gradient::unresized(g, ResizeBicubic::DEF),
        batch: |b| examples(b, &[0, 1]),
    }

    /// Images resized to the means of the areas that pixels cover, float32.
    ///
    /// TensorFlow: `ResizeArea`. `size` is `[height, width]`. It has no gradient, as in TensorFlow.
    pub op ResizeArea = "ResizeArea" {
        inputs: { images: T, size: {I32} }, outputs: { resized_images: {F32} },
        types: { T: PIXELS }, attrs: { align_corners: bool = false },
        dispatch: none,
        infer: |c| infer::resized(c, DType::F32), kernel: resize::area,
        gradient: |g| Ok([g.missing(0)?, None]),
        batch: |b| examples(b, &[0]),
    }

    /// Images resized to the nearest pixels.
    ///
    /// TensorFlow: `ResizeNearestNeighbor`. Arguments as for [`ResizeBilinear`].
    pub op ResizeNearestNeighbor = "ResizeNearestNeighbor" {
        inputs: { images: T, size: {I32} }, outputs: { resized_images: T },
        types: { T: PIXELS }, attrs: { ..Corners },
        dispatch: none,
        infer: |c| infer::resized(c, c.input(0).dtype), kernel: resize::nearest,
        gradient: |g| gradient::nearest(g, ResizeNearestNeighborGrad::DEF),
        batch: |b| examples(b, &[0]),
    }

    /// The gradient of [`ResizeNearestNeighbor`] by images of the height and width that `size` says.
    ///
    /// TensorFlow: `ResizeNearestNeighborGrad`.
    pub op ResizeNearestNeighborGrad = "ResizeNearestNeighborGrad" {
        inputs: { grads: T, size: {I32} }, outputs: { output: T },
        types: { T: PIXELS }, attrs: { ..Corners },
        dispatch: none,
        infer: |c| infer::resized(c, c.input(0).dtype), kernel: resize::nearest_gradient,
        gradient: |g| gradient::nearest(g, ResizeNearestNeighbor::DEF),
        batch: |b| examples(b, &[0]),
    }

    /// Images that are scaled and then moved, read with a filter, float32.
    ///
    /// TensorFlow: `ScaleAndTranslate`. `size`, `scale` and `translation` are of rows and columns. The filter
    /// `kernel_type` is `lanczos1`, `lanczos3`, `lanczos5`, `gaussian`, `box`, `triangle`, `keyscubic` or
    /// `mitchellcubic`; with `antialias` it is widened where the image shrinks.
    pub op ScaleAndTranslate = "ScaleAndTranslate" {
        inputs: { images: T, size: {I32}, scale: {F32}, translation: {F32} }, outputs: { resized_images: {F32} },
        types: { T: PIXELS }, attrs: { kernel_type: String = "lanczos3".to_owned(), antialias: bool = true },
        dispatch: none,
        infer: infer::scaled, kernel: resize::scale_and_translate,
        gradient: gradient::scaled,
        batch: |b| examples(b, &[0]),
    }

    /// The gradient of [`ScaleAndTranslate`] by its images.
    ///
    /// TensorFlow: `ScaleAndTranslateGrad`.
    pub op ScaleAndTranslateGrad = "ScaleAndTranslateGrad" {
        inputs: { grads: T, original_image: T, scale: {F32}, translation: {F32} }, outputs: { output: T },
        types: { T: DTypeSet::of(&[DType::F32]) }, attrs: { kernel_type: String = "lanczos3".to_owned(), antialias: bool = true },
        dispatch: none,
        infer: infer::unscaled, kernel: resize::scale_and_translate_gradient,
        gradient: gradient::unscaled,
        batch: |b| examples(b, &[0, 1]),
    }

    /// Parts of images, resized to one size: float32 of shape `[boxes, height, width, channels]`.
    ///
    /// TensorFlow: `CropAndResize`. A box is `[y1, x1, y2, x2]`, where 0 and 1 are the first and the last row or
    /// column; `box_ind` says which image it is of. Pixels beyond the image are `extrapolation_value`.
    pub op CropAndResize = "CropAndResize" {
        inputs: { image: T, boxes: {F32}, box_ind: {I32}, crop_size: {I32} }, outputs: { crops: {F32} },
        types: { T: PIXELS }, attrs: { method: String = "bilinear".to_owned(), extrapolation_value: f32 = 0.0 },
        dispatch: none,
        infer: infer::crops, kernel: boxes::crop_and_resize,
        gradient: gradient::crops,
    }

    /// The gradient of [`CropAndResize`] by images of the shape `image_size`.
    ///
    /// TensorFlow: `CropAndResizeGradImage`.
    pub op CropAndResizeGradImage = "CropAndResizeGradImage" {
        inputs: { grads: {F32}, boxes: {F32}, box_ind: {I32}, image_size: {I32} }, outputs: { output: T },
        attrs: { t as "T": DType = DType::F32, method: String = "bilinear".to_owned() },
        dispatch: none,
        infer: infer::uncropped, kernel: boxes::gradient_by_image,
        gradient: gradient::uncropped,
    }

    /// The gradient of [`CropAndResize`] by its boxes.
    ///
    /// TensorFlow: `CropAndResizeGradBoxes`.
    pub op CropAndResizeGradBoxes = "CropAndResizeGradBoxes" {
        inputs: { grads: {F32}, image: T, boxes: {F32}, box_ind: {I32} }, outputs: { output: {F32} },
        types: { T: PIXELS }, attrs: { method: String = "bilinear".to_owned() },
        dispatch: none,
        infer: infer::of_boxes, kernel: boxes::gradient_by_boxes,
        gradient: |g| Ok([g.missing(0)?, g.missing(1)?, g.missing(2)?, None]),
    }

    /// Hue, saturation and value of red, green and blue, which the last axis holds.
    ///
    /// TensorFlow: `RGBToHSV`. The result has the same shape; numbers are in `[0, 1]`.
    pub op RgbToHsv = "RGBToHSV" {
        inputs: { images: T }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT },
        dispatch: none,
        infer: infer::colours, kernel: colours::rgb_to_hsv,
        gradient: gradient::rgb_to_hsv,
        batch: leading,
    }

    /// Red, green and blue of hue, saturation and value, which the last axis holds.
    ///
    /// TensorFlow: `HSVToRGB`. The result has the same shape; numbers are in `[0, 1]`.
    pub op HsvToRgb = "HSVToRGB" {
        inputs: { images: T }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT },
        dispatch: none,
        infer: infer::colours, kernel: colours::hsv_to_rgb,
        gradient: |g| Ok([g.missing(0)?]),
        batch: leading,
    }

    /// Images whose differences from the mean of each channel are multiplied.
    ///
    /// TensorFlow: `AdjustContrastv2`. Of shape `[…, height, width, channels]`; the result has the same.
    pub op AdjustContrast = "AdjustContrastv2" {
        inputs: { images: T, contrast_factor: {F32} }, outputs: { output: T },
        types: { T: SINGLE },
        dispatch: none,
        infer: |c| infer::adjusted(c, None), kernel: colours::contrast,
        gradient: gradient::contrast,
        batch: |b| stacks(b, &[0]),
    }

    /// Images whose hues are moved on by a part of the circle.
    ///
    /// TensorFlow: `AdjustHue`. Of shape `[…, height, width, 3]`; the result has the same.
    pub op AdjustHue = "AdjustHue" {
        inputs: { images: T, delta: {F32} }, outputs: { output: T },
        types: { T: SINGLE },
        dispatch: none,
        infer: |c| infer::adjusted(c, Some(3)), kernel: colours::hue,
        gradient: |g| Ok([g.missing(0)?, g.missing(1)?]),
        batch: |b| stacks(b, &[0]),
    }

    /// Images whose saturations are multiplied, and clipped to `[0, 1]`.
    ///
    /// TensorFlow: `AdjustSaturation`. Of shape `[…, height, width, 3]`; the result has the same.
    pub op AdjustSaturation = "AdjustSaturation" {
        inputs: { images: T, scale: {F32} }, outputs: { output: T },
        types: { T: SINGLE },
        dispatch: none,
        infer: |c| infer::adjusted(c, Some(3)), kernel: colours::saturation,
        gradient: |g| Ok([g.missing(0)?, g.missing(1)?]),
        batch: |b| stacks(b, &[0]),
    }

    /// The windows of images as vectors, at equal steps: `[batch, rows, columns, window · channels]`.
    ///
    /// TensorFlow: `ExtractImagePatches`. `ksizes`, `strides` and `rates` are of the four axes; those of the first and
    /// the last are 1. `padding` is `VALID`, or `SAME` for windows that reach beyond the edges.
    pub op ExtractImagePatches = "ExtractImagePatches" {
        inputs: { images: T }, outputs: { patches: T },
        types: { T: DTypeSet::NUMERIC.or(DTypeSet::BOOL) },
        attrs: { ksizes: Vec<i64>, strides: Vec<i64>, rates: Vec<i64>, padding: String },
        dispatch: none,
        infer: patches::types, kernel: patches::extracted,
        gradient: gradient::patches,
        batch: |b| examples(b, &[0]),
    }

    /// The windows of volumes as vectors, at equal steps, as [`ExtractImagePatches`] for one more axis of space.
    ///
    /// TensorFlow: `ExtractVolumePatches`.
    pub op ExtractVolumePatches = "ExtractVolumePatches" {
        inputs: { input: T }, outputs: { patches: T },
        types: { T: DTypeSet::REAL }, attrs: { ksizes: Vec<i64>, strides: Vec<i64>, padding: String },
        dispatch: none,
        infer: patches::types, kernel: patches::extracted,
        gradient: gradient::patches,
        batch: |b| examples(b, &[0]),
    }

    /// Images read at the places that projective maps give.
    ///
    /// TensorFlow: `ImageProjectiveTransformV2`, as [`ImageProjectiveTransformV3`] with zeros beyond the edges.
    pub op ImageProjectiveTransformV2 = "ImageProjectiveTransformV2" {
        inputs: { images: dtype, transforms: {F32}, output_shape: {I32} }, outputs: { transformed_images: dtype },
        types: { dtype: WARPED }, attrs: { interpolation: String, fill_mode: String = "CONSTANT".to_owned() },
        dispatch: none,
        infer: infer::warped, kernel: warp::warped,
        gradient: gradient::warped,
    }

    /// Images read at the places that projective maps give.
    ///
    /// TensorFlow: `ImageProjectiveTransformV3`. `transforms` has eight numbers for each image, or for all: pixel
    /// `(x, y)` of the result is read at `((a0 x + a1 y + a2) / k, (b0 x + b1 y + b2) / k)` with `k = c0 x + c1 y + 1`.
    /// `interpolation` is `NEAREST` or `BILINEAR`. Beyond the edges, the image is what `fill_mode` says: `CONSTANT`,
    /// `REFLECT`, `WRAP` or `NEAREST`.
    pub op ImageProjectiveTransformV3 = "ImageProjectiveTransformV3" {
        inputs: { images: dtype, transforms: {F32}, output_shape: {I32}, fill_value: {F32} },
        outputs: { transformed_images: dtype },
        types: { dtype: WARPED }, attrs: { interpolation: String, fill_mode: String = "CONSTANT".to_owned() },
        dispatch: none,
        infer: infer::warped, kernel: warp::warped,
        gradient: gradient::warped,
    }

    /// A window of each image, where it overlaps the image, and zeros elsewhere.
    ///
    /// TensorFlow: `ExtractGlimpseV2`. `offsets` has a row and a column for each image: pixels, or parts of the image
    /// if `normalized`; from the middle if `centered`, otherwise from the first corner. They tell the first corner of the
    /// window, or its middle if both are set.
    ///
    /// Random noise around the image is refused as `Unimplemented`: `noise` is `zero`.
    pub op ExtractGlimpseV2 = "ExtractGlimpseV2" {
        inputs: { input: {F32}, size: {I32}, offsets: {F32} }, outputs: { glimpse: {F32} },
        attrs: { centered: bool = true, normalized: bool = true, uniform_noise: bool = true, noise: String = "uniform".to_owned() },
        dispatch: none,
        infer: infer::glimpses, kernel: patches::glimpses,
        gradient: |g| Ok([g.missing(0)?, None, None]),
    }

    /// Images with the outlines of boxes. The boxes have shape `[images, boxes, 4]`, each `[y1, x1, y2, x2]`.
    ///
    /// TensorFlow: `DrawBoundingBoxes`, as [`DrawBoundingBoxesV2`] with ten fixed colours.
    pub op DrawBoundingBoxes = "DrawBoundingBoxes" {
        inputs: { images: T, boxes: {F32} }, outputs: { output: T },
        types: { T: SINGLE },
        dispatch: none,
        infer: infer::drawn, kernel: boxes::drawn,
        gradient: |g| Ok([g.missing(0)?, None]),
        batch: |b| examples(b, &[0, 1]),
    }

    /// Images with the outlines of boxes. The boxes have shape `[images, boxes, 4]`, each `[y1, x1, y2, x2]`; the colours are
    /// the rows of a matrix, used in turn.
    ///
    /// TensorFlow: `DrawBoundingBoxesV2`. Images have 1, 3 or 4 channels.
    pub op DrawBoundingBoxesV2 = "DrawBoundingBoxesV2" {
        inputs: { images: T, boxes: {F32}, colors: {F32} }, outputs: { output: T },
        types: { T: SINGLE },
        dispatch: none,
        infer: infer::drawn, kernel: boxes::drawn,
        gradient: |g| Ok([g.missing(0)?, None, None]),
        batch: |b| examples(b, &[0, 1]),
    }

    /// The boxes with the best scores: a box is left out if it overlaps a box with a better score.
    ///
    /// TensorFlow: `NonMaxSuppression`.
    pub op NonMaxSuppression = "NonMaxSuppression" {
        inputs: { boxes: {F32}, scores: {F32}, max_output_size: {I32} }, outputs: { selected_indices: {I32} },
        attrs: { iou_threshold: f32 = 0.5 },
        dispatch: none,
        infer: |c| infer::selected(c, false), kernel: |c| suppress::selected(c, false),
        gradient: none,
    }

    /// The boxes with the best scores: a box is left out if it overlaps a box with a better score by more than
    /// `iou_threshold`.
    ///
    /// TensorFlow: `NonMaxSuppressionV2`.
    pub op NonMaxSuppressionV2 = "NonMaxSuppressionV2" {
        inputs: { boxes: T, scores: T, max_output_size: {I32}, iou_threshold: T_threshold },
        outputs: { selected_indices: {I32} },
        types: { T: SINGLE, T_threshold: SINGLE },
        dispatch: none,
        infer: |c| infer::selected(c, false), kernel: |c| suppress::selected(c, false),
        gradient: none,
    }

    /// [`NonMaxSuppressionV2`] without scores that are not above `score_threshold`.
    ///
    /// TensorFlow: `NonMaxSuppressionV3`.
    pub op NonMaxSuppressionV3 = "NonMaxSuppressionV3" {
        inputs: { boxes: T, scores: T, max_output_size: {I32}, iou_threshold: T_threshold, score_threshold: T_threshold },
        outputs: { selected_indices: {I32} },
        types: { T: SINGLE, T_threshold: SINGLE },
        dispatch: none,
        infer: |c| infer::selected(c, false), kernel: |c| suppress::selected(c, false),
        gradient: none,
    }

    /// [`NonMaxSuppressionV3`], also with the number of boxes; the indices may be padded with zeros.
    ///
    /// TensorFlow: `NonMaxSuppressionV4`.
    pub op NonMaxSuppressionV4 = "NonMaxSuppressionV4" {
        inputs: { boxes: T, scores: T, max_output_size: {I32}, iou_threshold: T_threshold, score_threshold: T_threshold },
        outputs: { selected_indices: {I32}, valid_outputs: {I32} },
        types: { T: SINGLE, T_threshold: SINGLE }, attrs: { pad_to_max_output_size: bool = false },
        dispatch: none,
        infer: |c| infer::selected(c, false), kernel: |c| suppress::selected(c, false),
        gradient: none,
    }

    /// [`NonMaxSuppressionV4`], also with the scores. If `soft_nms_sigma` is above 0, overlaps lower the scores and
    /// do not remove boxes.
    ///
    /// TensorFlow: `NonMaxSuppressionV5`.
    pub op NonMaxSuppressionV5 = "NonMaxSuppressionV5" {
        inputs: { boxes: T, scores: T, max_output_size: {I32}, iou_threshold: T, score_threshold: T, soft_nms_sigma: T },
        outputs: { selected_indices: {I32}, selected_scores: T, valid_outputs: {I32} },
        types: { T: SINGLE }, attrs: { pad_to_max_output_size: bool = false },
        dispatch: none,
        infer: |c| infer::selected(c, false), kernel: |c| suppress::selected(c, false),
        gradient: none,
    }

    /// [`NonMaxSuppressionV3`] with a matrix of overlaps in place of boxes.
    ///
    /// TensorFlow: `NonMaxSuppressionWithOverlaps`.
    pub op NonMaxSuppressionWithOverlaps = "NonMaxSuppressionWithOverlaps" {
        inputs: { overlaps: {F32}, scores: {F32}, max_output_size: {I32}, overlap_threshold: {F32}, score_threshold: {F32} },
        outputs: { selected_indices: {I32} },
        dispatch: none,
        infer: |c| infer::selected(c, true), kernel: |c| suppress::selected(c, true),
        gradient: none,
    }

    /// The boxes with the best scores of each image, suppressed class by class.
    ///
    /// TensorFlow: `CombinedNonMaxSuppression`. `boxes` has the shape `[batch, boxes, q, 4]`, where `q` is 1 or the number
    /// of classes; `scores` has the shape `[batch, boxes, classes]`.
    pub op CombinedNonMaxSuppression = "CombinedNonMaxSuppression" {
        inputs: {
            boxes: {F32}, scores: {F32}, max_output_size_per_class: {I32}, max_total_size: {I32}, iou_threshold: {F32},
            score_threshold: {F32}
        },
        outputs: { nmsed_boxes: {F32}, nmsed_scores: {F32}, nmsed_classes: {F32}, valid_detections: {I32} },
        attrs: { pad_per_class: bool = false, clip_boxes: bool = true },
        dispatch: none,
        infer: infer::combined, kernel: suppress::combined,
        gradient: none,
    }

    /// A random box in an image of `image_size`, which covers a part of a given box: the arguments of a slice, and the
    /// box as `[[[y1, x1, y2, x2]]]` in parts of the image.
    ///
    /// TensorFlow: `StatelessSampleDistortedBoundingBox`. `min_object_covered` is in `[0, 1]`. If `max_attempts`, at most
    /// 1,000,000, find no such box, it is the whole image.
    pub op StatelessSampleDistortedBoundingBox = "StatelessSampleDistortedBoundingBox" {
        inputs: { image_size: T, bounding_boxes: {F32}, min_object_covered: {F32}, seed: Tseed },
        outputs: { begin: T, size: T, bboxes: {F32} },
        types: {
            T: DTypeSet::of(&[DType::U8, DType::I8, DType::I16, DType::I32, DType::I64]), Tseed: DTypeSet::INDEX
        },
        attrs: {
            aspect_ratio_range: Vec<f32> = vec![0.75, 1.33], area_range: Vec<f32> = vec![0.05, 1.0],
            max_attempts: i64 = 100, use_image_if_no_bounding_boxes: bool = false
        },
        dispatch: none,
        infer: infer::distorted, kernel: distort::sampled,
        gradient: none,
    }
}

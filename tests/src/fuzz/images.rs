//! Calls of ops on images.

use extype::array::Array;
use extype::ir::{AttrValue, Attrs};
use extype::{DType, Tensor};

use super::defs;
use super::rng::Rng;
use super::values::{Style, filled, integers};

/// Inputs and attributes.
pub(super) type Parts = (Vec<Option<Array>>, Vec<(&'static str, AttrValue)>);

/// The inputs and attributes of an op on images, float64 where it takes them.
pub(super) fn recipe(name: &str, rng: &mut Rng) -> Option<Parts> {
    let (h, w, c) = (1 + rng.below(4), 1 + rng.below(4), 1 + rng.below(3));
    let size = [1 + rng.below(6) as i64, 1 + rng.below(6) as i64];
    let (one, boxes) = (rng.pick(&["bilinear", "nearest"]), 1 + rng.below(3));
    let half = rng.chance(50);
    let align = !half && rng.chance(50);
    let mut of = |dtype: DType, dims: &[usize]| filled(dtype, dims, Style::Within(0.1, 0.9), rng);
    let (f32, f64) = (DType::F32, DType::F64);
    let ints = |values: &[i64]| integers(DType::I32, &[values.len()], values);
    let count = |n: i64| integers(DType::I32, &[], &[n]);
    let text = |s: &str| AttrValue::Str(s.as_bytes().into());
    let list = |l: &[i64]| AttrValue::List(l.iter().map(|n| AttrValue::Int(*n)).collect());
    let corners = || {
        vec![
            ("align_corners", AttrValue::Bool(align)),
            ("half_pixel_centers", AttrValue::Bool(half)),
        ]
    };
    let filter = || vec![("kernel_type", text("triangle")), ("antialias", AttrValue::Bool(half))];
    let image = [2, h, w, c];
    let resized = [2, size[0] as usize, size[1] as usize, c];
    let crops = [boxes, size[0] as usize, size[1] as usize, c];
    let method = vec![("method", text(one))];
    let warped = || vec![("interpolation", text("BILINEAR")), ("fill_mode", text("CONSTANT"))];
    Some(match name {
        "DecodePng" | "DecodeImage" => (
            vec![file("EncodePng", [h, w, 3])],
            vec![
                ("dtype", AttrValue::Type(DType::U8)),
                ("expand_animations", AttrValue::Bool(half)),
            ],
        ),
        "EncodePng" | "EncodeJpeg" => {
            (vec![filled(DType::U8, &[h, w, 3], Style::Below(256), rng)], vec![])
        }
        "DecodeJpeg" => (vec![file("EncodeJpeg", [h, w, 3])], vec![]),
        "ExtractJpegShape" => {
            let attrs = vec![("output_type", AttrValue::Type(DType::I32))];
            (vec![file("EncodeJpeg", [h, w, 3])], attrs)
        }
        "DecodeAndCropJpeg" => {
            (vec![file("EncodeJpeg", [h, w, 3]), ints(&[0, 0, h as i64, w as i64])], vec![])
        }
        "DecodeBmp" => (vec![text_of(bmp())], vec![]),
        "DecodeGif" => (vec![text_of(GIF.to_vec())], vec![]),
        "StatelessSampleDistortedBoundingBox" => {
            let part = integers(DType::I64, &[2], &[1, 2]);
            (vec![ints(&[8, 9, 3]), of(f32, &[1, boxes, 4]), of(f32, &[]), part], vec![])
        }
        "ResizeBilinear"
        | "ResizeBicubic"
        | "ResizeNearestNeighbor"
        | "ResizeNearestNeighborGrad" => (vec![of(f64, &image), ints(&size)], corners()),
        "ResizeArea" => {
            (vec![of(f64, &image), ints(&size)], vec![("align_corners", AttrValue::Bool(align))])
        }
        "ResizeBilinearGrad" | "ResizeBicubicGrad" => {
            (vec![of(f32, &resized), of(f64, &image)], corners())
        }
        "ScaleAndTranslate" => {
            (vec![of(f64, &image), ints(&size), of(f32, &[2]), of(f32, &[2])], filter())
        }
        "ScaleAndTranslateGrad" => {
            (vec![of(f32, &resized), of(f32, &image), of(f32, &[2]), of(f32, &[2])], filter())
        }
        "CropAndResize" => {
            let images = ints(&vec![1; boxes]);
            (vec![of(f64, &image), of(f32, &[boxes, 4]), images, ints(&size)], method)
        }
        "CropAndResizeGradImage" => {
            let shape = ints(&image.map(|n| n as i64));
            let images = ints(&vec![1; boxes]);
            let mut attrs = method;
            attrs.push(("T", AttrValue::Type(f64)));
            (vec![of(f32, &crops), of(f32, &[boxes, 4]), images, shape], attrs)
        }
        "CropAndResizeGradBoxes" => {
            let images = ints(&vec![1; boxes]);
            let attrs = vec![("method", text("bilinear"))];
            (vec![of(f32, &crops), of(f64, &image), of(f32, &[boxes, 4]), images], attrs)
        }
        "RGBToHSV" | "HSVToRGB" => (vec![of(f64, &[h, w, 3])], vec![]),
        "AdjustContrastv2" => (vec![of(f32, &image), of(f32, &[])], vec![]),
        "AdjustHue" | "AdjustSaturation" => (vec![of(f32, &[h, w, 3]), of(f32, &[])], vec![]),
        "ExtractImagePatches" => {
            let padding = text(if half { "SAME" } else { "VALID" });
            let attrs = vec![
                ("ksizes", list(&[1, 2, 1, 1])),
                ("strides", list(&[1, 1, 2, 1])),
                ("rates", list(&[1, 1, 1, 1])),
                ("padding", padding),
            ];
            (vec![of(f64, &image)], attrs)
        }
        "ExtractVolumePatches" => {
            let padding = text(if half { "SAME" } else { "VALID" });
            let attrs = vec![
                ("ksizes", list(&[1, 2, 1, 2, 1])),
                ("strides", list(&[1, 1, 2, 1, 1])),
                ("padding", padding),
            ];
            (vec![of(f64, &[2, 2, h, w, c])], attrs)
        }
        "ImageProjectiveTransformV2" => {
            (vec![of(f64, &image), of(f32, &[1, 8]), ints(&size)], warped())
        }
        "ImageProjectiveTransformV3" => {
            (vec![of(f64, &image), of(f32, &[1, 8]), ints(&size), of(f32, &[])], warped())
        }
        "ExtractGlimpseV2" => {
            let attrs = vec![
                ("noise", text("zero")),
                ("uniform_noise", AttrValue::Bool(false)),
                ("centered", AttrValue::Bool(half)),
                ("normalized", AttrValue::Bool(align)),
            ];
            (vec![of(f32, &image), ints(&size), of(f32, &[2, 2])], attrs)
        }
        "DrawBoundingBoxes" => (vec![of(f32, &[2, h, w, 3]), of(f32, &[2, boxes, 4])], vec![]),
        "DrawBoundingBoxesV2" => {
            (vec![of(f32, &[2, h, w, 3]), of(f32, &[2, boxes, 4]), of(f32, &[2, 3])], vec![])
        }
        "NonMaxSuppression" => {
            let attrs = vec![("iou_threshold", AttrValue::Float(0.5))];
            (vec![of(f32, &[4, 4]), of(f32, &[4]), count(3)], attrs)
        }
        "NonMaxSuppressionV2" => {
            (vec![of(f32, &[4, 4]), of(f32, &[4]), count(3), of(f32, &[])], vec![])
        }
        "NonMaxSuppressionV3" => {
            (vec![of(f32, &[4, 4]), of(f32, &[4]), count(3), of(f32, &[]), of(f32, &[])], vec![])
        }
        "NonMaxSuppressionWithOverlaps" => {
            (vec![of(f32, &[4, 4]), of(f32, &[4]), count(3), of(f32, &[]), of(f32, &[])], vec![])
        }
        "NonMaxSuppressionV4" => {
            let attrs = vec![("pad_to_max_output_size", AttrValue::Bool(half))];
            (vec![of(f32, &[4, 4]), of(f32, &[4]), count(3), of(f32, &[]), of(f32, &[])], attrs)
        }
        "NonMaxSuppressionV5" => {
            let attrs = vec![("pad_to_max_output_size", AttrValue::Bool(half))];
            let numbers = [of(f32, &[]), of(f32, &[]), of(f32, &[])];
            let inputs = [of(f32, &[4, 4]), of(f32, &[4]), count(3)].into_iter().chain(numbers);
            (inputs.collect(), attrs)
        }
        "CombinedNonMaxSuppression" => {
            let attrs = vec![
                ("pad_per_class", AttrValue::Bool(half)),
                ("clip_boxes", AttrValue::Bool(align)),
            ];
            let inputs = vec![
                of(f32, &[2, 4, 1, 4]),
                of(f32, &[2, 4, 2]),
                count(3),
                count(4),
                of(f32, &[]),
                of(f32, &[]),
            ];
            (inputs, attrs)
        }
        _ => return None,
    })
}

/// A GIF of one white pixel.
const GIF: &[u8] =
    b"GIF89a\x01\0\x01\0\x80\0\0\xff\xff\xff\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";

/// A BMP of two pixels in a row.
fn bmp() -> Vec<u8> {
    let mut file = vec![0; 54 + 8];
    file[..2].copy_from_slice(b"BM");
    (file[10], file[18], file[22], file[28]) = (54, 2, 1, 24);
    file
}

fn text_of(bytes: Vec<u8>) -> Option<Array> {
    Array::from_strings([], vec![bytes]).ok()
}

/// The file that an op makes of pixels of this shape.
fn file(op: &str, dims: [usize; 3]) -> Option<Array> {
    let op = defs::op(op)?;
    let count = dims.iter().product::<usize>();
    let pixels: Vec<u8> = (0..count).map(|i| (i * 37 % 256) as u8).collect();
    let attrs = defs::attributes(op).into_iter();
    let attrs = attrs.filter_map(|a| Some((a.name, a.default?)));
    let attrs = attrs.fold(Attrs::new(), |mut attrs, (name, value)| {
        attrs.set(name, value);
        attrs
    });
    let pixels = Tensor::from_slice(&pixels, &dims).ok()?;
    extype::tensor::execute(op, attrs, &[&pixels]).ok()?[0].value().ok().cloned()
}

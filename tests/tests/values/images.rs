//! Images: gradients of what moves pixels, unknown sizes, and files that lie.

use extype::array::Array;
use extype::image::{self, AntiAlias, Method};
use extype::prelude::*;

fn numbers(sizes: &[usize]) -> Tensor {
    let count: usize = sizes.iter().product();
    let all: Vec<f64> = (0..count).map(|i| ((i * i + 3 * i + 1) as f64 * 0.7).sin()).collect();
    Tensor::from_slice(&all, sizes).expect("as many numbers")
}

fn file(bytes: &[u8]) -> Tensor {
    Array::from_strings([0usize; 0], vec![bytes.to_vec()]).expect("one text").into()
}

#[test]
fn the_gradient_of_windows_counts_how_often_a_pixel_is_in_one() -> Result<()> {
    let x = numbers(&[1, 3, 3, 2]);
    let sum = |x: &Tensor| image::extract_patches(x, [2, 2], ..)?.sum(..);
    let counts = grad(sum)(&x)?.index((0, .., .., 0))?;
    assert_eq!(counts.as_slice::<f64>()?, &[1.0, 2.0, 1.0, 2.0, 4.0, 2.0, 1.0, 2.0, 1.0]);
    Ok(())
}

#[test]
fn resizing_and_its_gradient_are_transposed() -> Result<()> {
    for method in [Method::Bilinear, Method::Bicubic, Method::Nearest, Method::Lanczos3] {
        for antialias in [false, true] {
            let (x, y) = (numbers(&[2, 7, 5, 3]).cast(f32)?, numbers(&[2, 4, 9, 3]).cast(f32)?);
            let forth = |x: &Tensor| match antialias {
                true => image::resize(x, [4, 9], (method, AntiAlias)),
                false => image::resize(x, [4, 9], method),
            };
            let product = ops::mul(forth(&x)?, &y)?.sum(..)?.item::<f32>()?;
            let back = grad(|x: &Tensor| ops::mul(forth(x)?, &y)?.sum(..))(&x)?;
            let other = ops::mul(&back, &x)?.sum(..)?.item::<f32>()?;
            assert!((product - other).abs() < 1e-3, "{method:?}: {product} and {other}");
        }
    }
    Ok(())
}

#[test]
fn images_of_unknown_sizes_are_traced() -> Result<()> {
    let f = function(|x: &Tensor| {
        let wide = image::resize_with_crop_or_pad(x, [6, 2])?;
        let small = image::central_crop(&image::resize_with_pad(&wide, [8, 8], ..)?, 0.5)?;
        image::ssim(&small, &small, 1.0, image::Similarity { filter_size: 3, ..Default::default() })
    });
    let spec = TensorSpec::new(shape![?, ?, ?, 1], DType::F32);
    let y = f.concrete(&spec)?.call_flat(&[numbers(&[2, 4, 5, 1]).cast(f32)?])?;
    assert_eq!(y[0].as_slice::<f32>()?, &[1.0, 1.0]);
    Ok(())
}

#[test]
fn files_that_lie_about_their_size_are_refused() -> Result<()> {
    let png = image::encode_png(ops::fill([2, 2, 3], 7u8)?)?;
    let mut bytes = png.value()?.as_strings()?[0].clone();
    assert_eq!(image::decode_png(&png, 1, u8)?.as_slice::<u8>()?, &[7; 4]);
    // The width stands behind the signature and the name of the first chunk; its checksum is then wrong too.
    bytes[16..24].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff]);
    let bomb = [
        &b"BM"[..],
        &[0; 8],
        &[54, 0, 0, 0, 40, 0, 0, 0],
        &[0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f, 1, 0, 24, 0],
    ]
    .concat();
    for file in [file(&bytes), file(&bomb), file(b"GIF89a\xff\xff\xff\xff\x80\0\0"), file(b"")] {
        let e = image::decode_image(&file, 0, u8).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::InvalidArgument, "{e}");
    }
    let jpeg = image::encode_jpeg(ops::fill([16, 16, 3], 7u8)?, 90)?;
    let whole = jpeg.value()?.as_strings()?[0].clone();
    assert!(image::decode_jpeg(file(&whole[..whole.len() / 2]), 0).is_err());
    let back = image::decode_jpeg(&jpeg, 3)?.cast(i32)?;
    assert!((back - 7).abs()?.max(..)?.item::<i32>()? <= 2);
    Ok(())
}

/// A GIF file of one pixel in as many frames as there are colours; each frame has a palette of its own.
fn animated(colours: &[[u8; 3]]) -> Tensor {
    let mut bytes = b"GIF89a\x01\x00\x01\x00\x00\x00\x00".to_vec();
    for [r, g, b] in colours {
        bytes.extend([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0x80, *r, *g, *b, 0, 0, 0]);
        bytes.extend([2, 2, 0x44, 1, 0]);
    }
    bytes.push(0x3b);
    file(&bytes)
}

/// A BMP file of one pixel, with its bytes in the order of the file.
fn bitmap(pixel: &[u8]) -> Tensor {
    let mut bytes = b"BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x01\0\0\0\x01\0\0\0\x01\0".to_vec();
    bytes.extend([8 * pixel.len() as u8, 0]);
    bytes.resize(0x36, 0);
    bytes.extend(pixel);
    bytes.resize(0x36 + pixel.len().next_multiple_of(4), 0);
    file(&bytes)
}

#[test]
fn a_decoder_takes_the_formats_that_tensorflows_takes() -> Result<()> {
    let (one, two) = (animated(&[[1, 2, 3]]), animated(&[[1, 2, 3], [4, 5, 6]]));
    let png = image::encode_png([[[7u8, 8, 9]]])?;
    assert_eq!(image::decode_gif(&two)?.as_slice::<u8>()?, &[1, 2, 3, 4, 5, 6]);
    assert_eq!(image::decode_image(&two, 0, u8)?.as_slice::<u8>()?, &[1, 2, 3]);
    // One frame is an image, and an image is one frame.
    assert_eq!(image::decode_png(&one, 0, u8)?.shape(), shape![1, 1, 3]);
    assert_eq!(image::decode_jpeg(&one, 0)?.as_slice::<u8>()?, &[1, 2, 3]);
    assert_eq!(image::decode_gif(&png)?.shape(), shape![1, 1, 1, 3]);
    let says = |x: Result<Tensor>, text: &str| {
        let e = x.unwrap_err();
        assert!(e.kind() == ErrorKind::InvalidArgument && e.message().contains(text), "{e}");
    };
    says(image::decode_png(&two, 0, u8), "several frames; write `decode_gif`");
    says(image::decode_jpeg(&two, 0), "several frames");
    says(image::decode_png(&png, 0, f32), "gives uint8 and uint16, not float32");
    let bmp = bitmap(&[3, 2, 1]);
    says(image::decode_png(&bmp, 0, u8), "write `decode_bmp`");
    says(image::decode_gif(&bmp), "write `decode_bmp`");
    says(image::decode_image(&bmp, 1, u8), "not 1");
    Ok(())
}

#[test]
fn bytes_become_words_and_channels() -> Result<()> {
    let words = |file: &Tensor| image::decode_image(file, 3, DType::U16)?.to_vec::<u16>();
    assert_eq!(words(&animated(&[[0, 1, 255]]))?, [0, 256, 255 * 256]);
    assert_eq!(words(&bitmap(&[255, 1, 0]))?, [0, 256, 255 * 256]);
    // White stays white in PNG files.
    assert_eq!(words(&image::encode_png([[[0u8, 1, 255]]])?)?, [0, 257, 65535]);
    let bytes =
        |pixel: &[u8], channels| image::decode_image(bitmap(pixel), channels, u8)?.to_vec::<u8>();
    assert_eq!(bytes(&[3, 2, 1], 4)?, [1, 2, 3, 255]);
    assert_eq!(bytes(&[3, 2, 1, 9], 3)?, [1, 2, 3]);
    assert_eq!((bytes(&[7], 0)?, bytes(&[7], 4)?), (vec![7], vec![7, 7, 7, 255]));
    Ok(())
}

#[test]
fn the_rank_of_a_decoded_image_is_known_in_a_trace() -> Result<()> {
    let size = function(|file: &Tensor| {
        let x = image::decode_image(file, 3, f32)?;
        assert_eq!(x.shape(), shape![?, ?, 3]);
        image::resize(&x, [2, 2], ..)
    });
    assert_eq!(size.call(&image::encode_png([[[7u8]]])?)?.shape(), shape![2, 2, 3]);
    Ok(())
}

#[test]
fn samples_of_boxes_are_bounded() -> Result<()> {
    let sample = |size: [i32; 3], covered: f32, attempts: i64| {
        let op = ops::StatelessSampleDistortedBoundingBox {
            aspect_ratio_range: vec![0.75, 1.33],
            area_range: vec![0.05, 1.0],
            max_attempts: attempts,
            use_image_if_no_bounding_boxes: true,
        };
        let boxes = ops::zeros([1, 0, 4], f32)?;
        ops::Op::run_as::<(Tensor, Tensor, Tensor)>(
            &op,
            &[&tensor![size[0], size[1], size[2]], &boxes, &scalar(covered), &tensor![1, 2]],
        )
    };
    assert_eq!(sample([4, 4, 3], 1.0, 10)?.0.shape(), shape![3]);
    for (size, covered, attempts, text) in [
        ([4, 4, 3], 1.5, 10, "in [0, 1]"),
        ([4, 4, 3], f32::NAN, 10, "in [0, 1]"),
        ([0, 4, 3], 1.0, 10, "positive int32"),
        ([4, -1, 3], 1.0, 10, "positive int32"),
        ([4, 4, 3], 1.0, i64::MAX, "`max_attempts` is"),
    ] {
        let e = sample(size, covered, attempts).unwrap_err();
        assert!(e.message().contains(text), "{e}");
    }
    Ok(())
}

#[test]
fn a_small_jpeg_image_has_a_pixel_for_each_block() -> Result<()> {
    let jpeg = image::encode_jpeg(ops::fill([17, 9, 1], 100u8)?, 95)?;
    for (ratio, size) in [(1, [17, 9]), (2, [9, 5]), (4, [5, 3]), (8, [3, 2])] {
        let op = ops::DecodeJpeg {
            channels: 0,
            ratio,
            fancy_upscaling: true,
            try_recover_truncated: false,
            acceptable_fraction: 1.0,
            dct_method: String::new(),
        };
        let small = ops::Op::run(&op, &[&jpeg])?;
        assert_eq!(small.shape(), shape![size[0], size[1], 1]);
        let error = (small.cast(i32)? - 100).abs()?.max(..)?.item::<i32>()?;
        assert!(error <= 2, "{ratio}: {small}");
    }
    Ok(())
}

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

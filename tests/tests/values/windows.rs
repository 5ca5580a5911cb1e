//! Convolutions and poolings as users call them.

use extype::hessian;
use extype::ops::{DataFormat, Dilations, Padding, Strides};
use extype::prelude::*;

/// Numbers that differ, as float64.
fn numbers(dims: &[i64]) -> Tensor {
    let count: i64 = dims.iter().product();
    let x = ops::range(0.0f64, count as f64, 1.0f64).unwrap();
    (x * 0.7).sin().unwrap().reshape(dims.to_vec()).unwrap()
}

fn close(a: &Tensor, b: &Tensor) -> bool {
    ops::allclose(a, b, ..).unwrap().item::<bool>().unwrap()
}

#[test]
fn the_channels_may_come_first() -> Result<()> {
    let (x, filters) = (numbers(&[2, 5, 6, 3]), numbers(&[3, 2, 3, 4]));
    let first = |x: &Tensor| x.transpose([0, 3, 1, 2]);
    for padding in [Padding::Valid, Padding::Same, Padding::Explicit(vec![[1, 0], [2, 3]])] {
        let options = |format| (padding.clone(), Strides([2, 1]), format);
        let last = x.conv2d(&filters, options(DataFormat::ChannelsLast))?;
        let y = first(&x)?.conv2d(&filters, options(DataFormat::ChannelsFirst))?;
        assert!(close(&first(&last)?, &y));
        let pooled = x.max_pool2d(2, (padding.clone(), Strides(1)))?;
        let y =
            first(&x)?.max_pool2d(2, (padding.clone(), Strides(1), DataFormat::ChannelsFirst))?;
        assert!(close(&first(&pooled)?, &y));
    }
    Ok(())
}

#[test]
fn groups_are_convolutions_of_parts() -> Result<()> {
    let (x, filters) = (numbers(&[1, 4, 4, 6]), numbers(&[2, 2, 3, 4]));
    let parts = ops::split(&x, 2, -1)?.into_iter().zip(ops::split(&filters, 2, -1)?);
    let parts = parts.map(|(x, f)| x.conv2d(f, ..)).collect::<Result<Vec<_>>>()?;
    assert!(close(&x.conv2d(&filters, ..)?, &ops::concat(&parts.iter().collect::<Vec<_>>(), -1)?));
    Ok(())
}

#[test]
fn gradients_have_gradients() -> Result<()> {
    let filters = numbers(&[2, 2, 2, 3]);
    let loss = |x: &Tensor| x.conv2d(&filters, (Padding::Same, Dilations(2)))?.square()?.sum(..);
    let x = numbers(&[1, 3, 3, 2]);
    // The loss is quadratic: its Hessian does not depend on the point, and its gradient is the Hessian times the point.
    let (at_x, at_zero) = (hessian(loss)(&x)?, hessian(loss)(&x.zeros_like()?)?);
    let (at_x, at_zero) = (at_x.into_tensor()?, at_zero.into_tensor()?);
    assert!(close(&at_x, &at_zero));
    let product = at_x.reshape([18, 18])?.matvec(x.reshape([18])?)?;
    assert!(close(&product, &grad(loss)(&x)?.reshape([18])?));
    Ok(())
}

#[test]
fn sizes_may_be_unknown_while_tracing() -> Result<()> {
    let filters = numbers(&[3, 3, 2, 4]);
    let captured = filters.clone();
    let f = function(move |x: &Tensor| {
        x.conv2d(&captured, Padding::Same)?.max_pool2d(2, ..)?.avg_pool2d(1, ..)
    });
    let concrete = f.concrete(&TensorSpec::new(shape![?, ?, ?, 2], f64))?;
    for dims in [[1, 4, 4, 2], [2, 6, 5, 2], [0, 4, 4, 2]] {
        let x = numbers(&dims);
        let want = x.conv2d(&filters, Padding::Same)?.max_pool2d(2, ..)?;
        assert!(close(&concrete.call_flat(std::slice::from_ref(&x))?[0], &want));
    }
    Ok(())
}

#[test]
fn sums_of_nothing_are_zeros() -> Result<()> {
    let spread =
        numbers(&[1, 2, 2, 0]).conv2d_transpose(numbers(&[2, 2, 3, 0]), [1, 3, 3, 3], ..)?;
    assert_eq!(spread.as_slice::<f64>()?, &[0.0; 27]);
    let filters = numbers(&[2, 2, 3, 4]);
    let loss = |filters: &Tensor| numbers(&[0, 5, 5, 3]).conv2d(filters, ..)?.sum(..);
    assert_eq!(grad(loss)(&filters)?.as_slice::<f64>()?, &[0.0; 48]);
    Ok(())
}

#[test]
fn a_number_is_larger_than_nan() -> Result<()> {
    let x = tensor![f32::NAN, 5.0].reshape([1, 2, 1, 1])?;
    let (y, place) = ops::max_pool_with_argmax(&x, [2, 1], ..)?;
    assert_eq!((y.item::<f32>()?, place.item::<i64>()?), (5.0, 1));
    let slope = grad(|x: &Tensor| x.max_pool2d([2, 1], ..)?.sum(..))(&x)?;
    assert_eq!(slope.as_slice::<f32>()?, &[0.0, 1.0]);
    Ok(())
}

#[test]
fn mistakes_are_named() {
    let x = numbers(&[1, 4, 4, 3]);
    let refused = |y: Result<Tensor>, what: &str| {
        let e = y.unwrap_err().to_string();
        assert!(e.contains(what), "{e}");
    };
    refused(
        x.conv2d(numbers(&[6, 6, 3, 1]), ..),
        "a window over 6 places is too large for an axis of size 4",
    );
    refused(
        x.conv2d(numbers(&[2, 2, 2, 1]), ..),
        "filters over 2 channels don't divide the 3 channels",
    );
    refused(x.conv2d(numbers(&[2, 2, 1, 4]), ..), "4 filters don't divide into 3 groups");
    refused(x.conv2d(numbers(&[2, 2, 3]), ..), "`filter`");
    refused(x.conv2d(numbers(&[2, 2, 3, 1]), Strides(0)), "has an entry below 1");
    refused(
        x.conv2d(numbers(&[2, 2, 3, 1]), Strides([1, 2, 3])),
        "has 5 entries, not one for each of 4 axes",
    );
    refused(
        x.conv2d(numbers(&[2, 2, 3, 1]), Padding::Explicit(vec![[1, 1]])),
        "two for each of 4 axes",
    );
    refused(
        numbers(&[1, 4, 4, 0]).conv2d(numbers(&[2, 2, 3, 1]), ..),
        "don't divide the 0 channels",
    );
    let far = (Strides([1i64 << 32, 1]), Padding::Explicit(vec![[1 << 32, 1 << 32], [0, 0]]));
    refused(numbers(&[1, 1, 1, 1]).conv2d(numbers(&[1, 1, 1, 1]), far), "that need a copy of");
    refused(x.max_pool2d(0, Strides(1)), "`ksize`");
    refused(x.avg_pool2d(2, Padding::Explicit(vec![[1, 1], [1, 1]])), "explicit paddings of means");
    refused(
        x.conv2d_transpose(numbers(&[2, 2, 1, 3]), [1, 9, 9, 1], ..),
        "`out_backprop` has shape [1, 4, 4, 3], the output [1, 8, 8, 3]",
    );
}

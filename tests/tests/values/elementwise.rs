//! Special functions and functions made of several ops, as users call them.

use extype::ops::Apply1;
use extype::prelude::*;
use extype_masked::MaskedTensor;

/// A function and points in its domain.
type Row = (&'static str, fn(&Tensor) -> Result<Tensor>, &'static [f64]);

const UNARY: &[Row] = &[
    ("lgamma", Tensor::lgamma, &[-1.6, 0.3, 1.46, 7.5]),
    ("digamma", Tensor::digamma, &[-0.7, 0.3, 2.5, 11.0]),
    ("erfinv", Tensor::erfinv, &[-0.95, -0.2, 0.5, 0.9]),
    ("ndtri", Tensor::ndtri, &[0.02, 0.4, 0.97]),
    ("erfcinv", |x| ops::erfcinv(x), &[0.1, 1.2, 1.9]),
    ("bessel_i0", |x| ops::bessel_i0(x), &[-2.0, 0.5, 9.0]),
    ("bessel_i0e", |x| ops::bessel_i0e(x), &[-2.0, 0.5, 9.0]),
    ("bessel_i1", |x| ops::bessel_i1(x), &[-2.0, 0.5, 9.0]),
    ("bessel_i1e", |x| ops::bessel_i1e(x), &[-2.0, 0.5, 9.0]),
    ("bessel_j0", |x| ops::bessel_j0(x), &[-3.0, 0.5, 9.0]),
    ("bessel_j1", |x| ops::bessel_j1(x), &[-3.0, 0.5, 9.0]),
    ("bessel_k0", |x| ops::bessel_k0(x), &[0.2, 1.5, 4.0]),
    ("bessel_k0e", |x| ops::bessel_k0e(x), &[0.2, 1.5, 4.0]),
    ("bessel_k1", |x| ops::bessel_k1(x), &[0.2, 1.5, 4.0]),
    ("bessel_k1e", |x| ops::bessel_k1e(x), &[0.2, 1.5, 4.0]),
    ("bessel_y0", |x| ops::bessel_y0(x), &[0.2, 1.5, 9.0]),
    ("bessel_y1", |x| ops::bessel_y1(x), &[0.2, 1.5, 9.0]),
    ("dawsn", |x| ops::dawsn(x), &[-1.5, 0.3, 3.0, 8.0]),
    ("expint", |x| ops::expint(x), &[0.2, 1.5, 9.0, 40.0]),
    ("fresnel_cos", |x| ops::fresnel_cos(x), &[-1.1, 0.4, 3.3]),
    ("fresnel_sin", |x| ops::fresnel_sin(x), &[-1.1, 0.4, 3.3]),
    ("spence", |x| ops::spence(x), &[0.2, 0.7, 1.0, 3.0]),
    ("log_sigmoid", |x| ops::log_sigmoid(x), &[-3.0, 0.2, 4.0]),
    ("silu", |x| ops::silu(x, 1.5), &[-3.0, 0.2, 4.0]),
    ("gelu", |x| ops::gelu(x, false), &[-3.0, 0.2, 4.0]),
    ("gelu approximate", |x| ops::gelu(x, true), &[-3.0, 0.2, 4.0]),
    ("reciprocal_no_nan", |x| ops::reciprocal_no_nan(x), &[-3.0, 0.2]),
    ("crelu", |x| ops::crelu(x, -1), &[-3.0, 0.2]),
    ("igamma by x", |x| ops::igamma(x.ones_like()? * 2.5, x), &[0.1, 2.0, 7.0]),
    ("igamma by a", |a| a.igamma(a.ones_like()? * 2.5), &[0.3, 2.0, 7.0]),
    ("igammac by a", |a| a.igammac(a.ones_like()? * 2.5), &[0.3, 2.0, 7.0]),
    ("igammac by x", |x| ops::igammac(x.ones_like()? * 0.5, x), &[0.1, 2.0, 7.0]),
    ("zeta by q", |q| ops::zeta(q.ones_like()? * 2.5, q), &[0.3, 2.0, 17.0]),
    ("polygamma by x", |x| (x.ones_like()? * 2.0).polygamma(x), &[0.3, 2.0, 17.0]),
    (
        "betainc by x",
        |x| ops::betainc(scalar(2.5f64), &(x.ones_like()? * 0.5), x),
        &[0.1, 0.5, 0.8],
    ),
];

#[test]
fn gradients_are_the_slopes() -> Result<()> {
    for (name, f, points) in UNARY {
        let x = Tensor::from_slice(points, &[points.len()])?;
        let step = 1e-5;
        let slopes = (f(&(&x + step))? - f(&(&x - step))?) / (2.0 * step);
        // Of two halves along the last axis each element is in one.
        let want = slopes.reshape([-1, points.len() as i64])?.reduce_sum(0, false)?;
        let traced = function(|x: &Tensor| f(x));
        let eager = grad(f)(&x)?;
        let through_a_trace = grad(|x: &Tensor| traced.call(x))(&x)?;
        for got in [eager, through_a_trace] {
            for (i, point) in points.iter().enumerate() {
                let (got, want) = (got.to_vec::<f64>()?[i], want.to_vec::<f64>()?[i]);
                let error = (got - want).abs() / (1.0 + want.abs());
                assert!(error < 1e-6, "{name} at {point}: {got} instead of {want}");
            }
        }
    }
    Ok(())
}

#[test]
fn functions_of_several_ops_take_extension_types() -> Result<()> {
    let m = MaskedTensor::from_options(&[Some(-1.0), None, Some(0.0)])?;
    let x = tensor![-1.0f64, 0.0];
    let pairs = [
        (ops::log_sigmoid(&m)?, ops::log_sigmoid(&x)?),
        (ops::silu(&m, 1.0)?, ops::silu(&x, 1.0)?),
        (ops::gelu(&m, false)?, ops::gelu(&x, false)?),
        (ops::gelu(&m, true)?, ops::gelu(&x, true)?),
        (ops::clip_by_value(&m, -0.5, 0.5)?, ops::clip_by_value(&x, -0.5, 0.5)?),
        (ops::reciprocal_no_nan(&m)?, ops::reciprocal_no_nan(&x)?),
        (ops::erfcinv(&m)?, ops::erfcinv(&x)?),
        (m.digamma()?, x.digamma()?),
        (ops::bessel_i0(&m)?, ops::bessel_i0(&x)?),
    ];
    for (got, want) in pairs {
        assert_eq!(got.mask.to_vec::<bool>()?, [true, false, true]);
        let got = got.values.to_vec::<f64>()?;
        assert_eq!(format!("{:?}", [got[0], got[2]]), format!("{:?}", want.to_vec::<f64>()?));
    }
    Ok(())
}

#[test]
fn shapes_and_dtypes_are_checked() {
    let (two, three) = (tensor![1.0f32, 2.0], tensor![1.0f32, 2.0, 3.0]);
    let one = scalar(1.0f32);
    for result in [
        ops::approximate_equal(&two, &three, 0.1),
        ops::approximate_equal(&two, &one, 0.1),
        ops::igamma(&two, &three),
        ops::betainc(&two, &three, &one),
        ops::digamma(tensor![1, 2]),
        ops::truediv(&two, tensor![1, 2]),
        ops::next_after(tensor![1, 2], 3),
    ] {
        assert_eq!(result.unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}

#[test]
fn casts_cut_floats_where_asked() -> Result<()> {
    let x = tensor![1.999_999_99f64, -1.999_999_99];
    let cut = ops::Unary(ops::CastFn { dst: DType::F32, truncate: true });
    let y = <Tensor as Apply1<ops::Cast>>::apply1(&cut, &x)?;
    assert_eq!(y.to_vec::<f32>()?, [1.999_999_9, -1.999_999_9]);
    assert_eq!(x.cast(DType::F32)?.to_vec::<f32>()?, [2.0, -2.0]);
    Ok(())
}

#[test]
fn integers_round_to_zero_as_in_tensorflow() -> Result<()> {
    let round = ops::Round::default();
    let ints = <Tensor as Apply1<ops::Round>>::apply1(&round, &tensor![-7, 3])?;
    assert_eq!(ints.to_vec::<i32>()?, [0, 0]);
    let floats = <Tensor as Apply1<ops::Round>>::apply1(&round, &tensor![2.5f32, -0.5])?;
    assert_eq!(floats.to_vec::<f32>()?, [2.0, -0.0]);
    Ok(())
}

#[test]
fn trunc_cuts_off_what_is_behind_the_point() -> Result<()> {
    let points = [1.9, -1.9, 0.5, -0.5, 3.0, -0.0, 1e300, f64::INFINITY, f64::NEG_INFINITY];
    let want = [1.0, -1.0, 0.0, -0.0, 3.0, -0.0, 1e300, f64::INFINITY, f64::NEG_INFINITY];
    let got = Tensor::from_vec(points.to_vec()).trunc()?.to_vec::<f64>()?;
    assert_eq!(format!("{got:?}"), format!("{want:?}"));
    assert!(scalar(f32::NAN).trunc()?.item::<f32>()?.is_nan());
    for dtype in [DType::F16, DType::BF16, DType::F32] {
        let y = tensor![2.75f64, -2.75].cast(dtype)?.trunc()?;
        assert_eq!((y.dtype(), y.cast(f64)?.to_vec::<f64>()?), (dtype, vec![2.0, -2.0]));
    }
    let ints = tensor![i8::MIN, -1, 7];
    assert_eq!(ints.trunc()?.to_vec::<i8>()?, [i8::MIN, -1, 7]);
    let m = MaskedTensor::from_options(&[Some(-1.5), None])?;
    assert_eq!(m.trunc()?.values.to_vec::<f64>()?[0], -1.0);
    assert_eq!(scalar(true).trunc().unwrap_err().kind(), ErrorKind::InvalidArgument);
    Ok(())
}

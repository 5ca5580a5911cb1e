//! Lines about numbers: rounding, powers, comparisons, statistics.

use extype::prelude::*;
use num_complex::Complex64;

/// Complex numbers of their parts.
fn complexes(parts: &[(f64, f64)]) -> Tensor {
    Tensor::from_vec(parts.iter().map(|(re, im)| Complex64::new(*re, *im)).collect::<Vec<_>>())
}

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

table! {
    (inputs: x, y, _m, v, w, i, k, b, n, t, c)

    "np.arange(0.0, 1000.0, 0.001)[-1]" => ops::arange((0.0, 1000.0, 0.001))?.index(-1)?;
    "np.arange(1.0, -1.0, -0.3)" => ops::arange((1.0, -1.0, -0.3))?;
    "np.arange(0, 2, 0.5)" => ops::arange((0, 2, 0.5))?;
    "np.log10([1000.0, 0.01, 7.0])" => tensor![1000.0, 0.01, 7.0].log10()?;
    "np.log2(k + 1)" => (k + 1).log2()?;
    "np.log10([1e-323, 0.0, np.inf])" => tensor![1e-323, 0.0, INF].log10()?;
    "np.cbrt([64.0, -27.0, 0.001, 2.0])" => tensor![64.0, -27.0, 0.001, 2.0].cbrt()?;
    "np.geomspace(1.0, 1000.0, 4)[1:]" => ops::geomspace(1.0, 1000.0, 4)?.index(1..)?;
    "np.geomspace(5.0, 7.0, 3)[[0, 2]]" => ops::geomspace(5.0, 7.0, 3)?.take([0, 2], 0)?;
    "np.geomspace([1.0, 2.0], 8.0, 3, axis=1)" => ops::geomspace_with([1.0, 2.0], 8.0, 3, 1)?;
    "np.geomspace(1.0, 16.0, 4, endpoint=False)" => ops::geomspace_with(1.0, 16.0, 4, ops::Endpoint(false))?;

    "b.sum()" => b.sum(..)?;
    "b.sum(axis=1)" => b.sum(1)?;
    "b.prod(axis=0)" => b.prod(0)?;
    "np.cumsum(b)" => b.cumsum(..)?;
    "np.cumprod(b, axis=1)" => b.cumprod(1)?;
    "b.mean(axis=0)" => b.mean(0)?;
    "b.std()" => b.std(..)?;
    "i.std()" => i.std(..)?;
    "i.var(axis=1, ddof=1)" => i.var((1, ops::Ddof(1)))?;
    "np.nansum(b)" => b.nansum(..)?;
    "np.any(k)" => k.any(..)?;
    "np.all(x, axis=1)" => x.all(1)?;
    "np.logical_xor(k, 1)" => k.cast(bool)?.logical_xor(true)?;

    "np.clip(x, 0.0, None)" => x.clip(0.0, ..)?;
    "x.clip(max=2.0)" => x.clip(.., 2.0)?;
    "np.clip(i, None, 4)" => i.clip(None::<i64>, 4)?;
    "np.clip(x, [0.0, -1.0, 1.0], 2)" => x.clip([0.0, -1.0, 1.0], 2)?;
    "np.argmax(x, axis=1, keepdims=True)" => x.argmax((1, KeepDims))?;
    "np.argmin(t, keepdims=True)" => t.argmin(KeepDims)?;
    "np.nanargmax(n, axis=0, keepdims=True)" => n.nanargmax((0, KeepDims))?;
    "np.maximum.accumulate(x, axis=1)" => x.cummax(1)?;
    "np.maximum.accumulate(k)" => k.cummax(..)?;
    "np.minimum.accumulate(n, axis=0)" => n.cummin(0)?;
    "np.minimum.accumulate(t, axis=1)" => t.cummin(1)?;

    "np.arcsin(c)" => c.asin()?;
    "np.arccos(c)" => c.acos()?;
    "np.arctan(c)" => c.atan()?;
    "np.arcsinh(c)" => c.asinh()?;
    "np.arccosh(c)" => c.acosh()?;
    "np.arctanh(c)" => c.atanh()?;
    "np.arcsin([2.5 + 0j, -2.5 - 0j, complex(2.5, -0.0)])" => complexes(&[(2.5, 0.0), (-2.5, 0.0), (2.5, -0.0)]).asin()?;
    "np.arctanh([3.0 + 0j, complex(3.0, -0.0), -3.0 + 0j])" => complexes(&[(3.0, 0.0), (3.0, -0.0), (-3.0, 0.0)]).atanh()?;
    "np.tanh([400 + 1j, -1000 + 2j])" => complexes(&[(400.0, 1.0), (-1000.0, 2.0)]).tanh()?;
    "np.sqrt([-4 + 0j, complex(-4, -0.0), 3 + 4j])" => complexes(&[(-4.0, 0.0), (-4.0, -0.0), (3.0, 4.0)]).sqrt()?;
    "np.log([-1 + 0j, 1e200 + 1e200j])" => complexes(&[(-1.0, 0.0), (1e200, 1e200)]).log()?;
    "np.exp(1000 + 0j).real" => complexes(&[(1000.0, 0.0)]).exp()?.real()?.index(0)?;
    "(1e200 + 1e200j) / np.array([1e200 + 1e200j, 2e200 + 0j])" => complexes(&[(1e200, 1e200); 2]) / complexes(&[(1e200, 1e200), (2e200, 0.0)]);
    "np.reciprocal([1e200 + 1e200j, 2j]) * 1e200" => complexes(&[(1e200, 1e200), (0.0, 2.0)]).reciprocal()? * Complex64::new(1e200, 0.0);
    "c ** 2" => c.power(2)?;
    "np.array([0j, 2j]) ** -2.0" => complexes(&[(0.0, 0.0), (0.0, 2.0)]).power(-2.0)?;
    "np.array([np.inf + 1j, complex(1, np.inf), complex(np.nan, 2)]).imag" => complexes(&[(INF, 1.0), (1.0, INF), (NAN, 2.0)]).imag()?;
    "np.arctanh([complex(np.inf, 1), complex(-np.inf, np.nan)])" => complexes(&[(INF, 1.0), (-INF, NAN)]).atanh()?;
    "np.tanh([complex(np.inf, np.inf), complex(0, np.nan)])" => complexes(&[(INF, INF), (0.0, NAN)]).tanh()?;
    "np.cosh([complex(-np.inf, np.nan), 800 + 1j])" => complexes(&[(-INF, NAN), (800.0, 1.0)]).cosh()?;
    "np.isnan([1 + 1j, complex(1, np.nan)])" => complexes(&[(1.0, 1.0), (1.0, NAN)]).isnan()?;
    "np.isfinite([1 + 1j, complex(1, np.inf)])" => complexes(&[(1.0, 1.0), (1.0, INF)]).isfinite()?;
    "np.isclose(c, c + 1e-9j)" => c.isclose(c + Complex64::new(0.0, 1e-9), ..)?;
    "np.allclose(c, c + 1)" => c.allclose(c + 1, ..)?;

    "np.digitize(x, [2.0, 0.0, -1.0])" => x.digitize([2.0, 0.0, -1.0])?, "int32";
    "np.round(i, -1)" => i.round_to(-1)?;
    "np.round([15, 25, -15, -26], -1)" => tensor![15i64, 25, -15, -26].round_to(-1)?;
    "np.round(i)" => i.round()?;
    "np.round(i, 2)" => i.round_to(2)?;
    "np.divmod(1.0, 0.1)[0]" => ops::divmod(1.0, 0.1)?.0;
    "np.divmod(1.0, 0.1)[1]" => ops::divmod(1.0, 0.1)?.1;
    "np.floor_divide([7.5, -7.5, 5.0, 1.0], [2.0, 2.0, -np.inf, 0.0])" => tensor![7.5, -7.5, 5.0, 1.0].floor_divide([2.0, 2.0, -INF, 0.0])?;
    "np.modf([np.inf, -np.inf, -2.5])[0]" => tensor![INF, -INF, -2.5].modf()?.0;
    "np.modf([np.inf, -np.inf, -2.5])[1]" => tensor![INF, -INF, -2.5].modf()?.1;
    "np.ldexp([0.5, 1.0, 0.0, 5e-324], [1024, -1074, 5000, 2098])" => tensor![0.5, 1.0, 0.0, 5e-324].ldexp([1024, -1074, 5000, 2098])?;
    "np.frexp([8.0, -0.75, 0.0, 1e-310, 1.7e308])[0]" => tensor![8.0, -0.75, 0.0, 1e-310, 1.7e308].frexp()?.0;
    "np.frexp([8.0, -0.75, 0.0, 1e-310, 1.7e308])[1]" => tensor![8.0, -0.75, 0.0, 1e-310, 1.7e308].frexp()?.1;
    "np.frexp(y)[0]" => y.frexp()?.0;
    "np.spacing([1.0, -1.0, 3e100])" => tensor![1.0, -1.0, 3e100].spacing()?;
    "np.hypot([np.inf, np.nan], [np.nan, -np.inf])" => tensor![INF, NAN].hypot([NAN, -INF])?;
    "np.interp([-np.inf, 1.0, 1.5, 2.5, np.inf], [1.0, 2.0, 3.0], [np.inf, 2.0, 5.0])" => ops::interp([-INF, 1.0, 1.5, 2.5, INF], [1.0, 2.0, 3.0], [INF, 2.0, 5.0])?;
    "np.isposinf([np.inf, -np.inf, 1.0])" => tensor![INF, -INF, 1.0].isposinf()?;
    "np.isneginf([np.inf, -np.inf, 1.0])" => tensor![INF, -INF, 1.0].isneginf()?;
    "np.isreal(c)" => c.isreal()?;
    "np.iscomplex(c)" => c.iscomplex()?;
    "np.isreal(n)" => n.isreal()?;
    "np.isnan(i)" => i.isnan()?;
    "np.isfinite(b)" => b.isfinite()?;
    "np.isinf(k)" => k.isinf()?;
    "np.array_equal(n, n)" => n.array_equal(n)?;
    "np.array_equal(n, n, equal_nan=True)" => n.array_equal_with(n, ops::EqualNan)?;
    "np.array_equal(k, k.astype(float))" => k.array_equal(k.cast(f64)?)?;
    "np.array_equal(k, k + 0.5)" => k.array_equal(k.cast(f64)? + 0.5)?;
    "np.array_equiv([v, v], v)" => ops::stack(&[v, v], 0)?.array_equiv(v)?;
    "np.array_equiv(v, k)" => v.array_equiv(k)?;

    "np.hamming(5)" => ops::hamming(5)?;
    "np.hanning(6)" => ops::hanning(6)?;
    "np.blackman(7)" => ops::blackman(7)?;
    "np.bartlett(4)" => ops::bartlett(4)?;
    "np.hanning(1)" => ops::hanning(1)?;
    "np.unwrap([0.0, 3.0, 6.0, 9.0, -4.0, 1.0])" => ops::unwrap([0.0, 3.0, 6.0, 9.0, -4.0, 1.0], ..)?;
    "np.unwrap(x * 3, axis=0)" => ops::unwrap(x * 3, 0)?;
    "np.quantile(x, 0.3, method='hazen')" => x.quantile(0.3, ops::QuantileMethod::Hazen)?;
    "np.quantile(x, [0.1, 0.4, 0.9], method='weibull')" => x.quantile([0.1, 0.4, 0.9], ops::QuantileMethod::Weibull)?;
    "np.quantile(t, 0.35, axis=2, method='median_unbiased')" => t.quantile(0.35, (2, ops::QuantileMethod::MedianUnbiased))?;
    "np.quantile(x, 0.35, method='normal_unbiased')" => x.quantile(0.35, ops::QuantileMethod::NormalUnbiased)?;
    "np.quantile(x, [0.0, 0.5, 0.51, 1.0], method='inverted_cdf')" => x.quantile([0.0, 0.5, 0.51, 1.0], ops::QuantileMethod::InvertedCdf)?;
    "np.ptp(i, axis=0, keepdims=True)" => i.ptp((0, KeepDims))?;
    "np.count_nonzero(i, axis=1, keepdims=True)" => i.count_nonzero((1, KeepDims))?;
    "np.average(v, weights=w)" => v.average(ops::Weights(w))?;
}

#[test]
fn nothing_need_be_known_while_tracing() -> Result<()> {
    let x = tensor![[1.5, -2.0, 3.25], [0.0, 4.5, -1.25]];
    let functions: [(&str, fn(&Tensor) -> Result<Tensor>); 24] = [
        ("arange", |x| ops::arange((x.min(..)?, x.max(..)?, 0.5))),
        ("log10", |x| x.abs()?.log10()),
        ("cbrt", |x| x.cbrt()),
        ("sum of bools", |x| x.greater(0)?.sum(..)),
        ("mean of bools", |x| x.greater(0)?.mean(-1)),
        ("any", |x| x.any(0)),
        ("argmax", |x| x.argmax(KeepDims)),
        ("argmax along", |x| x.argmax((-1, KeepDims))),
        ("clip", |x| x.clip(.., 1.0)),
        ("divmod", |x| x.divmod(0.75).map(|(q, _)| q)),
        ("modf", |x| x.modf().map(|(rest, _)| rest)),
        ("ldexp", |x| x.ldexp(3)),
        ("frexp", |x| x.frexp().map(|(fraction, _)| fraction)),
        ("hypot", |x| x.hypot(INF)),
        ("isnan", |x| x.cast(i64)?.isnan()),
        ("imag", |x| ops::complex(1.0, x / 0.0)?.imag()),
        ("array_equiv", |x| x.array_equiv(x.index(0)?)),
        ("array_equal_with", |x| (x / 0.0).array_equal_with(x / 0.0, ops::EqualNan)),
        ("digitize", |x| x.digitize([2.0, 0.0, -1.0])),
        ("digitize by data", |x| x.digitize(x.flatten()?.sort(ops::Descending)?)),
        ("digitize by none", |x| x.digitize(x.flatten()?.extract(x.flatten()?.greater(9)?)?)),
        ("round_to", |x| (x * 10.0).cast(i32)?.round_to(-1)),
        ("interp", |x| x.interp([0.0, 1.0], [3.0, INF])),
        ("histogram", |x| x.histogram(3).map(|(counts, _)| counts)),
    ];
    for (name, f) in functions {
        let open = TensorSpec::new(Shape::unknown(), f64);
        let traced = function(f).concrete(&open)?.call_flat(std::slice::from_ref(&x))?;
        let same = traced[0].array_equal_with(f(&x)?, ops::EqualNan)?.item::<bool>()?;
        assert!(same, "{name}: {} instead of {}", traced[0], f(&x)?);
    }
    let open = TensorSpec::new(shape![?], f64);
    let refused = function(|x: &Tensor| x.cummax(..)).concrete(&open);
    assert!(refused.unwrap_err().to_string().contains("cummax: the size of axis 0 is unknown"));
    Ok(())
}

#[test]
fn shorter_floats_are_as_exact() -> Result<()> {
    for dtype in [DType::F16, DType::BF16, f32] {
        let of = |x: Tensor| x.cast(dtype);
        let equal = |got: Tensor, want: Tensor| {
            let same = got.dtype() == dtype && got.array_equal(&want).unwrap().item().unwrap();
            assert!(same, "{dtype}: {got} instead of {want}");
        };
        equal(of(tensor![1000.0, 0.1])?.log10()?, tensor![3.0, -1.0]);
        equal(of(tensor![8.0, 0.25])?.log2()?, tensor![3.0, -2.0]);
        equal(of(tensor![64.0, -27.0])?.cbrt()?, tensor![4.0, -3.0]);
        equal(of(tensor![6.0, -0.5])?.frexp()?.0, tensor![0.75, -0.5]);
        equal(of(tensor![1.5, 0.0])?.ldexp([4, 900])?, tensor![24.0, 0.0]);
        equal(ops::arange((of(scalar(0.0))?, 1.0, 0.25))?, tensor![0.0, 0.25, 0.5, 0.75]);
    }
    Ok(())
}

#[test]
fn gradients_reach_begin_and_step() -> Result<()> {
    let slope = |f: fn(&Tensor) -> Result<Tensor>| extype::grad(f)(&scalar(0.5))?.item::<f64>();
    assert_eq!(slope(|step| ops::arange((0.0, 2.0, step))?.sum(..))?, 6.0);
    assert_eq!(slope(|begin| ops::arange((begin, 4.0, 1.0))?.sum(..))?, 4.0);
    Ok(())
}

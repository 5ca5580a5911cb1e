//! Fourier transforms: against sums, what NumPy answers, gradients, refusals.

use extype::fft;
use extype::prelude::*;
use num_complex::Complex64;

fn numbers(sizes: &[usize]) -> Tensor {
    let count: usize = sizes.iter().product();
    let all: Vec<f64> = (0..count).map(|i| ((i * i + 5 * i + 2) as f64 * 0.3).cos()).collect();
    Tensor::from_slice(&all, sizes).expect("as many numbers")
}

fn complex(sizes: &[usize]) -> Tensor {
    let count: usize = sizes.iter().product();
    let at = |i: usize| Complex64::new((i as f64 * 1.7).sin(), ((i * i) as f64 * 0.9).cos());
    Tensor::from_slice(&(0..count).map(at).collect::<Vec<_>>(), sizes).expect("as many numbers")
}

fn elements(x: &Tensor) -> Vec<Complex64> {
    let x = x.cast(complex128).expect("numbers");
    x.as_slice::<Complex64>().expect("complex128").to_vec()
}

fn near(x: &Tensor, y: &Tensor) -> bool {
    let pairs = elements(x).into_iter().zip(elements(y));
    x.shape() == y.shape()
        && pairs.into_iter().all(|(a, b)| (a - b).norm() <= 1e-10 * (1.0 + b.norm()))
}

/// The definition, over the last axis.
fn by_sums(x: &Tensor, inverse: bool) -> Result<Tensor> {
    let sizes = x.shape().sizes().expect("known");
    let n = sizes[sizes.len() - 1];
    let turn = if inverse { 1.0 } else { -1.0 } * std::f64::consts::TAU / n as f64;
    let scale = if inverse { 1.0 / n as f64 } else { 1.0 };
    let row = |row: &[Complex64]| -> Vec<Complex64> {
        let sum = |k: usize| -> Complex64 {
            let term = |(j, x): (usize, &Complex64)| {
                x * Complex64::from_polar(scale, turn * (j * k) as f64)
            };
            row.iter().enumerate().map(term).sum()
        };
        (0..n).map(sum).collect()
    };
    let all: Vec<Complex64> = elements(x).chunks_exact(n).flat_map(row).collect();
    Tensor::from_slice(&all, &sizes[..])
}

#[test]
fn transforms_are_sums() -> Result<()> {
    for n in [1, 2, 3, 4, 5, 7, 8, 12, 30, 31] {
        let x = complex(&[2, n]);
        let y = by_sums(&x, false)?;
        assert!(near(&fft::fft(&x, -1)?, &y) && near(&fft::ifft(&y, -1)?, &x));
        assert!(near(&fft::ifft(&x, 1)?, &by_sums(&x, true)?));
        let turned = fft::fft(&x.transpose([1, 0])?, 0)?;
        assert!(near(&turned, &y.transpose([1, 0])?));
        let real = numbers(&[3, n]);
        let half = by_sums(&real, false)?.index((.., ..n / 2 + 1))?;
        assert!(near(&fft::rfft(&real, -1)?, &half));
        assert!(near(&fft::irfft(&half, (fft::Length(n), -1))?, &real));
    }
    Ok(())
}

#[test]
fn sizes_cut_or_fill_up() -> Result<()> {
    let x = complex(&[5]);
    for n in [2, 5, 8] {
        let fitted = match n > 5 {
            true => x.pad([[0, n as i64 - 5]])?,
            false => x.index(..n)?,
        };
        assert!(near(&fft::fft(&x, (fft::Length(n), 0))?, &by_sums(&fitted, false)?));
        let real = numbers(&[5]);
        let fitted = fitted_real(&real, n)?;
        assert!(near(&fft::rfft(&real, (fft::Length(n), 0))?, &fft::rfft(&fitted, 0)?));
    }
    assert_eq!(fft::irfft(&x, 0)?.shape(), shape![8]);
    assert_eq!(fft::irfft(&x, (fft::Length(3), 0))?.shape(), shape![3]);
    Ok(())
}

fn fitted_real(x: &Tensor, n: usize) -> Result<Tensor> {
    if n > 5 { x.pad([[0, n as i64 - 5]]) } else { x.index(..n) }
}

#[test]
fn several_axes_are_one_after_the_other() -> Result<()> {
    let x = complex(&[2, 3, 4]);
    let both = fft::fft(&fft::fft(&x, 1)?, 2)?;
    assert!(near(&fft::fft2(&x, ..)?, &both) && near(&fft::ifft2(&both, ..)?, &x));
    assert!(near(&ops::Fft2d {}.run(&[&x])?, &both) && near(&ops::Ifft2d {}.run(&[&both])?, &x));
    let all = fft::fft(&both, 0)?;
    assert!(near(&fft::fftn(&x, ..)?, &all) && near(&fft::ifftn(&all, ..)?, &x));
    assert!(near(&ops::Fft3d {}.run(&[&x])?, &all) && near(&ops::Ifft3d {}.run(&[&all])?, &x));
    let ends = fft::fftn(&x, (fft::Sizes(vec![3, 2]), [0, 2]))?;
    assert_eq!(ends.shape(), shape![3, 3, 2]);
    let x = numbers(&[2, 3, 5]);
    let half = fft::rfft2(&x, ..)?;
    assert!(near(&half, &fft::fft2(&x, ..)?.index((Ellipsis, ..3))?));
    assert!(near(&fft::irfft2(&half, fft::Sizes(vec![3, 5]))?, &x));
    let op = ops::Rfft2d { tcomplex: complex128, fft_length: [3, 5].into() };
    assert!(near(&op.run(&[&x])?, &half));
    let op = ops::Irfft2d { treal: f64, fft_length: [3, 5].into() };
    assert!(near(&op.run(&[&half])?, &x));
    let whole = fft::rfftn(&x, ..)?;
    assert!(near(&fft::irfftn(&whole, fft::Sizes(vec![2, 3, 5]))?, &x));
    let op = ops::Rfft3d { tcomplex: complex128, fft_length: [2, 2, 4].into() };
    assert!(near(&op.run(&[&x])?, &fft::rfftn(&x, fft::Sizes(vec![2, 2, 4]))?));
    Ok(())
}

#[test]
fn numpy_answers_so() -> Result<()> {
    assert_eq!(fft::fftfreq(5, 0.1)?.as_slice::<f64>()?, &[0.0, 2.0, 4.0, -4.0, -2.0]);
    assert_eq!(fft::rfftfreq(5, 0.5)?.as_slice::<f64>()?, &[0.0, 0.4, 0.8]);
    let x = tensor![[0, 1, 2], [3, 4, 5]];
    assert_eq!(fft::fftshift(&x, ..)?.as_slice::<i32>()?, &[5, 3, 4, 2, 0, 1]);
    let back = fft::ifftshift(&fft::fftshift(&x, [1])?, [1])?;
    assert_eq!(back.as_slice::<i32>()?, x.as_slice::<i32>()?);
    let single = fft::rfft(tensor![1.0f32, 2.0], 0)?;
    assert_eq!(single.dtype(), complex64);
    assert_eq!(elements(&single), [Complex64::new(3.0, 0.0), Complex64::new(-1.0, 0.0)]);
    Ok(())
}

/// A real number that all of a complex tensor has a part in.
fn weighed(y: &Tensor) -> Result<Tensor> {
    let weights = complex(&y.shape().sizes().expect("known"));
    let square = ops::mul(y, y.conj()?)?;
    let all = ops::add(&ops::mul(&weights.conj()?, y)?, &square)?;
    ops::reduce_sum(&all.cast(f64)?, .., false)
}

type Step = fn(&Tensor) -> Result<Tensor>;

#[test]
fn gradients_agree_with_differences() -> Result<()> {
    let all: [(&str, Step); 11] = [
        ("rfft", |x| weighed(&fft::rfft(x, 0)?)),
        ("rfft cut", |x| weighed(&fft::rfft(x, (fft::Length(2), -1))?)),
        ("rfft filled", |x| weighed(&fft::rfft(x, (fft::Length(7), -1))?)),
        ("fft", |x| weighed(&fft::fft(x, -1)?)),
        ("ifft", |x| weighed(&fft::ifft(x, (fft::Length(6), 0))?)),
        ("fft2", |x| weighed(&ops::Fft2d {}.run(&[&x.cast(complex128)?])?)),
        ("ifft2", |x| weighed(&ops::Ifft2d {}.run(&[&x.cast(complex128)?])?)),
        ("rfft2", |x| weighed(&fft::rfft2(x, fft::Sizes(vec![4, 5]))?)),
        ("irfft", |x| {
            let turned = ops::mul(x.cast(complex128)?, complex(&[3, 4]))?;
            ops::reduce_sum(
                ops::mul(fft::irfft(&turned, (fft::Length(5), -1))?, numbers(&[3, 5]))?,
                ..,
                false,
            )
        }),
        ("irfft even", |x| {
            let turned = ops::mul(x.cast(complex128)?, complex(&[3, 4]))?;
            ops::reduce_sum(fft::irfft(&turned, -1)?.square()?, .., false)
        }),
        ("irfft2", |x| {
            let turned = ops::mul(x.cast(complex128)?, complex(&[3, 4]))?;
            ops::reduce_sum(fft::irfft2(&turned, ..)?.square()?, .., false)
        }),
    ];
    let (x, along) = (numbers(&[3, 4]), numbers(&[3, 4]).square()?);
    for (name, f) in all {
        let gradient = grad(f)(&x)?;
        let told = ops::reduce_sum(ops::mul(&gradient, &along)?, .., false)?.item::<f64>()?;
        let at = |h: f64| f(&ops::add(&x, &along * h)?)?.item::<f64>();
        let slope = (at(1e-5)? - at(-1e-5)?) / 2e-5;
        assert!((told - slope).abs() < 1e-6 * (1.0 + slope.abs()), "{name}: {told}, slope {slope}");
    }
    Ok(())
}

#[test]
fn traces_need_ranks_only() -> Result<()> {
    let x = numbers(&[3, 4]);
    let f: Step = |x| fft::irfft(&fft::rfft(x, 0)?, (fft::Length(3), 0));
    let through = function(move |x: &Tensor| {
        Ok((f(x)?, grad(|x: &Tensor| ops::reduce_sum(f(x)?.square()?, .., false))(x)?))
    });
    let ranks = TensorSpec::new(shape![?, ?], DType::F64);
    let results = through.concrete(&ranks)?.call_flat(std::slice::from_ref(&x))?;
    assert!(near(&results[0], &x) && near(&results[1], &(&x * 2.0)));
    let shifted = function(|x: &Tensor| fft::fftshift(x, ..));
    let results = shifted.concrete(&ranks)?.call_flat(std::slice::from_ref(&x))?;
    assert!(near(&results[0], &fft::fftshift(&x, ..)?));
    Ok(())
}

#[test]
fn what_can_not_be_transformed_is_refused() {
    let refused = |result: Result<Tensor>, part: &str| {
        let text = result.expect_err("an error").to_string();
        assert!(text.contains(part), "{part:?} is not in {text}");
    };
    refused(fft::fft(Tensor::from("a"), -1), "string");
    refused(fft::rfft(complex(&[3]), -1), "complex128");
    refused(fft::fft(scalar(1.0f64), -1), "axis");
    refused(fft::fft(numbers(&[3]), 1), "axis");
    refused(fft::fft(numbers(&[3]), (fft::Length(0), 0)), "not 0");
    refused(fft::fft2(numbers(&[3]), ..), "axis");
    refused(fft::fftn(numbers(&[3]), (fft::Sizes(vec![1, 2]), [0])), "as many are wanted");
    refused(fft::fftfreq(0, 1.0), "above 0");
    assert_eq!(fft::fft(numbers(&[0, 4]), -1).expect("nothing").shape(), shape![0, 4]);
}

//! Signals: unknown lengths, gradients, refusals.

use extype::fft::{Length, Ortho};
use extype::prelude::*;
use extype::signal::{self, PadEnd, Window};

fn numbers(count: usize) -> Tensor {
    let all: Vec<f64> = (0..count).map(|i| ((i * i + 3 * i + 1) as f64 * 0.7).sin()).collect();
    Tensor::from_slice(&all, &[count]).expect("as many numbers")
}

#[test]
fn short_time_transforms_of_unknown_length_are_undone() -> Result<()> {
    let f = function(|x: &Tensor| {
        let y = signal::stft(x, 8, 4, (Length(16), PadEnd))?;
        signal::inverse_stft(&y, 8, 4, (Length(16), Window::Inverse(4.into())))
    });
    let x = numbers(33);
    let y =
        f.concrete(&TensorSpec::new(shape![?], DType::F64))?.call_flat(std::slice::from_ref(&x))?;
    let inner = |x: &Tensor| x.index(4..32);
    assert!(inner(&y[0])?.allclose(inner(&x)?, ..)?.item::<bool>()?);
    Ok(())
}

#[test]
fn orthonormal_transforms_have_the_gradient_of_a_rotation() -> Result<()> {
    for kind in [2, 3, 4] {
        let x = numbers(7);
        let half = |x: &Tensor| Ok(signal::dct(x, (kind, Ortho))?.square()?.sum(..)? / 2.0);
        assert!(grad(half)(&x)?.allclose(&x, ..)?.item::<bool>()?, "type {kind}");
    }
    Ok(())
}

#[test]
fn frames_need_a_length_and_a_step() {
    let x = numbers(5);
    assert!(signal::frame(&x, 0, 1, ..).is_err());
    assert!(signal::frame(&x, 1, 0, ..).is_err());
    assert!(signal::frame(&x, i64::MAX, i64::MAX, PadEnd).is_err());
    assert!(signal::overlap_and_add(&x, 1).is_err());
    assert!(signal::hann_window(-1, ..).is_err());
    assert!(signal::mdct(&x, 6, ..).is_err());
    assert!(signal::linear_to_mel_weight_matrix(usize::MAX, 2, 8.0, 1.0..2.0, f32).is_err());
}

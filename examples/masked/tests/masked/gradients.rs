//! Gradients: valid entries have those of the same computation without the missing ones, missing
//! entries have zeros.

use super::*;

/// The gradient of the sum of `f` for the values.
#[track_caller]
fn gradient(m: &MaskedTensor, f: impl Fn(&MaskedTensor) -> Result<MaskedTensor>) -> Vec<f64> {
    let g = grad(|m: &MaskedTensor| ops::reduce_sum(f(m)?, .., false))(m).unwrap();
    g.values.to_vec().unwrap()
}

#[test]
fn missing_entries_have_zero_gradients() {
    let m = MaskedTensor::new([1.0f64, 0.0, 4.0, -1.0], [true, false, true, false]).unwrap();
    assert_eq!(gradient(&m, |m| ops::square(m)), [2.0, 0.0, 8.0, 0.0]);
    assert_eq!(gradient(&m, |m| Ok(m + m)), [2.0, 0.0, 2.0, 0.0]);
    assert_eq!(gradient(&m, |m| ops::reduce_mean(m, .., false)), [0.5, 0.0, 0.5, 0.0]);
    assert_eq!(gradient(&m, |m| ops::reduce_max(m, .., false)), [0.0, 0.0, 1.0, 0.0]);
    assert_eq!(gradient(&m, |m| m.variance(.., 0, false)), [-1.5, 0.0, 1.5, 0.0]);
}

#[test]
fn infinite_derivatives_at_missing_entries_stay_there() {
    // Without care 0 × ∞ would be NaN at the missing zero and at the missing -1.
    let m = MaskedTensor::new([1.0f64, 0.0, 4.0, -1.0], [true, false, true, false]).unwrap();
    assert_eq!(gradient(&m, |m| ops::log(m)), [1.0, 0.0, 0.25, 0.0]);
    assert_eq!(gradient(&m, |m| ops::sqrt(m)), [0.5, 0.0, 0.25, 0.0]);
    assert_eq!(gradient(&m, |m| Ok(1.0 / m)), [-1.0, 0.0, -0.0625, 0.0]);
    assert_eq!(gradient(&m, |m| ops::pow(m, 0.5)), [0.5, 0.0, 0.25, 0.0]);
    assert_eq!(gradient(&m, |m| ops::div(m, m)), [0.0; 4]);
}

#[test]
fn gradients_of_other_operands_pass_missing_entries_by() -> Result<()> {
    let m = MaskedTensor::new([1.0f64, 0.0, 4.0], [true, false, true])?;
    let loss = |w: &Tensor| ops::reduce_sum(ops::mul(ops::log(&m)?, w)?, .., false);
    let g = grad(loss)(&scalar(2.0f64))?;
    assert_eq!(g.item::<f64>()?, 4.0f64.ln());
    let loss = |w: &Tensor| ops::reduce_sum(ops::div(w, &m)?, .., false);
    assert_eq!(grad(loss)(&scalar(2.0f64))?.item::<f64>()?, 1.25);
    Ok(())
}

#[test]
fn products_and_movements_carry_gradients() -> Result<()> {
    let m = MaskedTensor::new([[1.0f64, 2.0], [3.0, 4.0]], [[true, false], [true, true]])?;
    let product = |m: &MaskedTensor| ops::matmul(m, tensor![[1.0f64], [10.0]]);
    assert_eq!(gradient(&m, product), [1.0, 0.0, 1.0, 10.0]);
    let moved = |m: &MaskedTensor| {
        let row = ops::reshape(m, [4])?;
        ops::square(ops::concat(&[&row, &ops::gather(&row, tensor![0, 1], 0)?], 0)?)
    };
    assert_eq!(gradient(&m, moved), [4.0, 0.0, 6.0, 8.0]);
    Ok(())
}

#[test]
fn traced_gradients_agree() -> Result<()> {
    let m = MaskedTensor::new([1.0f64, 0.0, 4.0], [true, false, true])?;
    let f = function(|m: &MaskedTensor| ops::reduce_mean(ops::log(m)? / m, .., false));
    let g = grad(|m: &MaskedTensor| f.call(m))(&m)?.values.to_vec::<f64>()?;
    assert_eq!((g[0], g[1]), (0.5, 0.0));
    assert!((g[2] - (1.0 - 4.0f64.ln()) / 32.0).abs() < 1e-15);
    Ok(())
}

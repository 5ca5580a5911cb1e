//! Constructors and what is read off.

use super::*;

fn text(m: Result<MaskedTensor>) -> String {
    m.unwrap().to_string()
}

#[test]
fn constructors_put_zeros_at_missing_entries() -> Result<()> {
    let (x, valid) = (tensor![1.0f64, f64::NAN, 3.0], [true, false, true]);
    same(&MaskedTensor::from_nan(&[1.0f64, f64::NAN, 3.0][..])?, &[1.0, 0.0, 3.0], &valid);
    let missing = x.is_nan()?;
    same(&MaskedTensor::masked_where(&missing, &x)?, &[1.0, 0.0, 3.0], &valid);
    same(&MaskedTensor::from_sentinel([1.0, -9.0, 3.0], -9)?, &[1.0, 0.0, 3.0], &valid);
    same(&MaskedTensor::from_options(&[Some(1.0), None, Some(3.0)])?, &[1.0, 0.0, 3.0], &valid);
    same(&MaskedTensor::all_missing(f64, [2])?, &[0.0, 0.0], &[false, false]);
    same(&MaskedTensor::all_valid([1.0, 2.0])?, &[1.0, 2.0], &[true, true]);
    same(&MaskedTensor::new([1.0, 2.0], [true, false])?.cleared()?, &[1.0, 0.0], &[true, false]);
    Ok(())
}

#[test]
fn options_nest_and_have_any_element_type() -> Result<()> {
    assert_eq!(
        text(MaskedTensor::from_options(&[[Some(1u8), None], [None, None]])),
        "[[ 1 --]\n [-- --]]"
    );
    assert_eq!(text(MaskedTensor::from_options(&vec![[Some(true)], [None]])), "[[true]\n [  --]]");
    let none: [Option<f32>; 0] = [];
    assert_eq!(MaskedTensor::from_options(&none)?.values.tensor_type().to_string(), "float32[0]");
    let rows = [vec![Some(1i64), None], vec![Some(3), Some(4)]];
    let m = MaskedTensor::from_options(&rows)?;
    assert_eq!(m.to_options::<i64>()?, rows.concat());
    Ok(())
}

#[test]
fn strings_and_bools_can_be_missing() -> Result<()> {
    let m = MaskedTensor::new(["a", "b"], [true, false])?.cleared()?;
    assert_eq!(m.to_string(), "[\"a\" --]");
    assert_eq!(ops::concat(&[&m, &m], 0)?.count(..)?.item::<i64>()?, 2);
    assert_eq!(text(MaskedTensor::all_missing(DType::String, [1])), "[--]");
    assert_eq!(text(MaskedTensor::all_missing(bool, [1, 2])), "[[-- --]]");
    Ok(())
}

#[test]
fn conditions_broadcast_to_the_values() -> Result<()> {
    let x = tensor![[1.0f64, 2.0], [3.0, 4.0]];
    let m = MaskedTensor::masked_where(&tensor![true, false], &x)?;
    assert_eq!(m.to_string(), "[[-- 2.]\n [-- 4.]]");
    assert_eq!(m.only(&tensor![[true], [false]])?.to_string(), "[[-- 2.]\n [-- --]]");
    Ok(())
}

#[test]
fn masks_are_counted_and_asked() -> Result<()> {
    let m = sample();
    assert_eq!(m.count(1)?.to_vec::<i64>()?, [2, 2, 0]);
    assert_eq!(m.missing()?.to_vec::<bool>()?[..3], [false, true, false]);
    assert!(m.is_masked()?.item::<bool>()?);
    assert!(!MaskedTensor::all_valid([1])?.is_masked()?.item::<bool>()?);
    assert!(!MaskedTensor::all_missing(f32, [0])?.is_masked()?.item::<bool>()?);
    Ok(())
}

//! Display and Debug.

use super::*;

#[test]
fn missing_entries_print_as_dashes_in_aligned_columns() -> Result<()> {
    let text = "[[1. -- 3.]\n [4. 5. --]\n [-- -- --]]";
    assert_eq!(sample().to_string(), text);
    let m = MaskedTensor::from_options(&[Some(0.125), None])?;
    assert_eq!(format!("{m:.2}"), "[0.12   --]");
    assert_eq!(MaskedTensor::from_options(&[Some(1000), None])?.to_string(), "[1000   --]");
    assert_eq!(MaskedTensor::new(5.0f32, false)?.to_string(), "--");
    assert_eq!(MaskedTensor::all_missing(f32, [0])?.to_string(), "[]");
    Ok(())
}

#[test]
fn what_stands_at_missing_entries_has_no_influence() -> Result<()> {
    let m = MaskedTensor::new([1.5f64, 1e300, 20.0], [true, false, true])?;
    assert_eq!(m.to_string(), "[ 1.5   -- 20. ]");
    Ok(())
}

#[test]
fn large_tensors_are_summarized() -> Result<()> {
    let values: Vec<i64> = (0..2000).collect();
    let mask: Vec<bool> = values.iter().map(|i| i % 2 == 0).collect();
    let m = MaskedTensor::new(values, mask)?;
    assert_eq!(m.to_string(), "[   0   --    2 ...   -- 1998   --]");
    Ok(())
}

#[test]
fn debug_is_one_line() -> Result<()> {
    assert_eq!(
        format!("{:?}", sample()),
        "MaskedTensor([[1. -- 3.] [4. 5. --] [-- -- --]] float64[3, 3])"
    );
    let m = MaskedTensor::all_missing(f32, [20, 20])?;
    assert_eq!(format!("{m:?}"), "MaskedTensor(float32[20, 20])");
    let f = function(|m: &MaskedTensor| {
        assert!(format!("{m:?}").starts_with("MaskedTensor(Tensor("));
        assert!(m.to_string().starts_with("MaskedTensor(values=<symbolic float64[3, 3]>"));
        Ok(m.clone())
    });
    f.call(&sample())?;
    Ok(())
}

//! Wrong uses: each is an error that says what and where.

use std::fmt::Debug;

use super::*;

#[track_caller]
fn refused<T: Debug>(result: Result<T>, kind: ErrorKind, parts: &[&str]) {
    let e = result.unwrap_err();
    assert_eq!(e.kind(), kind, "{e}");
    for part in parts {
        assert!(e.to_string().contains(part), "no {part:?} in: {e}");
    }
}

use ErrorKind::{InvalidArgument, OutOfRange};

#[test]
fn masks_have_the_shape_of_the_values_and_are_bool() {
    let m = MaskedTensor::new([[1.0f32, 2.0, 3.0]], [[true, false]]);
    refused(m, InvalidArgument, &["values and mask", "[1, 3]", "[1, 2]", "axis 1"]);
    let m = MaskedTensor::new([1.0f32], true);
    refused(m, InvalidArgument, &["values and mask", "[1]", "[]", "rank"]);
    refused(MaskedTensor::new([1.0f32], [1]), InvalidArgument, &["mask", "bool", "int32"]);
    let x = tensor![1.0f32, 2.0];
    refused(MaskedTensor::masked_where(&x, &x), InvalidArgument, &["condition", "bool", "float32"]);
    let two = tensor![true, false, true];
    refused(MaskedTensor::masked_where(&two, &x), InvalidArgument, &["[3]", "[2]"]);
}

#[test]
fn constructors_refuse_what_has_no_tensors_form() {
    let ragged = vec![vec![Some(1)], vec![Some(1), None]];
    refused(MaskedTensor::from_options(&ragged), InvalidArgument, &["1 and 2 entries", "None"]);
    refused(MaskedTensor::from_nan([1i32]), InvalidArgument, &["is_nan", "int32"]);
    let e = MaskedTensor::from_sentinel([1.0f32], f64::NAN);
    refused(e, InvalidArgument, &["from_nan"]);
    refused(MaskedTensor::from_sentinel([1i32], 0.5), InvalidArgument, &["0.5", "int32"]);
    refused(MaskedTensor::all_missing(f32, [-1i64]), InvalidArgument, &["-1"]);
}

#[test]
fn operands_that_do_not_fit_are_named() -> Result<()> {
    let m = sample();
    refused(ops::add(&m, tensor![1.0f64, 2.0]), InvalidArgument, &["add", "[3, 3]", "[2]"]);
    refused(ops::add(&m, tensor![1i32, 2, 3]), InvalidArgument, &["add", "int32"]);
    refused(ops::matmul(&m, tensor![[1.0f64]]), InvalidArgument, &["matmul", "[3, 3]", "[1, 1]"]);
    let row = ops::reshape(&m, [1, 9])?;
    refused(ops::concat(&[&m, &row], 0), InvalidArgument, &["concat", "axis 1", "3 ≠ 9"]);
    refused(ops::stack(&[&m, &row], 0), InvalidArgument, &["stack", "[3, 3]", "[1, 9]"]);
    refused(m.fill(tensor![1i32]), InvalidArgument, &["select", "int32"]);
    refused(m.only(&m.values), InvalidArgument, &["logical_and", "float64"]);
    refused(ops::select(&m, &m, &m), InvalidArgument, &["select", "bool"]);
    refused(m.reshape([2, 2]), InvalidArgument, &["reshape", "[3, 3]"]);
    Ok(())
}

#[test]
fn axes_out_of_range_are_named() {
    let m = sample();
    refused(m.reduce_sum(2, false), InvalidArgument, &["reduce_sum", "2"]);
    refused(m.reduce_mean(-3, false), InvalidArgument, &["reduce_sum", "-3"]);
    refused(m.reduce_max(5, false), InvalidArgument, &["reduce_max", "5"]);
    refused(m.variance(7, 0, false), InvalidArgument, &["7"]);
    refused(m.count(4), InvalidArgument, &["4"]);
    refused(m.expand_dims(9), InvalidArgument, &["expand_dims", "9"]);
    refused(ops::gather(&m, tensor![3], 0), OutOfRange, &["3"]);
}

#[test]
fn dtypes_without_the_op_are_named() -> Result<()> {
    let m = MaskedTensor::new([true], [true])?;
    refused(m.reduce_max(.., false), InvalidArgument, &["reduce_max", "bool"]);
    refused(m.variance(.., 0, false), InvalidArgument, &["bool", "cast"]);
    let n = MaskedTensor::all_valid([1])?;
    refused(n.only_finite(), InvalidArgument, &["is_finite", "int32"]);
    refused(ops::floor_div(&n, 0), InvalidArgument, &["zero"]);
    Ok(())
}

#[test]
fn missing_divisors_divide_nothing() -> Result<()> {
    let m = MaskedTensor::all_valid([7, 8])?;
    let n = MaskedTensor::from_options(&[Some(2), None])?;
    assert_eq!(ops::floor_div(&m, &n)?.to_string(), "[ 3 --]");
    assert_eq!((&m % &n).to_string(), "[ 1 --]");
    let n = MaskedTensor::new([0, 1], [false, true])?;
    assert_eq!((&n % &tensor![0, 3]).to_string(), "[--  1]");
    Ok(())
}

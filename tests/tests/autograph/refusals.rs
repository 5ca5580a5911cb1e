//! What has no meaning on tensors is refused, with what to write instead. (What the compiler refuses is in
//! `ui/autograph`.)

use extype::prelude::*;

use crate::support::*;

#[track_caller]
fn names(e: &Error, parts: &[&str]) {
    let text = e.to_string();
    for part in parts {
        assert!(text.contains(part), "`{part}` is missing in: {text}");
    }
}

#[tf_function]
fn unlike_dtype_arms(x: &Tensor) -> Result<Tensor> {
    let y;
    if x > 0 {
        y = x * 2;
    } else {
        y = scalar(0.5);
    }
    Ok(y)
}

#[test]
fn arms_of_two_dtypes_are_refused_by_the_variable() {
    let e = unlike_dtype_arms(&scalar(7i64)).unwrap_err();
    names(&e, &["`y`", "int64", "float64", "the `if` at", "then", "else"]);
}

#[tf_function]
fn growing_vec(n: &Tensor) -> Result<Tensor> {
    let mut out: Vec<Tensor> = Vec::new();
    let mut i = scalar(0i64);
    while i < n {
        out.push(&i * &i);
        i += 1;
    }
    ops::stack(&out, 0)
}

#[test]
fn a_list_that_grows_in_a_loop_is_refused() {
    let e = growing_vec(&scalar(5i64)).unwrap_err();
    names(&e, &["`out`", "while", "length", "tensor_scatter_nd_update"]);
}

#[tf_function]
fn vector_condition(x: &Tensor) -> Result<Tensor> {
    if x > 0.0 { Ok(x.sqrt()?) } else { Ok(x * -1.0) }
}

#[test]
fn a_condition_is_one_bool() {
    let e = vector_condition(&tensor![1.0, -2.0, 3.0]).unwrap_err();
    names(&e, &["[3]", "`if`", "reduce_all", "refusals.rs"]);
}

#[tf_function]
fn return_other_dtype(x: &Tensor) -> Result<Tensor> {
    if x < 0 {
        return Ok(x == -1);
    }
    Ok(x + 1)
}

#[test]
fn returns_of_two_dtypes_are_refused() {
    let e = return_other_dtype(&scalar(3i64)).unwrap_err();
    names(&e, &["return", "bool", "int64"]);
}

#[tf_function]
fn failing_assert(n: &Tensor) -> Result<Tensor> {
    assert!(n > 0, "n must be positive, not {n}");
    let mut k = scalar(0i64);
    let mut x = n.clone();
    while x > 1 {
        x = x / 2;
        k += 1;
    }
    Ok(k)
}

#[test]
fn an_assertion_fails_when_it_runs() -> Result<()> {
    agree(failing_assert(&scalar(4i64))?, &[scalar(2i64)]);
    let e = failing_assert(&scalar(-4i64)).unwrap_err();
    names(&e, &["n must be positive, not -4", "refusals.rs:77"]);
    assert_eq!(failing_assert::trace_count(), 1);
    Ok(())
}

#[tf_function]
fn flag_of_an_arm(x: &Tensor) -> Result<Tensor> {
    let mut negative = false;
    if x < 0 {
        negative = true;
    }
    Ok(if negative { -x } else { x.clone() })
}

#[test]
fn plain_data_must_come_out_of_both_arms_alike() {
    let e = flag_of_an_arm(&scalar(3i64)).unwrap_err();
    names(&e, &["`negative`", "true", "false", "`scalar(x)`"]);
}

macro_rules! give {
    ($value:expr) => {
        return Ok($value)
    };
}

#[tf_function]
fn hidden_return(x: &Tensor) -> Result<Tensor> {
    if x > 0 {
        give!(scalar(5i64));
    }
    Ok(x + 1)
}

#[tf_function]
fn error_in_an_arm(x: &Tensor, missing: Option<i64>) -> Result<Tensor> {
    let mut y = x.clone();
    if x > 0 {
        y += missing.ok_or_else(|| Error::invalid("nothing is given"))?;
    }
    Ok(y)
}

#[test]
fn a_return_that_a_macro_hides_is_refused() -> Result<()> {
    let e = hidden_return(&scalar(-3i64)).unwrap_err();
    names(&e, &["the `if` at", "refusals.rs", "macro", "#[plain]"]);
    // An error that leaves an arm is that error, and nothing of it is left.
    let e = error_in_an_arm(&scalar(3i64), None).unwrap_err();
    names(&e, &["nothing is given"]);
    agree(error_in_an_arm(&scalar(3i64), Some(4))?, &[scalar(7i64)]);
    Ok(())
}

#[tf_function]
fn over_a_scalar(x: &Tensor) -> Result<Tensor> {
    let mut sum = scalar(0i64);
    for row in x {
        sum += row;
    }
    Ok(sum)
}

#[test]
fn a_scalar_has_no_rows() {
    let e = over_a_scalar(&scalar(3i64)).unwrap_err();
    names(&e, &["the `for` at", "refusals.rs", "0..n"]);
}

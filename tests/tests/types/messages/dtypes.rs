//! Dtypes that an op does not take.

use extype::prelude::*;

use super::says;

const FILE: &str = "dtypes.rs";

#[test]
fn sets_are_named_and_a_cast_is_advised() {
    let flags = tensor![true, false];
    let cast = "; cast it first: `x.cast(f32)?`";
    says(flags.reduce_mean(.., false), (FILE, line!()), &["can't be bool, only a number", cast]);
    let inexact = "can't be int32, only a float or a complex number";
    says(tensor![1, 2].tanh(), (FILE, line!()), &["tanh: ", inexact, cast]);
    let x = tensor![1.0, 2.0];
    let fixed = "must be bool, not float64; cast it first: `x.cast(bool)?`";
    says(x.logical_not(), (FILE, line!()), &[fixed]);
}

#[test]
fn no_cast_is_advised_where_none_helps() {
    let e = tensor!["a", "b"].abs().unwrap_err().to_string();
    assert!(e.contains("can't be string, only a signed integer or a float\n"), "{e}");
}

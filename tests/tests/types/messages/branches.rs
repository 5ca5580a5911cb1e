//! Errors in converted conditions, arms and loops stand at the user's line and name no inner op.

use extype::prelude::*;

const BEGIN: u32 = line!();

#[tf_function]
fn compared(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let mut s = x.clone();
    if s > y {
        s = s + 1.0;
    }
    Ok(s)
}

#[tf_function]
fn negated(x: &Tensor) -> Result<Tensor> {
    let mut s = x.clone();
    if !s {
        s = s + 1.0;
    }
    Ok(s)
}

#[tf_function]
fn both(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let mut s = x.clone();
    if s > 0.0 && y {
        s = s + 1.0;
    }
    Ok(s)
}

#[tf_function]
fn moved(n: &Tensor) -> Result<Tensor> {
    let mut s = scalar(0.0f32);
    for i in 0..n {
        s = s + i;
    }
    Ok(s)
}

#[tf_function]
fn raises(x: &Tensor) -> Result<Tensor> {
    if x > 10.0 {
        return Err(Error::invalid("too large"));
    }
    Ok(x.clone())
}

#[test]
fn lines_are_the_users() {
    let told = |result: Result<Tensor>, line: u32, part: &str| {
        let e = result.unwrap_err();
        let at = e.location().unwrap_or_else(|| panic!("no line: {e}"));
        assert!(at.file().ends_with("messages/branches.rs") && at.line() == BEGIN + line, "{e}");
        assert!(e.to_string().contains(part), "{e}");
    };
    told(compared(&scalar(1.0f32), &scalar(1i64)), 5, "greater: ");
    told(negated(&scalar(1i64)), 14, "logical_not: ");
    told(both(&scalar(1.0f32), &scalar(1i64)), 23, "`&&`");
    told(moved(&scalar(3)), 33, "add: ");
    told(raises(&scalar(11.0f32)), 41, "too large");
    assert!(raises(&scalar(11.0f32)).unwrap_err().to_string().starts_with("too large"));
}

#[test]
fn an_assertion_prints_its_text_as_it_is_written() {
    #[tf_function]
    fn ordered(i: &Tensor, j: &Tensor) -> Result<Tensor> {
        assert!(i < j, "i={i}, j={j}");
        ops::sub(j, i)
    }
    let e = ordered(&scalar(3), &scalar(2)).unwrap_err();
    assert!(e.to_string().contains("i=3, j=2"), "{e}");
}

//! Errors and panics under conditions on tensors: they are raised if the run comes there.

use extype::prelude::*;

use crate::support::*;

#[tf_function]
fn returns_an_error(x: &Tensor) -> Result<Tensor> {
    if x < 0 {
        return Err(Error::invalid("x is negative"));
    }
    Ok(x + 1)
}

#[tf_function]
fn gives_an_error(x: &Tensor) -> Result<Tensor> {
    if x < 0 { Err(Error::invalid("x is negative")) } else { Ok(x + 1) }
}

#[tf_function]
fn raises_an_error(x: &Tensor) -> Result<Tensor> {
    let y = if x < 0 { Err(Error::invalid("x is negative"))? } else { x + 1 };
    Ok(y)
}

#[tf_function]
fn panics(x: &Tensor) -> Result<Tensor> {
    if x < 0 {
        panic!("x is negative: {x}");
    }
    Ok(x + 1)
}

#[tf_function]
fn reaches_what_it_should_not(x: &Tensor) -> Result<Tensor> {
    let y = 1 + if x < 0 { unreachable!("x is negative") } else { x.clone() };
    Ok(y)
}

#[tf_function]
fn has_much_to_do(x: &Tensor) -> Result<Tensor> {
    let y;
    if x < 0 {
        todo!("x is negative")
    } else {
        y = x + 1;
    }
    Ok(y)
}

#[tf_function]
fn fails_in_a_loop(x: &Tensor) -> Result<Tensor> {
    let mut y = x + 3;
    let mut i = scalar(0i64);
    while i < 2 {
        if y < 2 {
            return Err(Error::invalid("x is negative"));
        }
        y -= 1;
        i += 1;
    }
    Ok(y)
}

#[tf_function]
fn fails_in_an_unrolled_loop(x: &Tensor) -> Result<Tensor> {
    let mut y = x + 3;
    for _ in 0..2 {
        if y < 2 {
            panic!("x is negative");
        }
        y -= 1;
    }
    Ok(y)
}

#[tf_function]
fn fails_after_a_return(x: &Tensor) -> Result<Tensor> {
    if x >= 0 {
        return Ok(x + 1);
    }
    Err(Error::invalid("x is negative"))
}

#[track_caller]
fn fails_below_zero(f: impl Fn(&Tensor) -> Result<Tensor>) {
    agree(f(&scalar(3i64)).unwrap(), &[scalar(4i64)]);
    let text = f(&scalar(-3i64)).unwrap_err().to_string();
    assert!(text.contains("x is negative"), "{text}");
}

#[test]
fn an_error_is_raised_if_its_arm_runs() {
    fails_below_zero(returns_an_error);
    fails_below_zero(gives_an_error);
    fails_below_zero(raises_an_error);
    fails_below_zero(fails_in_a_loop);
    fails_below_zero(fails_after_a_return);
    assert_eq!(returns_an_error::trace_count(), 1);
}

#[test]
fn a_panic_fails_the_run_that_comes_to_it() {
    fails_below_zero(panics);
    fails_below_zero(reaches_what_it_should_not);
    fails_below_zero(has_much_to_do);
    fails_below_zero(fails_in_an_unrolled_loop);
    let text = panics(&scalar(-3i64)).unwrap_err().to_string();
    assert!(text.contains("x is negative: -3") && text.contains("failures.rs"), "{text}");
}

#[tf_function]
fn fails_for_certain(x: &Tensor) -> Result<Tensor> {
    if x < 0 {
        return Err(Error::invalid("x is negative"));
    } else {
        return Err(Error::invalid("x is not negative"));
    }
}

#[test]
fn a_function_that_only_fails_has_no_trace() {
    let text = fails_for_certain(&scalar(3i64)).unwrap_err().to_string();
    assert!(text.contains("negative"), "{text}");
}

/// An error of the run is no error where it does not run, also for gradients.
#[test]
fn gradients_pass_by_an_error() -> Result<()> {
    #[tf_function]
    fn root(x: &Tensor) -> Result<Tensor> {
        if x < 0.0 {
            return Err(Error::invalid("x is negative"));
        }
        x.sqrt()
    }
    let x = scalar(4.0f64);
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = root(&x)?;
    agree(tape.gradient(&y, &x)?.into_structure()?, &[scalar(0.25f64)]);
    Ok(())
}

#[tf_function]
fn fails_in_many_ways(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let mut s = scalar(0i64);
    for i in 0..x {
        if i == 3 {
            if y > 0 {
                return Err(Error::invalid("three"));
            } else {
                continue;
            }
        }
        if y == 7 {
            return Ok(s);
        }
        s += if y > 5 { panic!("much: {y}") } else { i };
    }
    if s > 8 {
        Err(Error::invalid("too much"))
    } else if s > 4 {
        Ok(s)
    } else {
        todo!()
    }
}

#[test]
fn of_many_failures_the_one_is_raised_that_is_met() -> Result<()> {
    let f = |x: i64, y: i64| fails_in_many_ways(&scalar(x), &scalar(y));
    for (x, y, text) in [
        (4i64, 1i64, "three"),
        (2, 6, "much: 6"),
        (6, -1, "too much"),
        (3, 1, "not yet implemented"),
    ] {
        let e = f(x, y).unwrap_err().to_string();
        assert!(e.contains(text), "{text} is missing in {e}");
    }
    agree(f(5, -1)?, &[scalar(7i64)]);
    agree(f(5, 7)?, &[scalar(0i64)]);
    assert_eq!(fails_in_many_ways::trace_count(), 1);
    Ok(())
}

#[tf_function]
fn fails_in_kinds(x: &Tensor) -> Result<Tensor> {
    if x < 0 {
        return Err(Error::new(ErrorKind::NotFound, "x is negative"));
    }
    let y = if x == 0 { Err(Error::new(ErrorKind::OutOfRange, "x is zero"))? } else { x + 1 };
    Ok(y)
}

#[test]
fn an_error_of_the_run_is_of_the_kind_that_was_returned() {
    agree(fails_in_kinds(&scalar(3i64)).unwrap(), &[scalar(4i64)]);
    assert_eq!(fails_in_kinds(&scalar(-3i64)).unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(fails_in_kinds(&scalar(0i64)).unwrap_err().kind(), ErrorKind::OutOfRange);
}

/// As other crates have them.
macro_rules! bail {
    ($($text:tt)+) => { return Err(Error::new(ErrorKind::NotFound, format!($($text)+))) };
}

macro_rules! ensure {
    ($cond:expr) => { ensure!($cond, "not so: {}", stringify!($cond)) };
    ($cond:expr, $($text:tt)+) => { if !$cond { bail!($($text)+) } };
}

#[tf_function]
fn bails(x: &Tensor) -> Result<Tensor> {
    if x < 0 {
        bail!("x is negative");
    }
    Ok(x + 1)
}

#[tf_function]
fn bails_as_a_value(x: &Tensor) -> Result<Tensor> {
    let y = if x < 0 { bail!("x is {}", "negative") } else { x + 1 };
    Ok(y)
}

#[tf_function]
fn ensures(x: &Tensor) -> Result<Tensor> {
    ensure!(x >= 0, "x is negative");
    Ok(x + 1)
}

#[tf_function]
fn ensures_in_a_loop(x: &Tensor, n: i64) -> Result<Tensor> {
    let mut y = x.clone();
    for i in 0..x {
        ensure!(i < 5);
        ensure!(n > 0, "{n} is not positive");
        y += 1;
    }
    ensure!(n < 10, "{n} is large");
    Ok(y - x + x + 1 - x)
}

#[test]
fn macros_that_return_an_error_fail_the_run_that_comes_to_them() {
    fails_below_zero(bails);
    fails_below_zero(bails_as_a_value);
    fails_below_zero(ensures);
    assert_eq!(bails(&scalar(-3i64)).unwrap_err().kind(), ErrorKind::NotFound);
    let f = |x: i64, n: i64| ensures_in_a_loop(&scalar(x), n);
    agree(f(3, 1).unwrap(), &[scalar(4i64)]);
    let text = f(7, 1).unwrap_err().to_string();
    assert!(text.contains("i < 5"), "{text}");
    assert!(f(3, 0).unwrap_err().to_string().contains("0 is not positive"));
    agree(f(0, 0).unwrap(), &[scalar(1i64)]);
    assert!(f(0, 10).unwrap_err().to_string().contains("10 is large"));
}

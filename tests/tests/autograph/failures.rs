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
    agree(f(&tensor!(3i64)).unwrap(), &[tensor!(4i64)]);
    let text = f(&tensor!(-3i64)).unwrap_err().to_string();
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
    let text = panics(&tensor!(-3i64)).unwrap_err().to_string();
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
    let text = fails_for_certain(&tensor!(3i64)).unwrap_err().to_string();
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
    let x = tensor!(4.0f64);
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = root(&x)?;
    agree(tape.gradient(&y, &x)?.into_structure()?, &[tensor!(0.25f64)]);
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
    let f = |x: i64, y: i64| fails_in_many_ways(&tensor!(x), &tensor!(y));
    for (x, y, text) in [
        (4i64, 1i64, "three"),
        (2, 6, "much: 6"),
        (6, -1, "too much"),
        (3, 1, "not yet implemented"),
    ] {
        let e = f(x, y).unwrap_err().to_string();
        assert!(e.contains(text), "{text} is missing in {e}");
    }
    agree(f(5, -1)?, &[tensor!(7i64)]);
    agree(f(5, 7)?, &[tensor!(0i64)]);
    assert_eq!(fails_in_many_ways::trace_count(), 1);
    Ok(())
}

//! The line of an error under a condition on tensors is the one that the user wrote.

use extype::prelude::*;

#[track_caller]
fn is_at(result: Result<Tensor>, line: u32) -> Error {
    let e = result.unwrap_err();
    let place = e.location().map(|l| (l.file().ends_with("lines.rs"), l.line()));
    assert_eq!(place, Some((true, line)), "{e}");
    e
}

#[tf_function]
fn adds_a_moved_one(x: &Tensor, t: Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    if x.reduce_sum(.., false)? > 0 {
        y = y + t;
    }
    Ok(y)
}
const ADDED: u32 = line!() - 4;

#[tf_function]
fn returns_a_product(x: &Tensor, z: Tensor) -> Result<Tensor> {
    let y = x.clone();
    if x.reduce_sum(.., false)? > 0 {
        return Ok(y * z);
    }
    Ok(y)
}
const RETURNED: u32 = line!() - 4;

#[tf_function]
fn multiplies_in_a_loop(x: &Tensor, z: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    let mut i = scalar(0);
    while i < 3 {
        let z = z.clone();
        i += 1;
        if i > 1 {
            y = y * z;
        }
    }
    Ok(y)
}
const LOOPED: u32 = line!() - 5;

#[test]
fn of_operands_that_are_moved() {
    let (x, t) = (tensor![1, 2, 3], tensor![1, 2]);
    is_at(adds_a_moved_one(&x, t.clone()), ADDED);
    is_at(returns_a_product(&x, t.clone()), RETURNED);
    is_at(multiplies_in_a_loop(&x, &t), LOOPED);
}

#[tf_function]
fn returns_an_error(x: &Tensor) -> Result<Tensor> {
    if x < 0 {
        return Err(Error::invalid("x is negative"));
    }
    Ok(x + 1)
}
const ERR: u32 = line!() - 4;

#[tf_function]
#[rustfmt::skip]
fn gives_an_error(x: &Tensor) -> Result<Tensor> { if x < 0 { Err(Error::invalid("x is negative")) } else { Ok(x + 1) } }
const GIVEN: u32 = line!() - 1;

#[tf_function]
fn raises_an_error(x: &Tensor) -> Result<Tensor> {
    if x < 0 {
        Err(Error::invalid("x is negative"))?;
    }
    Ok(x + 1)
}
const RAISED: u32 = line!() - 4;

#[tf_function]
fn panics(x: &Tensor) -> Result<Tensor> {
    if x < 0 {
        panic!("x is negative");
    }
    Ok(x + 1)
}
const PANIC: u32 = line!() - 4;

#[test]
fn of_errors_that_the_run_raises() {
    let x = scalar(-1);
    let found = [
        is_at(returns_an_error(&x), ERR),
        is_at(gives_an_error(&x), GIVEN),
        is_at(raises_an_error(&x), RAISED),
        is_at(panics(&x), PANIC),
    ];
    for e in found {
        assert_eq!((e.op(), e.message()), (None, "x is negative"), "{e}");
        assert!(e.to_string().starts_with("x is negative\n"), "{e}");
    }
}

#[tf_function]
fn broken_off(x: &Tensor) -> Result<Tensor> {
    let (mut n, mut y) = (0, x.clone());
    while n < 5 {
        if y > 10.0 {
            break; // leaves
        }
        y = y * 2.0;
        n += 1;
    }
    Ok(y * n)
}

#[tf_function]
fn returned(x: &Tensor) -> Result<Tensor> {
    if x > 0.0 {
        return x.cast(f64); // returns
    }
    Ok(x * 2.0)
}

#[tf_function]
fn continued(x: &Tensor) -> Result<Tensor> {
    let mut total = scalar(0.0f32);
    for i in 0..4 {
        if x > 2.0 {
            continue; // goes on
        }
        total = scalar(f64::from(i));
    }
    Ok(total)
}

#[test]
fn what_leaves_and_what_goes_on_must_agree_is_told_where_it_leaves() {
    let x = scalar(3.0f32);
    let line = |code: &str| {
        let found = include_str!("lines.rs").lines().position(|l| l.ends_with(code));
        found.expect("the line") as u32 + 1
    };
    let e = is_at(broken_off(&x), line("// leaves"));
    assert!(e.message().contains("1 in the code that goes on, but 0 in the code that left"), "{e}");
    is_at(returned(&x), line("// returns"));
    is_at(continued(&x), line("// goes on"));
}
